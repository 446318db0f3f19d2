/* SPDX-License-Identifier: MIT
 *
 * The whole way: bytes, cut into files at lines of "--8<--", become a case, and the case goes
 * through every report.
 */
#include "tests/fuzz/fuzz.h"

#include <stdio.h>
#include <unistd.h>

#include "model/case.h"
#include "reports/report.h"

#define CUT "\n--8<--\n"
#define MOST_FILES 8

static const uint8_t *find_cut(const uint8_t *data, size_t size)
{
    const size_t length = strlen(CUT);
    for (size_t i = 0; i + length <= size; i++)
        if (memcmp(data + i, CUT, length) == 0)
            return data + i;
    return NULL;
}

static size_t read_files(const uint8_t *data, size_t size, struct ja_input inputs[MOST_FILES])
{
    static const char *const names[MOST_FILES] = {"1", "2", "3", "4", "5", "6", "7", "8"};
    size_t count = 0;
    while (count < MOST_FILES) {
        const uint8_t *cut = find_cut(data, size);
        size_t length = cut ? (size_t)(cut - data) : size;
        inputs[count] = (struct ja_input){
            .evidence = parse_bytes(data, length, names[count], NULL),
            .size_bytes = (int64_t)length,
            .mtime_ns = JA_UNKNOWN,
        };
        memset(inputs[count].sha256, 'a' + (int)count, 64);
        count++;
        if (!cut)
            break;
        data = cut + strlen(CUT);
        size -= length + strlen(CUT);
    }
    return count;
}

static void print_all(const struct ja_case *item)
{
    static const char path[] = "/dev/shm/ja-fuzz-report";
    char file[64];
    struct ja_report_options options = {.options_text = "", .sandbox = "off", .width = 80};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = open_memstream(&text, &length);
    MUST(stream);
    MUST(ja_summary_print(item, &options, stream));
    fclose(stream);
    free(text);
    for (size_t i = 0; ja_reports[i]; i++) {
        const char *error = NULL;
        if (strcmp(ja_reports[i]->name, "tsv") == 0)
            continue; /* a folder of tables: the same rows as the workbook's */
        snprintf(file, sizeof file, "%s-%ld", path, (long)getpid());
        MUST(ja_reports[i]->write(item, &options, file, &error));
        unlink(file);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct ja_input inputs[MOST_FILES];
    struct ja_statements statements = ja_statements_none();
    prepare_once();
    size_t count = read_files(data, size, inputs);
    struct ja_case *item = ja_case_build(inputs, count, &statements, NULL);
    print_all(item);
    ja_case_free(item);
    return 0;
}
