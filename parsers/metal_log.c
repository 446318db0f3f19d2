/* SPDX-License-Identifier: MIT
 *
 * Lines in which programs print the limits of Metal on this machine: llama.cpp's start log and
 * MLX's device_info(). Seen: llama.cpp 2023 to 2026, MLX 0.2x to 0.32.
 *
 *     ggml_metal_init: recommendedMaxWorkingSetSize  = 55662.79 MB
 *     {'max_recommended_working_set_size': 55662788608, 'memory_size': 68719476736, ...}
 *
 * Becomes: the recommended working set as a limit of the machine (it follows iogpu.wired_limit_mb
 * and beats any stock figure), and MLX's memory_size as RAM. The MB of llama.cpp's line is 10^6.
 * Kind sysctl: like that tool it states parameters of the machine. Left out: everything else.
 */
#include "parsers/scan.h"
#include "parsers/side.h"

static const char llama[] = "recommendedMaxWorkingSetSize";
static const char mlx[] = "max_recommended_working_set_size";
static const char memory[] = "memory_size";

/* A number behind a key, an optional quote and one of : or =. */
static bool value_behind(const char *text, size_t length, const char *key, int64_t *ret_mantissa,
                         int *ret_decimals, struct ja_scan *ret_rest)
{
    size_t at = ja_text_find(text, length, key);
    if (at == length)
        return false;
    struct ja_scan scan = ja_scan_of(text, length);
    scan.at = at;
    ja_scan_text(&scan, key);
    if (!ja_scan_char(&scan, '\''))
        ja_scan_char(&scan, '"');
    ja_scan_blanks(&scan);
    if (!ja_scan_char(&scan, '=') && !ja_scan_char(&scan, ':'))
        return false;
    ja_scan_blanks(&scan);
    if (!ja_scan_decimal(&scan, ret_mantissa, ret_decimals))
        return false;
    *ret_rest = scan;
    return true;
}

/* Bytes of the working set that a line prints; false when it prints none. */
static bool working_set(const char *text, size_t length, int64_t *ret)
{
    struct ja_scan rest;
    int64_t mantissa, mb = 1000000;
    int decimals;
    if (value_behind(text, length, mlx, &mantissa, &decimals, &rest) && decimals == 0) {
        *ret = mantissa;
        return mantissa > 0 && mantissa < JA_LARGEST_BYTES;
    }
    if (!value_behind(text, length, llama, &mantissa, &decimals, &rest))
        return false;
    ja_scan_blanks(&rest);
    if (!ja_scan_text(&rest, "MB"))
        return false;
    for (int i = 0; i < decimals; i++)
        mb /= mb > 1 ? 10 : 1;
    return decimals <= 6 && ja_multiply(mantissa, mb, ret) && *ret > 0;
}

static int bid(const struct ja_piece *piece)
{
    int64_t bytes;
    size_t at = ja_text_find(piece->text, piece->length, llama);
    if (at == piece->length)
        at = ja_text_find(piece->text, piece->length, mlx);
    return at < piece->length && working_set(piece->text + at, piece->length - at, &bytes) ? 45 : 0;
}

static void parse_piece(const struct ja_piece *piece, struct ja_parse *parse)
{
    uint32_t record = JA_NONE;
    size_t at = 0;
    int number = 0, decimals;
    int64_t bytes;
    struct ja_line line;
    struct ja_scan rest;
    while (ja_piece_line(piece, &at, &number, &line)) {
        bool set = working_set(line.text, line.length, &bytes);
        if (!set && record == JA_NONE)
            continue;
        if (record == JA_NONE)
            record = ja_side_record(piece, parse, JA_KIND_SYSCTL, line.number);
        if (set)
            ja_add_fact(parse->evidence, record, JA_FACT_LIMIT, bytes, "recommended working set",
                        ja_add_place_line(parse->evidence, line.number));
        if (value_behind(line.text, line.length, memory, &bytes, &decimals, &rest) &&
            decimals == 0 && bytes > 0 && bytes < JA_LARGEST_BYTES)
            ja_side_ram(parse, record, bytes, line.number);
    }
}

const struct ja_parser ja_parser_metal_log = {
    .name = "metal_log",
    .reads = "Metal's recommended working set as llama.cpp and MLX print it",
    .bid = bid,
    .parse = parse_piece,
};
