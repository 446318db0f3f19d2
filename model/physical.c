/* SPDX-License-Identifier: MIT
 *
 * Physical use: what the machine itself says was used, derived where it says only its parts, and
 * the identities that its figures must hold.
 */
#include "model/build.h"

#include <stdlib.h>
#include <string.h>

/* Counters of one report are not read at one instant: a small skew is no contradiction. */
#define IDENTITY_PERCENT 2

static int64_t sum_known(const int64_t *figures, const enum ja_figure *which, size_t count)
{
    int64_t sum = 0;
    for (size_t i = 0; i < count; i++) {
        if (figures[which[i]] == JA_UNKNOWN)
            return JA_UNKNOWN;
        sum = ja_add(sum, figures[which[i]]);
    }
    return sum;
}

static void derive_apple(int64_t *f)
{
    static const enum ja_figure pageable[] = {JA_FIGURE_ACTIVE, JA_FIGURE_INACTIVE,
                                              JA_FIGURE_SPECULATIVE, JA_FIGURE_FILE_BACKED};
    static const enum ja_figure use[] = {JA_FIGURE_ANONYMOUS, JA_FIGURE_WIRED,
                                         JA_FIGURE_COMPRESSOR};
    if (f[JA_FIGURE_ANONYMOUS] == JA_UNKNOWN && sum_known(f, pageable, 4) != JA_UNKNOWN) {
        /* Pageable memory is anonymous or file-backed, nothing else. */
        int64_t all = sum_known(f, pageable, 3) - f[JA_FIGURE_FILE_BACKED];
        if (all >= 0)
            f[JA_FIGURE_ANONYMOUS] = all;
    }
    if (f[JA_FIGURE_USED] == JA_UNKNOWN)
        f[JA_FIGURE_USED] = sum_known(f, use, 3);
}

static void derive_linux(struct ja_state *state)
{
    int64_t *f = state->figures;
    if (f[JA_FIGURE_FREE] == JA_UNKNOWN)
        f[JA_FIGURE_FREE] = f[JA_FIGURE_MEM_FREE];
    if (f[JA_FIGURE_MANAGED] == JA_UNKNOWN)
        return;
    if (f[JA_FIGURE_USED] == JA_UNKNOWN && f[JA_FIGURE_MEM_AVAILABLE] != JA_UNKNOWN)
        f[JA_FIGURE_USED] = f[JA_FIGURE_MANAGED] - f[JA_FIGURE_MEM_AVAILABLE];
    /* An OOM report prints no MemAvailable, but what it would count. */
    static const enum ja_figure available[] = {JA_FIGURE_MEM_FREE, JA_FIGURE_FILE_BACKED,
                                               JA_FIGURE_SLAB_RECLAIMABLE};
    int64_t left = sum_known(f, available, 3);
    if (f[JA_FIGURE_USED] == JA_UNKNOWN && left != JA_UNKNOWN && left <= f[JA_FIGURE_MANAGED])
        f[JA_FIGURE_USED] = f[JA_FIGURE_MANAGED] - left;
    if (f[JA_FIGURE_MEM_FREE] == JA_UNKNOWN)
        return;
    state->used_with_cache_bytes = f[JA_FIGURE_MANAGED] - f[JA_FIGURE_MEM_FREE];
    if (f[JA_FIGURE_ANONYMOUS] == JA_UNKNOWN)
        f[JA_FIGURE_ANONYMOUS] = f[JA_FIGURE_ANON_PAGES];
}

/* zram and zswap are Linux's compressors: RAM they take, and what they hold. */
static int64_t sum_either(int64_t a, int64_t b)
{
    if (a == JA_UNKNOWN || b == JA_UNKNOWN)
        return a == JA_UNKNOWN ? b : a;
    return ja_add(a, b);
}

static void derive_compressors(int64_t *f)
{
    if (f[JA_FIGURE_COMPRESSOR] == JA_UNKNOWN)
        f[JA_FIGURE_COMPRESSOR] = sum_either(f[JA_FIGURE_ZRAM_USED], f[JA_FIGURE_ZSWAP]);
    if (f[JA_FIGURE_UNCOMPRESSED] == JA_UNKNOWN)
        f[JA_FIGURE_UNCOMPRESSED] = sum_either(f[JA_FIGURE_ZRAM_ORIGINAL], f[JA_FIGURE_ZSWAPPED]);
}

/* A control group: what it is charged with, page cache apart. */
static void derive_group(struct ja_state *state)
{
    int64_t *f = state->figures;
    if (!state->of || f[JA_FIGURE_CGROUP_USAGE] == JA_UNKNOWN)
        return;
    state->used_with_cache_bytes = f[JA_FIGURE_CGROUP_USAGE];
    if (f[JA_FIGURE_ANONYMOUS] == JA_UNKNOWN)
        f[JA_FIGURE_ANONYMOUS] = f[JA_FIGURE_CGROUP_ANON];
    if (f[JA_FIGURE_FILE_BACKED] == JA_UNKNOWN)
        f[JA_FIGURE_FILE_BACKED] = f[JA_FIGURE_CGROUP_FILE];
    if (f[JA_FIGURE_USED] == JA_UNKNOWN && f[JA_FIGURE_CGROUP_FILE] != JA_UNKNOWN &&
        f[JA_FIGURE_CGROUP_FILE] <= f[JA_FIGURE_CGROUP_USAGE])
        f[JA_FIGURE_USED] = f[JA_FIGURE_CGROUP_USAGE] - f[JA_FIGURE_CGROUP_FILE];
}

void ja_derive_figures(struct ja_state *state)
{
    derive_apple(state->figures);
    derive_linux(state);
    derive_compressors(state->figures);
    derive_group(state);
}

/* ---- identities that must hold --------------------------------------------------------------- */

void ja_mark_impossible(struct ja_state *state, const char *name)
{
    for (size_t i = 0; i < state->impossible_count; i++)
        if (strcmp(state->impossible[i], name) == 0)
            return;
    if (state->impossible_count < sizeof state->impossible / sizeof *state->impossible)
        state->impossible[state->impossible_count++] = name;
}

void ja_check_figures(struct ja_state *state)
{
    static const enum ja_figure lists[] = {JA_FIGURE_ACTIVE, JA_FIGURE_INACTIVE,
                                           JA_FIGURE_SPECULATIVE};
    static const enum ja_figure kinds[] = {JA_FIGURE_ANONYMOUS, JA_FIGURE_FILE_BACKED};
    const int64_t *f = state->figures;
    int64_t ram = f[JA_FIGURE_RAM];
    if (ram != JA_UNKNOWN && f[JA_FIGURE_COMPRESSOR] > ram)
        ja_mark_impossible(state, "compressor_over_ram");
    if (ram != JA_UNKNOWN && f[JA_FIGURE_MANAGED] > ram)
        ja_mark_impossible(state, "parts_over_ram");
    int64_t a = sum_known(f, lists, 3), b = sum_known(f, kinds, 2);
    if (a != JA_UNKNOWN && b != JA_UNKNOWN && llabs(a - b) > a / 100 * IDENTITY_PERCENT &&
        llabs(a - b) > b / 100 * IDENTITY_PERCENT)
        ja_mark_impossible(state, "pages_identity");
    if (f[JA_FIGURE_SWAP_TOTAL] != JA_UNKNOWN && f[JA_FIGURE_SWAP_USED] > f[JA_FIGURE_SWAP_TOTAL])
        ja_mark_impossible(state, "swap_over_total");
}
