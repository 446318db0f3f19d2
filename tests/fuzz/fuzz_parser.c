/* SPDX-License-Identifier: MIT
 *
 * One parser (JA_FUZZ_PARSER, a row of the table) on any bytes: asked to bid, then forced to read.
 */
#include "tests/fuzz/fuzz.h"

extern const struct ja_parser JA_FUZZ_PARSER;

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    prepare_once();
    ja_evidence_free(parse_bytes(data, size, "input", &JA_FUZZ_PARSER));
    return 0;
}
