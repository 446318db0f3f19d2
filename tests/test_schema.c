/* SPDX-License-Identifier: MIT
 *
 * share/audit.schema.json holds for what the program prints: every bundled incident is audited and
 * its document checked against the schema (the part of JSON Schema that the file uses: type, enum,
 * properties, required, items, anyOf, $ref into $defs). A broken document must not pass.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <dirent.h>

#include <cjson/cJSON.h>
#include <cmocka.h>

static char program[1024];
static const cJSON *schema_root;
static char fault[512];

static char *read_stream(FILE *file)
{
    size_t capacity = 1 << 16, length = 0, got;
    char *text = malloc(capacity);
    assert_non_null(text);
    while ((got = fread(text + length, 1, capacity - length - 1, file)) > 0) {
        length += got;
        if (capacity - length < 4096) {
            text = realloc(text, capacity *= 2);
            assert_non_null(text);
        }
    }
    text[length] = '\0';
    return text;
}

static bool is_type(const cJSON *value, const char *type)
{
    if (strcmp(type, "integer") == 0)
        return cJSON_IsNumber(value) && value->valuedouble == (double)(long long)value->valuedouble;
    return (strcmp(type, "string") == 0 && cJSON_IsString(value)) ||
           (strcmp(type, "number") == 0 && cJSON_IsNumber(value)) ||
           (strcmp(type, "boolean") == 0 && cJSON_IsBool(value)) ||
           (strcmp(type, "null") == 0 && cJSON_IsNull(value)) ||
           (strcmp(type, "array") == 0 && cJSON_IsArray(value)) ||
           (strcmp(type, "object") == 0 && cJSON_IsObject(value));
}

static bool type_fits(const cJSON *value, const cJSON *type)
{
    const cJSON *one;
    if (cJSON_IsString(type))
        return is_type(value, type->valuestring);
    cJSON_ArrayForEach(one, type)
    {
        if (is_type(value, one->valuestring))
            return true;
    }
    return false;
}

static bool complain(const char *path, const char *what)
{
    snprintf(fault, sizeof fault, "%s: %s", path, what);
    return false;
}

static bool holds(const cJSON *value, const cJSON *schema, const char *path);

static bool members_hold(const cJSON *value, const cJSON *schema, const char *path)
{
    char inner[256];
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(schema, "required"))
    {
        if (!cJSON_GetObjectItemCaseSensitive(value, item->valuestring)) {
            snprintf(inner, sizeof inner, "%s/%s", path, item->valuestring);
            return complain(inner, "is missing");
        }
    }
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(schema, "properties"))
    {
        const cJSON *member = cJSON_GetObjectItemCaseSensitive(value, item->string);
        snprintf(inner, sizeof inner, "%s/%s", path, item->string);
        if (member && !holds(member, item, inner))
            return false;
    }
    return true;
}

static bool one_of(const cJSON *value, const cJSON *list, bool schemas, const char *path)
{
    const cJSON *item;
    cJSON_ArrayForEach(item, list)
    {
        if (schemas ? holds(value, item, path) : cJSON_Compare(value, item, true))
            return true;
    }
    return schemas ? false : complain(path, "is none of the words");
}

static bool holds(const cJSON *value, const cJSON *schema, const char *path)
{
    const cJSON *part = cJSON_GetObjectItemCaseSensitive(schema, "$ref"), *item;
    if (part)
        return holds(
            value,
            cJSON_GetObjectItemCaseSensitive(cJSON_GetObjectItemCaseSensitive(schema_root, "$defs"),
                                             strrchr(part->valuestring, '/') + 1),
            path);
    part = cJSON_GetObjectItemCaseSensitive(schema, "type");
    if (part && !type_fits(value, part))
        return complain(path, "has another type");
    part = cJSON_GetObjectItemCaseSensitive(schema, "enum");
    if (part && !one_of(value, part, false, path))
        return false;
    part = cJSON_GetObjectItemCaseSensitive(schema, "anyOf");
    if (part && !one_of(value, part, true, path))
        return false;
    if (cJSON_IsObject(value) && !members_hold(value, schema, path))
        return false;
    part = cJSON_GetObjectItemCaseSensitive(schema, "items");
    if (!part || !cJSON_IsArray(value))
        return true;
    cJSON_ArrayForEach(item, value)
    {
        if (!holds(item, part, path))
            return false;
    }
    return true;
}

static cJSON *audit(const char *name)
{
    char command[4096];
    snprintf(command, sizeof command, "'%s' --json '%s/incidents/%s/input' 2>/dev/null", program,
             JA_FIXTURES, name);
    FILE *pipe = popen(command, "r");
    assert_non_null(pipe);
    char *text = read_stream(pipe);
    pclose(pipe);
    cJSON *document = cJSON_Parse(text);
    free(text);
    assert_non_null(document);
    return document;
}

static void test_incidents_hold(void **state)
{
    (void)state;
    DIR *folder = opendir(JA_FIXTURES "/incidents");
    assert_non_null(folder);
    size_t count = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (entry->d_name[0] == '.')
            continue;
        cJSON *document = audit(entry->d_name);
        fault[0] = '\0';
        if (!holds(document, schema_root, ""))
            fail_msg("%s: %s", entry->d_name, fault);
        cJSON_Delete(document);
        count++;
    }
    closedir(folder);
    assert_true(count > 5);
}

static void test_a_broken_document_does_not(void **state)
{
    (void)state;
    cJSON *document = audit("jetsam-leak");
    cJSON *finding = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(document, "findings"), 0);
    assert_non_null(finding);
    cJSON_ReplaceItemInObjectCaseSensitive(finding, "grade", cJSON_CreateString("PROBABLE"));
    assert_false(holds(document, schema_root, ""));
    assert_string_equal(fault, "/findings/grade: is none of the words");
    cJSON_ReplaceItemInObjectCaseSensitive(finding, "grade", cJSON_CreateString("CONFIRMED"));
    assert_true(holds(document, schema_root, ""));
    cJSON_DeleteItemFromObjectCaseSensitive(document, "states");
    assert_false(holds(document, schema_root, ""));
    cJSON_Delete(document);
}

int main(int argc, char **argv)
{
    (void)argc;
    const char *slash = strrchr(argv[0], '/');
    snprintf(program, sizeof program, "%.*s../jetsam-audit", slash ? (int)(slash - argv[0]) + 1 : 0,
             argv[0]);
    FILE *file = fopen(JA_SOURCE_DIR "/share/audit.schema.json", "rb");
    if (!file)
        return 2;
    char *text = read_stream(file);
    fclose(file);
    schema_root = cJSON_Parse(text);
    free(text);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_incidents_hold),
        cmocka_unit_test(test_a_broken_document_does_not),
    };
    return schema_root ? cmocka_run_group_tests(tests, NULL, NULL) : 2;
}
