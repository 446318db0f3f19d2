/* SPDX-License-Identifier: MIT */
#include "model/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define DIGITS 256 /* values of one byte of a key */
#define FEW 24     /* so many are sorted sooner by insertion */

void ja_sort(void *items, size_t count, size_t size, int (*order)(const void *a, const void *b))
{
    const char *item = items;
    size_t at = 1;
    while (at < count && order(item + (at - 1) * size, item + at * size) <= 0)
        at++;
    if (at < count)
        qsort(items, count, size, order);
}

uint64_t ja_rising_key(int64_t number)
{
    return (uint64_t)number ^ (UINT64_C(1) << 63);
}

int64_t ja_rising_number(uint64_t key)
{
    return (int64_t)(key ^ UINT64_C(1) << 63);
}

uint64_t ja_falling_key(int64_t number)
{
    return ~ja_rising_key(number);
}

uint64_t ja_text_key(const char *text)
{
    uint64_t key = 0;
    for (int i = 0; i < 8; i++)
        key = key << 8 | (*text ? (unsigned char)*text++ : 0u);
    return key;
}

static void insert_all(struct ja_keyed *items, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        struct ja_keyed item = items[i];
        size_t at = i;
        for (; at > 0 && items[at - 1].key > item.key; at--)
            items[at] = items[at - 1];
        items[at] = item;
    }
}

/* From one array to the other, by the byte of the keys that is shift bits up. */
static void deal(const struct ja_keyed *from, struct ja_keyed *to, size_t count, unsigned shift)
{
    size_t place[DIGITS + 1] = {0};
    for (size_t i = 0; i < count; i++)
        place[(from[i].key >> shift) % DIGITS + 1]++;
    for (size_t digit = 1; digit < DIGITS; digit++)
        place[digit] += place[digit - 1];
    for (size_t i = 0; i < count; i++)
        to[place[(from[i].key >> shift) % DIGITS]++] = from[i];
}

void ja_sort_keyed(struct ja_keyed *items, struct ja_keyed *spare, size_t count)
{
    if (count <= FEW) {
        insert_all(items, count);
        return;
    }
    uint64_t differ = 0;
    bool sorted = true;
    for (size_t i = 1; i < count; i++) {
        differ |= items[i].key ^ items[0].key;
        sorted &= items[i - 1].key <= items[i].key;
    }
    if (sorted)
        return;
    struct ja_keyed *from = items, *to = spare;
    for (unsigned shift = 0; shift < 64; shift += 8) {
        if (!((differ >> shift) % DIGITS))
            continue; /* all keys have the same byte there */
        deal(from, to, count, shift);
        struct ja_keyed *dealt = to;
        to = from;
        from = dealt;
    }
    if (from != items)
        memcpy(items, from, count * sizeof *items);
}
