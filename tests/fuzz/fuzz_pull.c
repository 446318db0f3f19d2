/* SPDX-License-Identifier: MIT
 *
 * Rows pulled out of the text against rows read by cJSON: any bytes give the same evidence.
 */
#include "tests/fuzz/fuzz.h"
#include "tests/two_routes.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    prepare_once();
    char *text = malloc(size + 1);
    MUST(text);
    if (size)
        memcpy(text, data, size);
    text[size] = '\0';
    MUST(routes_agree(text, size));
    free(text);
    return 0;
}
