/* SPDX-License-Identifier: MIT */
#include "model/bridge.h"

static void step(struct ja_bridge *bridge, const char *what, int64_t bytes, bool bound)
{
    if (bridge->count < sizeof bridge->steps / sizeof *bridge->steps)
        bridge->steps[bridge->count++] = (struct ja_bridge_step){what, bytes, bound};
}

/* Footprints count compressed and swapped pages at full size; the compressor holds them smaller, or
 * they are in swap. */
static void cross_footprints(const int64_t *f, struct ja_bridge *bridge)
{
    if (f[JA_FIGURE_SUM_COMPRESSED] != JA_UNKNOWN)
        step(bridge, "compressed or swapped pages that the processes' rows count in full",
             -f[JA_FIGURE_SUM_COMPRESSED], false);
    else if (f[JA_FIGURE_UNCOMPRESSED] != JA_UNKNOWN)
        /* No more than the books can be compressed pages of the processes in them. */
        step(bridge, "pages held compressed or in swap, at their original size",
             -(f[JA_FIGURE_UNCOMPRESSED] < bridge->books_bytes ? f[JA_FIGURE_UNCOMPRESSED]
                                                               : bridge->books_bytes),
             true);
    if (f[JA_FIGURE_COMPRESSOR] != JA_UNKNOWN)
        step(bridge, "RAM that the compressor takes for what it holds", f[JA_FIGURE_COMPRESSOR],
             false);
    if (f[JA_FIGURE_WIRED] != JA_UNKNOWN)
        step(bridge, "wired memory (kernel and devices; partly in the rows already)",
             f[JA_FIGURE_WIRED], true);
}

/* Linux: PSS counts a shared page once; the kernel's own memory has no row. */
static void cross_linux(const struct ja_state *state, struct ja_bridge *bridge)
{
    static const struct {
        enum ja_figure figure;
        const char *what;
    } kernel[] = {
        {JA_FIGURE_SLAB_UNRECLAIMABLE, "unreclaimable slab (kernel)"},
        {JA_FIGURE_PAGE_TABLES, "page tables"},
        {JA_FIGURE_KERNEL_STACK, "kernel stacks"},
        {JA_FIGURE_PERCPU, "per-CPU memory"},
        {JA_FIGURE_HUGETLB, "reserved huge pages"},
        {JA_FIGURE_ZRAM_USED, "RAM that zram takes for swapped pages"},
    };
    for (size_t i = 0; i < sizeof kernel / sizeof *kernel; i++)
        if (state->figures[kernel[i].figure] > 0)
            step(bridge, kernel[i].what, state->figures[kernel[i].figure], false);
}

bool ja_bridge_build(const struct ja_state *state, struct ja_bridge *ret)
{
    const int64_t *f = state->figures;
    if (!state->books.known || state->books.sum_bytes == JA_UNKNOWN ||
        f[JA_FIGURE_USED] == JA_UNKNOWN || state->of)
        return false;
    *ret =
        (struct ja_bridge){.books_bytes = state->books.sum_bytes, .used_bytes = f[JA_FIGURE_USED]};
    if (f[JA_FIGURE_MEM_AVAILABLE] != JA_UNKNOWN || f[JA_FIGURE_MEM_FREE] != JA_UNKNOWN)
        cross_linux(state, ret);
    else
        cross_footprints(f, ret);
    int64_t sum = ret->books_bytes;
    for (size_t i = 0; i < ret->count; i++)
        sum = ja_add(sum, ret->steps[i].bytes);
    ret->residual_bytes = ja_subtract(ret->used_bytes, sum);
    return true;
}
