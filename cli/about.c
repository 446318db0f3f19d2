/* SPDX-License-Identifier: MIT */
#include "cli/about.h"

#include <string.h>

#include <cjson/cJSON.h>
#include <openssl/crypto.h>
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <xlsxwriter.h>

#include "cli/options.h"
#include "model/cap_table.h"
#include "model/rule.h"
#include "parsers/parser.h"
#include "reports/report.h"

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

static void list_rules(FILE *stream)
{
    for (const struct ja_rule *const *rule = ja_rules; *rule; rule++)
        for (const struct ja_rule_name *name = (*rule)->names; name->name; name++)
            fprintf(stream, "%-24s %s\n", name->name, (*rule)->question);
}

static void list_reports(FILE *stream)
{
    for (const struct ja_report *const *report = ja_reports; *report; report++)
        fprintf(stream, "%-8s %s\n", (*report)->name, (*report)->file_name);
}

/* The table itself: saved to a file and changed, it is what --caps takes. */
static void list_caps(FILE *stream)
{
    fputs(ja_caps_builtin, stream);
}

static const struct {
    const char *word;
    void (*print)(FILE *stream);
} lists[] = {
    {"parsers", list_parsers},
    {"rules", list_rules},
    {"reports", list_reports},
    {"caps", list_caps},
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

#define MOST_NAMES 128

bool ja_about_rule(FILE *stream, const char *name, const char **ret_nearest)
{
    const struct ja_rule_name *rule = ja_rule_named(name, NULL);
    const char *names[MOST_NAMES + 1] = {NULL};
    size_t count = 0;
    for (size_t i = 0; !rule && ja_rules[i]; i++)
        for (size_t k = 0; ja_rules[i]->names[k].name && count < MOST_NAMES; k++)
            names[count++] = ja_rules[i]->names[k].name;
    *ret_nearest = rule ? NULL : ja_nearest_word(name, names);
    if (rule)
        fprintf(stream, "%s\n\n%s\n", rule->name, rule->explain);
    return rule != NULL;
}
