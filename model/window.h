/* SPDX-License-Identifier: MIT
 *
 * --since and --until, for whatever reads the evidence beside the case's own arrays, which hold
 * nothing from outside of the window.
 */
#ifndef JA_MODEL_WINDOW_H
#define JA_MODEL_WINDOW_H

#include "model/case.h"

/* Inside of the window; also when its time is not known, for nothing says that it is not. */
bool ja_in_window(const struct ja_case *item, const struct ja_instant *at);

#endif
