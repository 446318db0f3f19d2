/* SPDX-License-Identifier: MIT
 *
 * How long verdicts take: 100,000 series of 30 readings (aim: 15 s on one core), and one series
 * of 100,000 readings (aim: 1 s). Not a test: machines differ.
 */
#include "model/growth.h"
#include "model/quantity.h"

#include <stdio.h>
#include <time.h>

#define SERIES 100000
#define READINGS 30
#define LONG 100000
#define SECOND ((int64_t)1000000000)

static uint32_t state = 1;

static int64_t noise(int64_t most)
{
    state ^= state << 13;
    state ^= state >> 17;
    state ^= state << 5;
    return (int64_t)(state % (uint32_t)(most + 1));
}

/* Level, line, steps, sawtooth and warm-up in turn, with noise and coarse digits. */
static int64_t truth(int kind, int64_t i, int64_t count)
{
    int64_t base = 500 * JA_MIB, part = i * 1000 / count;
    switch (kind) {
    case 0:
        return base + noise(JA_MIB);
    case 1:
        return base + part * JA_MIB / 10 + noise(4 * JA_MIB);
    case 2:
        return base + part / 200 * 30 * JA_MIB;
    case 3:
        return base + part % 250 * JA_MIB / 5 + noise(JA_MIB);
    default:
        return base + (part < 300 ? part : 300) * JA_MIB + noise(2 * JA_MIB);
    }
}

static void make(struct ja_growth_point *points, struct ja_growth_work *work, int kind, int count)
{
    for (int i = 0; i < count; i++) {
        struct ja_quantity value = {truth(kind, i, count) / 4096 * 4096, 4096, JA_ROUNDING_DOWN};
        int64_t at = i * 60 * SECOND + noise(1000000) * 1000;
        points[i] = (struct ja_growth_point){0, 0, at, at, 4096};
        ja_quantity_interval(value, &points[i].low_bytes, &points[i].high_bytes);
        work[i] = (struct ja_growth_work){at, at, 100.0 * i};
    }
}

static double judge(struct ja_arena *scratch, const struct ja_growth_point *points,
                    const struct ja_growth_work *work, size_t count, unsigned *verdicts)
{
    struct ja_growth_life life = {points, count, work, count, points[0].early_ns - SECOND};
    struct ja_growth_input input = {.lives = &life,
                                    .life_count = 1,
                                    .concern_bytes_per_hour = 50.0 * (double)JA_MIB,
                                    .limit_bytes = 16 * JA_GIB,
                                    .dated = true};
    struct ja_growth growth;
    clock_t start = clock();
    ja_growth_judge(&input, scratch, &growth);
    verdicts[growth.verdict]++;
    ja_arena_reset(scratch);
    return (double)(clock() - start) / CLOCKS_PER_SEC;
}

int main(void)
{
    static struct ja_growth_point points[LONG];
    static struct ja_growth_work work[LONG];
    struct ja_arena *scratch = ja_arena_new();
    unsigned verdicts[3] = {0};
    double sum = 0, longest = 0;
    for (int i = 0; i < SERIES; i++) {
        make(points, work, i % 5, READINGS);
        sum += judge(scratch, points, work, READINGS, verdicts);
    }
    printf("%d series of %d readings: %.2f s (%u cannot tell, %u growing, %u not growing)\n",
           SERIES, READINGS, sum, verdicts[JA_CANNOT_TELL], verdicts[JA_GROWING],
           verdicts[JA_NOT_GROWING]);
    for (int kind = 0; kind < 5; kind++) {
        make(points, work, kind, LONG);
        double seconds = judge(scratch, points, work, LONG, verdicts);
        printf("one series of %d readings, kind %d: %.3f s\n", LONG, kind, seconds);
        longest = seconds > longest ? seconds : longest;
    }
    ja_arena_free(scratch);
    return sum < 15 && longest < 1 ? 0 : 1;
}
