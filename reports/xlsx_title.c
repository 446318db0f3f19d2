/* SPDX-License-Identifier: MIT
 *
 * The workbook: what stands in the title of its first sheet.
 */
#include "reports/xlsx.h"

#include <string.h>

#include "reports/text.h"

#define MOST_NAMES 6 /* of hosts */

static const char *ram_text(const struct ja_book *book, uint32_t index)
{
    const struct ja_host *host = &book->item->hosts[index];
    int64_t ram = host->ram_bytes;
    for (size_t i = book->item->state_count; i-- > 0 && ram == JA_UNKNOWN;)
        if (book->item->states[i].host == index)
            ram = book->item->states[i].figures[JA_FIGURE_RAM];
    if (ram != JA_UNKNOWN)
        return ja_arena_print(book->arena, "RAM %s%s", ja_bytes(book->arena, ram, 0),
                              host->ram_from && strcmp(host->ram_from, "operator") == 0
                                  ? " as the operator states"
                                  : "");
    if (host->managed_bytes != JA_UNKNOWN)
        return ja_arena_print(book->arena, "RAM not in the evidence, the kernel manages %s",
                              ja_bytes(book->arena, host->managed_bytes, 0));
    return "RAM not in the evidence";
}

const char *ja_book_hosts(const struct ja_book *book)
{
    const struct ja_case *item = book->item;
    if (!item->host_count)
        return "no host known";
    if (item->host_count == 1)
        return ja_arena_print(book->arena, "%s (%s%s%s)", item->hosts[0].label,
                              item->hosts[0].os ? item->hosts[0].os : "",
                              item->hosts[0].os ? ", " : "", ram_text(book, 0));
    const char *all = ja_arena_print(book->arena, "%zu hosts (sheet Fleet)", item->host_count);
    for (uint32_t i = 0; i < item->host_count && i < MOST_NAMES; i++)
        all = ja_arena_print(book->arena, "%s%s%s", all, i ? ", " : ": ", item->hosts[i].label);
    return item->host_count > MOST_NAMES ? ja_arena_print(book->arena, "%s, ...", all) : all;
}

/* "9 files: 7 used, 1 duplicate, 1 unreadable" */
const char *ja_book_files(const struct ja_book *book)
{
    const struct ja_case *item = book->item;
    const char *all = ja_arena_print(book->arena, "%zu file%s", item->source_count,
                                     item->source_count == 1 ? "" : "s");
    const char *between = ": ";
    for (int status = JA_STATUS_NONE; status <= JA_STATUS_UNREADABLE; status++) {
        size_t count = 0;
        for (size_t i = 0; i < item->source_count; i++)
            count += (int)item->sources[i].evidence->status == status;
        if (!count)
            continue;
        all = ja_arena_print(book->arena, "%s%s%zu %s", all, between, count,
                             ja_status_word((enum ja_status)status));
        between = ", ";
    }
    return all;
}
