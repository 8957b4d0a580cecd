/* Twin of testdata/programs/life.apl. Arguments: n, steps.
 * Timed: making the board, the steps and the sums. One byte a cell, sums
 * shared between neighbours in two directions, a halo in place of the torus,
 * two boards. */
#include "apl_out.h"

static int n, stride;

/* Copies the opposite edges of row i into its halo, and the row into the
 * halo rows where it is the first or the last. */
static void wrap_row(uint8_t *b, int i) {
    uint8_t *row = b + (size_t)(i + 1) * stride + 64;
    row[-1] = row[n - 1];
    row[n] = row[0];
    if (i == 0) memcpy(b + (size_t)(n + 1) * stride + 63, row - 1, (size_t)n + 2);
    if (i == n - 1) memcpy(b + 63, row - 1, (size_t)n + 2);
}

static void next_row(const uint8_t *restrict from, uint8_t *restrict to,
                     uint8_t *restrict sum, int i) {
    const uint8_t *up = from + (size_t)i * stride + 64;
    const uint8_t *here = up + stride, *down = here + stride;
    uint8_t *out = to + (size_t)(i + 1) * stride + 64;
    for (int j = -1; j <= n; j++) sum[j + 64] = (uint8_t)(up[j] + here[j] + down[j]);
    for (int j = 0; j < n; j++) {
        uint8_t s = (uint8_t)(sum[j + 63] + sum[j + 64] + sum[j + 65]);
        out[j] = (uint8_t)((s == 3) | (here[j] & (s == 4)));
    }
    wrap_row(to, i);
}

int main(int argc, char **argv) {
    n = (int)size_arg(argc, argv, 1, 20);
    int steps = (int)size_arg(argc, argv, 2, 10);
    double start = now_ms();
    stride = (n + 128 + 63) / 64 * 64;
    size_t bytes = (size_t)(n + 2) * (size_t)stride;
    uint8_t *from = array_of(bytes, 1), *to = array_of(bytes, 1);
    int64_t before = 0, after = 0, weighted = 0;
    for (int64_t k = 0; k < n; k++) {
        uint8_t *row = from + (size_t)(k + 1) * (size_t)stride + 64;
        uint32_t first = (uint32_t)(k * n % 1009);
        for (int j = 0; j < n; j++) {
            uint32_t r = (first + (uint32_t)j + 1) % 1009;
            row[j] = r * r % 1009 < 400;
            before += row[j];
        }
        wrap_row(from, (int)k);
    }
#pragma omp parallel
    {
        uint8_t *a = from, *b = to, *sum = array_of((size_t)stride + 128, 1);
        for (int s = 0; s < steps; s++) {
#pragma omp for schedule(static)
            for (int i = 0; i < n; i++) next_row(a, b, sum, i);
            uint8_t *t = a;
            a = b, b = t;
        }
        free(sum);
    }
    if (steps & 1) from = to;
    for (int i = 0; i < n; i++) {
        int32_t cells = 0;
        for (int j = 0; j < n; j++) cells += from[(size_t)(i + 1) * stride + 64 + j];
        after += cells;
        weighted += (int64_t)(i + 1) * cells;
    }
    report_ms(start);
    apl_print((double)before, (double)after, (double)weighted);
    double corner[200];
    for (int i = 0; i < 10; i++)
        for (int j = 0; j < 20; j++)
            corner[i * 20 + j] = i < n && j < n ? from[(size_t)(i + 1) * stride + 64 + j] : 0;
    apl_matrix(corner, 10, 20);
    return 0;
}
