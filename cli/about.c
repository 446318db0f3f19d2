/* SPDX-License-Identifier: MIT */
#include "cli/about.h"

#include <string.h>

#include <cjson/cJSON.h>
#include <openssl/crypto.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <xlsxwriter.h>

#include "parsers/parser.h"

void ja_about_version(FILE *stream)
{
    char pcre2[64] = "?";
    pcre2_config(PCRE2_CONFIG_VERSION, pcre2);
    fprintf(stream, "jetsam-audit %s\n", JA_VERSION);
    fprintf(stream, "cJSON %s, PCRE2 %s, libxlsxwriter %s, %s\n", cJSON_Version(), pcre2,
            lxw_version(), OpenSSL_version(OPENSSL_VERSION));
}

static void list_parsers(FILE *stream)
{
    for (const struct ja_parser *const *parser = ja_parsers; *parser; parser++)
        fprintf(stream, "%-20s %s\n", (*parser)->name, (*parser)->reads);
}

static const struct {
    const char *word;
    void (*print)(FILE *stream);
} lists[] = {
    {"parsers", list_parsers},
};

bool ja_about_list(FILE *stream, const char *what)
{
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        if (strcmp(lists[i].word, what) == 0) {
            lists[i].print(stream);
            return true;
        }
    }
    return false;
}
