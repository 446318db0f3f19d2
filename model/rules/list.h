/* SPDX-License-Identifier: MIT
 *
 * One line a rule, in the order of the questions a reader asks (and of findings of equal weight).
 * Included by model/rules.c with RULE defined; no guard.
 */
RULE(growing)
RULE(window_too_short)
