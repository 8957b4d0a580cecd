/* Twin of testdata/programs/kmeans.apl. Arguments: n, rounds.
 * Timed: the whole computation. Points lie in groups of eight with the
 * coordinate as the outer axis, so that eight distances are made at once;
 * nothing of size n×k is stored. */
#include "apl_out.h"

enum { D = 8, K = 16, G = 8 };

typedef double group[D][G];

static inline uint32_t element(uint64_t i) {
    const uint64_t p = 2147483647;
    uint64_t x = i * 630360016;
    x = (x & p) + (x >> 31);
    x = (x & p) + (x >> 31);
    return (uint32_t)(x >= p ? x - p : x);
}

typedef int64_t m4 __attribute__((vector_size(32)));

/* The nearest centres of eight points; the first of equals. */
static inline void nearest(group p, double centre[K][D], m4 best[2]) {
    v4 least[2] = {{INFINITY, INFINITY, INFINITY, INFINITY}, {INFINITY, INFINITY, INFINITY, INFINITY}};
    v4 x[D][2];
    memcpy(x, p, sizeof x);
    best[0] = best[1] = (m4){0};
    for (int64_t c = 0; c < K; c++) {
        v4 far[2] = {{0}};
#pragma GCC unroll 8
        for (int d = 0; d < D; d++) {
            v4 a = x[d][0] - centre[c][d], b = x[d][1] - centre[c][d];
            far[0] += a * a;
            far[1] += b * b;
        }
        for (int h = 0; h < 2; h++) {
            m4 closer = far[h] < least[h];
            best[h] = (closer & c) | (~closer & best[h]);
            least[h] = (v4)((closer & (m4)far[h]) | (~closer & (m4)least[h]));
        }
    }
}

/* Counts the points of every cluster and sums their coordinates. */
static void assign(group *points, int64_t n, double centre[K][D], double sums[K][D], double size[K]) {
    memset(sums, 0, sizeof(double[K][D]));
    memset(size, 0, sizeof(double[K]));
#pragma omp parallel
    {
        double mine[K][D] = {{0}}, count[K] = {0};
#pragma omp for schedule(static)
        for (int64_t g = 0; g < (n + G - 1) / G; g++) {
            m4 lanes[2];
            int64_t best[G];
            nearest(points[g], centre, lanes);
            memcpy(best, lanes, sizeof best);
            int here = n - g * G < G ? (int)(n - g * G) : G;
            for (int j = 0; j < here; j++) {
                count[best[j]]++;
                for (int d = 0; d < D; d++) mine[best[j]][d] += points[g][d][j];
            }
        }
#pragma omp critical
        for (int c = 0; c < K; c++) {
            size[c] += count[c];
            for (int d = 0; d < D; d++) sums[c][d] += mine[c][d];
        }
    }
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 500);
    int rounds = (int)size_arg(argc, argv, 2, 5);
    double start = now_ms();
    int64_t groups = (n + G - 1) / G;
    group *points = array_of((size_t)groups, sizeof *points);
#pragma omp parallel for schedule(static)
    for (int64_t g = 0; g < groups; g++)
        for (int j = 0; j < G; j++)
            for (int d = 0; d < D; d++)
                points[g][d][j] = element((uint64_t)((g * G + j) * D + d + 1)) / 2147483647.0;
    double centre[K][D], sums[K][D], size[K];
    for (int c = 0; c < K; c++)
        for (int d = 0; d < D; d++) centre[c][d] = points[c / G][d][c % G];
    for (int r = 0; r < rounds; r++) {
        assign(points, n, centre, sums, size);
        for (int c = 0; c < K; c++)
            for (int d = 0; d < D; d++) centre[c][d] = sums[c][d] / (size[c] > 1 ? size[c] : 1);
    }
    assign(points, n, centre, sums, size);
    report_ms(start);
    apl_vector(size, 8);
    apl_vector(size + 8, 8);
    for (int c = 0; c < K; c += K - 1) {
        double row[D];
        for (int d = 0; d < D; d++) row[d] = apl_round(5, centre[c][d]);
        apl_vector(row, D);
    }
    return 0;
}
