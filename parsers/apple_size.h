/* SPDX-License-Identifier: MIT
 *
 * Sizes as Apple's memory tools print them, and their category names under one spelling.
 * footprint: divisor 1024, no decimals, at most four digits, nearest; the unit changes at 9999.5 of
 * the finer one. vmmap, leaks, heap, sample: bare bytes below 4096, then K, and from 9.77 MiB on
 * one decimal of M, G, T.
 */
#ifndef JA_PARSERS_APPLE_SIZE_H
#define JA_PARSERS_APPLE_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/arena.h"
#include "model/quantity.h"
#include "parsers/scan.h"

/* What about a printed size cannot come from the tool itself. */
enum ja_size_oddity {
    JA_SIZE_AS_PRINTED,
    JA_SIZE_DECIMALS,  /* "1.6 GB" */
    JA_SIZE_CONVERTED, /* "15360 MB": a GB reading times 1024, good to half a GB only */
    JA_SIZE_UNNATURAL, /* five digits, or a number below 10 behind a coarse unit */
};

/* "142 MB", "9954533592 B", "98304 pages" (page_bytes each; refused when JA_UNKNOWN). Leaves the
 * scan behind the unit. False when no size stands there. */
bool ja_footprint_size(struct ja_scan *scan, int64_t page_bytes, struct ja_quantity *ret,
                       enum ja_size_oddity *ret_oddity);

enum ja_vmmap_word {
    JA_VMMAP_NO_SIZE,
    JA_VMMAP_SIZE,
    JA_VMMAP_TOO_LARGE, /* 2^60 bytes or more: a difference that ran below zero */
};

/* One word of vmmap: "368", "0K", "9743K", "886.7M", "21.3G". page_bytes: what a bare number
 * counts (1: bytes; with -pages the page size). */
enum ja_vmmap_word ja_vmmap_size(const char *word, size_t length, int64_t page_bytes,
                                 struct ja_quantity *ret);

/* The sum of two printed sizes: steps add up, exact parts add nothing. */
struct ja_quantity ja_quantity_sum(struct ja_quantity a, struct ja_quantity b);

/* The category as vmmap names it up to macOS 26, whichever tool and age printed it. In arena. */
const char *ja_apple_category(const char *name, size_t length, struct ja_arena *arena);

/* The category is charged to the graphics ledger: "IOAccelerator (graphics)", not the bare tag,
 * which allocators reuse for their heaps. */
bool ja_category_is_graphics(const char *category);

/* What else a category's label may stand for: allocators reuse tags, so "IOAccelerator" need not be
 * graphics memory nor "CoreMedia Capture Data" a camera. NULL: no trap is known. */
const char *ja_category_trap(const char *category);

#endif
