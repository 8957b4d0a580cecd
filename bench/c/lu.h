/* LU decomposition in right-looking blocks: a panel by elimination, a strip by
 * substitution, and the rest by the packed matrix product, all in one matrix. */
#ifndef LU_H
#define LU_H
#include "gemm.h"

static void panel(double *a, int n, int from, int width) {
    for (int k = from; k < from + width; k++) {
        const double *pivot = a + (size_t)k * n;
        double inverse = 1 / pivot[k];
        for (int i = k + 1; i < n; i++) {
            double *row = a + (size_t)i * n, factor = row[k] *= inverse;
            for (int j = k + 1; j < from + width; j++) row[j] -= factor * pivot[j];
        }
    }
}

/* Columns from+width … of the panel's rows; each thread takes some columns. */
static void strip(double *a, int n, int from, int width) {
#pragma omp parallel for schedule(static)
    for (int c = from + width; c < n; c += 64) {
        int end = c + 64 < n ? c + 64 : n;
        for (int i = from + 1; i < from + width; i++)
            for (int k = from; k < i; k++) {
                double factor = a[(size_t)i * n + k];
                const double *pivot = a + (size_t)k * n;
                double *row = a + (size_t)i * n;
                for (int j = c; j < end; j++) row[j] -= factor * pivot[j];
            }
    }
}

/* The decomposition of the n by n matrix in its place, by blocks of so many columns. */
static void lu(double *a, int n, int block, double *space) {
    for (int from = 0; from < n; from += block) {
        int width = n - from < block ? n - from : block, next = from + width, rest = n - next;
        panel(a, n, from, width);
        if (rest == 0) break;
        strip(a, n, from, width);
        gemm(rest, rest, width, -1, a + (size_t)next * n + from, n, a + (size_t)from * n + next, n,
             a + (size_t)next * n + next, n, space);
    }
}

static double dot(const double *a, const double *b, int from, int to) {
    double part[8] = {0}, sum = 0;
    int j = from;
    for (; j + 8 <= to; j += 8)
        for (int l = 0; l < 8; l++) part[l] += a[j + l] * b[j + l];
    for (; j < to; j++) sum += a[j] * b[j];
    for (int l = 0; l < 8; l++) sum += part[l];
    return sum;
}

/* A decomposition of the benchmarks' matrix, and its checks. */
struct decomposed {
    double *f;
    double logs, residual; /* the sum of the logarithms of the pivots; the largest error of L U x */
};

static struct decomposed decomposed(int n, int block) {
    size_t size = (size_t)n * (size_t)n;
    double *m = array_of(size, sizeof *m), *f = array_of(size, sizeof *f);
    double *space = gemm_space(n), *x = array_of((size_t)n, sizeof *x), *ux = array_of((size_t)n, sizeof *ux);
    for (uint32_t k = 0; k < (uint32_t)size; k++) {
        uint32_t r = (k + 1) % 1009;
        m[k] = (int32_t)(r * r % 1009) / 1009.0;
    }
    for (int i = 0; i < n; i++) m[(size_t)i * n + i] += n, x[i] = (i + 1) / (double)n;
    memcpy(f, m, size * sizeof *f);
    lu(f, n, block, space);
    double logs = 0, residual = 0;
    for (int i = 0; i < n; i++) {
        logs += log(f[(size_t)i * n + i]);
        ux[i] = dot(f + (size_t)i * n, x, i, n);
    }
    for (int i = 0; i < n; i++) {
        double r = dot(m + (size_t)i * n, x, 0, n) - dot(f + (size_t)i * n, ux, 0, i) - ux[i];
        residual = fabs(r) > residual ? fabs(r) : residual;
    }
    return (struct decomposed){f, logs, residual};
}
#endif
