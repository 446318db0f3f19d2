/* SPDX-License-Identifier: MIT
 *
 * footprint up to macOS 26 has its own list of category names, vmmap another, and from macOS 27 on
 * both print the system's tag table in Title Case. One spelling for all: vmmap's up to macOS 26.
 */
#include "parsers/apple_size.h"

#include <string.h>

struct name_pair {
    const char *printed; /* compared without case */
    const char *vmmap;
};

static const struct name_pair names[] = {
    {"untagged (VM_ALLOCATE)", "VM_ALLOCATE"},
    {"untagged (\"VM_ALLOCATE\")", "VM_ALLOCATE"},
    {"untagged", "VM_ALLOCATE"},
    {"stack", "Stack"},
    {"stack guard", "STACK GUARD"},
    {"WebKit malloc", "WebKit Malloc"},
    {"ImageIO", "Image IO"},
    {"os_alloc_once", "Kernel Alloc Once"},
    {"OS Alloc Once", "Kernel Alloc Once"},
    {"Deferred Reclaim", "Memory Tag 22"},
    {"libdispatch", "Dispatch continuations"},
    {"Dispatch Continuations", "Dispatch continuations"},
    {"Owned physical footprint (unmapped)", "owned unmapped memory"},
    {"owned unmapped", "owned unmapped memory"},
    {"page table", "page table in kernel"},
    {"Malloc", "MALLOC"},
    {"Malloc Nano", "MALLOC_NANO"},
    {"Malloc Tiny", "MALLOC_TINY"},
    {"Malloc Small", "MALLOC_SMALL"},
    {"Malloc Medium", "MALLOC_MEDIUM"},
    {"Malloc Large", "MALLOC_LARGE"},
    {"Malloc Huge", "MALLOC_HUGE"},
    {"Malloc Realloc", "MALLOC_REALLOC"},
    {"MALLOC_LARGE_REUSABLE", "MALLOC_LARGE (reusable)"},
    {"MALLOC_LARGE_REUSED", "MALLOC_LARGE (reused)"},
    {"Malloc Metadata", "MALLOC metadata"},
    {"Malloc Guard Page", "MALLOC guard page"},
    {"Accelerate Framework", "Accelerate framework"},
    {"Accelerate Image Backing Stores", "Accelerate image backing stores"},
    {"CG Image", "CG image"},
    {"CG Raster Data", "CG raster data"},
    {"CG Backing Stores", "CG backing stores"},
    {"CG Shared Images", "CG shared images"},
    {"CoreUI Image Data", "CoreUI image data"},
    {"CoreUI Image File", "CoreUI image file"},
    {"Mapped File", "mapped file"},
    {"Shared Memory", "shared memory"},
    {"Dyld Private Memory", "dyld private memory"},
    {"Mach Message", "Mach message"},
    {"SQLite Page Cache", "SQLite page cache"},
};

/* Endings that vmmap and footprint add to any name: the state of the regions, or their ledger. */
static const char *const endings[] = {" (graphics)", " (media)",    " (neural)",  " (network)",
                                      " (empty)",    " (reserved)", " (reusable)"};

static char lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

static bool same_text(const char *text, size_t length, const char *word)
{
    if (strlen(word) != length)
        return false;
    for (size_t i = 0; i < length; i++)
        if (lower(text[i]) != lower(word[i]))
            return false;
    return true;
}

/* "app-specific tag 16" is Memory Tag 255, "tag 22" Memory Tag 22. */
static const char *numbered_tag(const char *name, size_t length, struct ja_arena *arena)
{
    static const struct {
        const char *prefix;
        int64_t first;
    } kinds[] = {{"app-specific tag ", 239}, {"memory tag ", 0}, {"tag ", 0}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        size_t prefix = strlen(kinds[i].prefix);
        int64_t number;
        if (length <= prefix || !same_text(name, prefix, kinds[i].prefix))
            continue;
        struct ja_scan scan = ja_scan_of(name + prefix, length - prefix);
        if (!ja_scan_u63(&scan, &number) || !ja_scan_end(&scan) || number > 255)
            return NULL;
        return ja_arena_print(arena, "Memory Tag %d", (int)(number + kinds[i].first));
    }
    return NULL;
}

static const char *base_name(const char *name, size_t length, struct ja_arena *arena)
{
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (same_text(name, length, names[i].printed))
            return names[i].vmmap;
    const char *tag = numbered_tag(name, length, arena);
    return tag ? tag : ja_arena_copy(arena, name, length);
}

const char *ja_apple_category(const char *name, size_t length, struct ja_arena *arena)
{
    ja_text_trim(&name, &length);
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t ending = strlen(endings[i]);
        if (length <= ending || !same_text(name + length - ending, ending, endings[i]))
            continue;
        const char *base = base_name(name, length - ending, arena);
        return ja_arena_print(arena, "%s%s", base, endings[i]);
    }
    return base_name(name, length, arena);
}

bool ja_category_is_graphics(const char *category)
{
    return ja_text_ends(category, strlen(category), " (graphics)");
}

const char *ja_category_trap(const char *category)
{
    static const struct {
        const char *category;
        const char *trap;
    } traps[] = {
        {"IOAccelerator", "without (graphics) it is not charged to the graphics ledger; mimalloc "
                          "before its PR 909 keeps its heap under this tag"},
        {"CoreMedia Capture Data",
         "jemalloc keeps its heap under this tag on macOS; it need not be "
         "a camera's"},
        {"Memory Tag 255", "V8 keeps the heap of JavaScript under this tag"},
        {"Memory Tag 253", "PartitionAlloc (Chromium) keeps its heap under this tag"},
    };
    for (size_t i = 0; i < sizeof traps / sizeof *traps; i++)
        if (strcmp(category, traps[i].category) == 0)
            return traps[i].trap;
    return NULL;
}
