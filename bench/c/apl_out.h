/* Output in the format of Dyalog APL with ⎕PP←10, and the timer, shared by
 * the hand-written C twins of the programs in testdata/programs. */
#ifndef APL_OUT_H
#define APL_OUT_H
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

/* Writes x with at most 10 significant digits, ¯ for minus, no trailing
 * zeros, and an exponent where the plain form would need more than ten
 * digits before the point or more than five zeros after it. */
static inline void apl_format(char *out, double x) {
    char e[40], digits[16];
    if (x == 0) {
        strcpy(out, "0");
        return;
    }
    snprintf(e, sizeof e, "%.9e", x < 0 ? -x : x);
    int exponent = atoi(strchr(e, 'e') + 1), n = 10;
    digits[0] = e[0];
    memcpy(digits + 1, e + 2, 9);
    while (n > 1 && digits[n - 1] == '0') n--;
    if (x < 0) out += sprintf(out, "¯");
    if (exponent >= 10 || exponent < -6) {
        *out++ = digits[0];
        if (n > 1) out += sprintf(out, ".%.*s", n - 1, digits + 1);
        sprintf(out, exponent < 0 ? "E¯%d" : "E%d", abs(exponent));
    } else if (exponent < 0) {
        out += sprintf(out, "0.");
        for (int i = 1; i < -exponent; i++) *out++ = '0';
        sprintf(out, "%.*s", n, digits);
    } else {
        for (int i = 0; i <= exponent; i++) *out++ = i < n ? digits[i] : '0';
        if (n > exponent + 1)
            sprintf(out, ".%.*s", n - exponent - 1, digits + exponent + 1);
        else
            *out = 0;
    }
}

/* Prints a simple vector on one line (it must fit ⎕PW←79). */
static inline void apl_vector(const double *v, int n) {
    char s[64];
    for (int i = 0; i < n; i++) {
        apl_format(s, v[i]);
        printf("%s%s", i ? " " : "", s);
    }
    putchar('\n');
}

static inline void apl_scalar(double x) { apl_vector(&x, 1); }

#define apl_print(...)                                       \
    apl_vector((const double[]){__VA_ARGS__},                \
               (int)(sizeof((const double[]){__VA_ARGS__}) / sizeof(double)))

/* Prints a matrix of non-negative integers, columns right-aligned. */
static inline void apl_matrix(const double *m, int rows, int cols) {
    int *width = calloc((size_t)cols, sizeof *width);
    char s[64];
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            apl_format(s, m[i * cols + j]);
            int w = (int)strlen(s);
            if (w > width[j]) width[j] = w;
        }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) {
            apl_format(s, m[i * cols + j]);
            printf("%s%*s%s", j ? " " : "", width[j], s, j == cols - 1 ? "\n" : "");
        }
    free(width);
}

/* round←{(⌊0.5+⍵×10*⍺)÷10*⍺} */
static inline double apl_round(int places, double x) {
    double p = 1;
    while (places-- > 0) p *= 10;
    return floor(0.5 + x * p) / p;
}

static inline double now_ms(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Reports the time since start, and the most memory that the process has had;
 * getrusage would count what the process was before it became this program. */
static inline void report_ms(double start) {
    fprintf(stderr, "time_ms: %.6f\n", now_ms() - start);
    char line[128];
    long kb;
    FILE *f = fopen("/proc/self/status", "r");
    if (!f) return;
    while (fgets(line, sizeof line, f))
        if (sscanf(line, "VmHWM: %ld", &kb) == 1) fprintf(stderr, "peak_kb: %ld\n", kb);
    fclose(f);
}

/* The i-th command-line argument as an integer, or the test size. */
static inline int64_t size_arg(int argc, char **argv, int i, int64_t test) {
    return argc > i ? strtoll(argv[i], 0, 10) : test;
}

/* Aligned for the widest vectors, on huge pages where it is large; the program
 * ends with its arrays. */
static inline void *array_of(size_t count, size_t size) {
    size_t bytes = count * size, unit = bytes < (1 << 22) ? 64 : 1 << 21;
    void *p = aligned_alloc(unit, (bytes + unit) / unit * unit);
    if (!p) {
        fprintf(stderr, "WS FULL\n");
        exit(1);
    }
#ifdef MADV_HUGEPAGE
    if (unit > 64) madvise(p, bytes, MADV_HUGEPAGE);
#endif
    return p;
}

/* Four doubles, aligned and not. */
typedef double v4 __attribute__((vector_size(32)));
typedef double v4u __attribute__((vector_size(32), aligned(8)));

/* The lesser and the greater, lane by lane; gcc makes branches or blends of
 * the conditional operator where two stand in a row. */
#ifdef __AVX__
static inline v4 v4_min(v4 a, v4 b) { return __builtin_ia32_minpd256(a, b); }
static inline v4 v4_max(v4 a, v4 b) { return __builtin_ia32_maxpd256(a, b); }
#else
static inline v4 v4_min(v4 a, v4 b) {
    for (int l = 0; l < 4; l++) a[l] = a[l] < b[l] ? a[l] : b[l];
    return a;
}
static inline v4 v4_max(v4 a, v4 b) {
    for (int l = 0; l < 4; l++) a[l] = a[l] > b[l] ? a[l] : b[l];
    return a;
}
#endif

/* glibc declares the vector variants of these only under -ffast-math. */
#if defined(__GNUC__) && !defined(__clang__) && defined(__x86_64__)
#define APL_SIMD __attribute__((simd("notinbranch"), const, nothrow))
extern double exp(double) APL_SIMD;
extern double log(double) APL_SIMD;
extern double sin(double) APL_SIMD;
extern double cos(double) APL_SIMD;
#endif

#endif
