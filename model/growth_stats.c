/* SPDX-License-Identifier: MIT
 *
 * Kendall's exact null distribution, Student's t. No tables of foreign numbers: what is looked up
 * here was computed here, once.
 */
#include "model/growth_parts.h"

#include <math.h>
#include <pthread.h>
#include <string.h>

#define EXACT_MOST 60      /* readings up to which Kendall's distribution is exact */
#define EXACT_VALUES 36051 /* sum of m(m-1)/2+1 for m = 0..60 */
#define FEW_MOST 20        /* readings whose tables are always made: the effort grows with m^4 */
#define QUANTILE_MOST 8    /* Student's interval is that of 10 effective readings at most */

static const double levels[] = {JA_LEVEL_REPORT, JA_LEVEL_LATE, JA_LEVEL_WINDOW, JA_LEVEL_FEW};
enum { LEVELS = sizeof levels / sizeof *levels };

/* Written once, before anyone reads them: of few readings, and when they are asked for, of more. */
static pthread_once_t tables_once = PTHREAD_ONCE_INIT;
static pthread_once_t more_once = PTHREAD_ONCE_INIT;
static double cumulative[EXACT_VALUES];
static size_t cumulative_start[EXACT_MOST + 1];
static double quantiles[QUANTILE_MOST + 1][LEVELS];
static double criticals[EXACT_MOST + 1][LEVELS];
static double time_constants[JA_TIME_CONSTANTS];

/* Inversions of m items: the product of (1 + x + .. + x^(k-1))/k; here its running sums. Of no
 * items up to so many, or on from where the call before ended. */
static void make_kendall(size_t from, size_t to)
{
    static double now[EXACT_MOST * (EXACT_MOST - 1) / 2 + 1] = {1};
    static double next[EXACT_MOST * (EXACT_MOST - 1) / 2 + 1];
    static size_t start;
    for (size_t m = from; m <= to; m++) {
        size_t size = m * (m - (m > 0)) / 2 + 1;
        if (m >= 2) {
            size_t before = (m - 1) * (m - 2) / 2 + 1;
            memset(next, 0, size * sizeof *next);
            for (size_t i = 0; i < before; i++)
                for (size_t q = 0; q < m; q++)
                    next[i + q] += now[i] / (double)m;
            memcpy(now, next, size * sizeof *now);
        }
        cumulative_start[m] = start;
        double sum = 0;
        for (size_t i = 0; i < size; i++)
            cumulative[start++] = sum += now[i];
    }
}

/* P(S >= rank) for m untied exchangeable values; the table is there. */
static double kendall_tail(size_t m, double rank)
{
    if (m < 2)
        return 1;
    double n = (double)m, pairs = n * (n - 1) / 2;
    if (m > EXACT_MOST) {
        double variance = n * (n - 1) * (2 * n + 5) / 18;
        return 0.5 * erfc((rank - 1) / sqrt(2 * variance));
    }
    double k = floor((pairs - rank) / 2 + 1e-9); /* S = pairs - 2 inversions */
    if (k < 0)
        return 0;
    if (k >= pairs)
        return 1;
    return fmin(1, cumulative[cumulative_start[m] + (size_t)k]);
}

/* The smallest tau whose tail is at most alpha; NaN when no tail is that small. */
static double find_critical(size_t m, double alpha)
{
    size_t pairs = m * (m - 1) / 2;
    if (kendall_tail(m, (double)pairs) > alpha)
        return NAN;
    size_t good = 0, bad = pairs / 2 + 1; /* inversions: the tail grows with them */
    while (bad - good > 1) {
        size_t k = good + (bad - good) / 2;
        if (kendall_tail(m, (double)(pairs - 2 * k)) <= alpha)
            good = k;
        else
            bad = k;
    }
    return (double)(pairs - 2 * good) / (double)pairs;
}

static double find_quantile(size_t freedom, double alpha)
{
    double a = 0, b = 1;
    while (ja_student_tail(b, freedom) > alpha)
        b *= 2;
    for (int i = 0; i < 200 && b - a > 1e-15 * b; i++) {
        double c = (a + b) / 2;
        if (ja_student_tail(c, freedom) > alpha)
            a = c;
        else
            b = c;
    }
    return (a + b) / 2;
}

static void make_criticals(size_t from, size_t to)
{
    for (size_t m = from; m <= to; m++)
        for (size_t i = 0; i < LEVELS; i++)
            criticals[m][i] = find_critical(m, levels[i]);
}

static void make_more(void)
{
    make_kendall(FEW_MOST + 1, EXACT_MOST);
    make_criticals(FEW_MOST + 1, EXACT_MOST);
}

static void make_tables(void)
{
    make_kendall(0, FEW_MOST);
    for (size_t i = 0; i < JA_TIME_CONSTANTS; i++)
        time_constants[i] = pow(8, (double)i / (JA_TIME_CONSTANTS - 1)) / 20;
    make_criticals(2, FEW_MOST);
    for (size_t freedom = 1; freedom <= QUANTILE_MOST; freedom++)
        for (size_t i = 0; i < LEVELS; i++)
            quantiles[freedom][i] = find_quantile(freedom, levels[i]);
}

static void need_tables(size_t m)
{
    pthread_once(&tables_once, make_tables);
    if (m > FEW_MOST && m <= EXACT_MOST)
        pthread_once(&more_once, make_more);
}

const double *ja_time_constants(void)
{
    pthread_once(&tables_once, make_tables);
    return time_constants;
}

const double *ja_kendall_cumulative(size_t m)
{
    if (m > EXACT_MOST)
        return NULL;
    need_tables(m);
    return &cumulative[cumulative_start[m]];
}

/* Continued fraction of the incomplete beta function, by Lentz's method. */
static double beta_fraction(double a, double b, double x)
{
    double c = 1, d = 1 / (1 - (a + b) * x / (a + 1)), f = d;
    for (int i = 1; i < 300; i++) {
        double n = i * (b - i) * x / ((a + 2 * i - 1) * (a + 2 * i));
        d = 1 / (1 + n * d);
        c = 1 + n / c;
        f *= d * c;
        n = -(a + i) * (a + b + i) * x / ((a + 2 * i) * (a + 2 * i + 1));
        d = 1 / (1 + n * d);
        c = 1 + n / c;
        f *= d * c;
        if (fabs(d * c - 1) < 1e-15)
            break;
    }
    return f;
}

/* 1/B(freedom/2, 1/2), by its recursion from 1/pi and 1/2 (lgamma keeps a global sign). */
static double beta_inverse(size_t freedom)
{
    double value = freedom % 2 ? 0.31830988618379067154 : 0.5;
    for (size_t k = freedom % 2 ? 1 : 2; k < freedom; k += 2)
        value *= (double)(k + 1) / (double)k;
    return value;
}

/* P(T >= t) */
double ja_student_tail(double t, size_t freedom)
{
    if (t < 0)
        return 1 - ja_student_tail(-t, freedom);
    if (isinf(t))
        return 0;
    double a = (double)freedom / 2, b = 0.5, x = (double)freedom / ((double)freedom + t * t);
    if (!(x < 1))
        return 0.5;
    double front = pow(x, a) * sqrt(1 - x) * beta_inverse(freedom);
    double area = x < (a + 1) / (a + b + 2) ? front * beta_fraction(a, b, x) / a
                                            : 1 - front * beta_fraction(b, a, 1 - x) / b;
    return 0.5 * area;
}

double ja_student_quantile(size_t freedom, double alpha)
{
    if (freedom <= QUANTILE_MOST) {
        pthread_once(&tables_once, make_tables);
        for (size_t i = 0; i < LEVELS; i++)
            if (alpha == levels[i])
                return quantiles[freedom][i];
    }
    return find_quantile(freedom, alpha);
}

double ja_kendall_tail(size_t m, double rank)
{
    need_tables(m);
    return kendall_tail(m, rank);
}

double ja_kendall_critical(size_t m, double alpha)
{
    if (m < 2)
        return NAN;
    need_tables(m);
    if (m <= EXACT_MOST) {
        for (size_t i = 0; i < LEVELS; i++)
            if (alpha == levels[i])
                return criticals[m][i];
    }
    return find_critical(m, alpha);
}
