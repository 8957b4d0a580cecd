/* Twin of testdata/programs/minplus.apl. Arguments: n.
 * Timed: making the matrix, the product and the sums. In 32-bit integers,
 * which the sums fit; panels of the right argument stay in the second-level
 * cache, and blocks of 5×16 results in registers. */
#include "apl_out.h"

enum { ROWS = 5, NR = 16, DEPTH = 256 };

typedef int32_t i8 __attribute__((vector_size(32)));

static inline i8 least(i8 a, i8 b) {
    i8 m;
    for (int l = 0; l < 8; l++) m[l] = a[l] < b[l] ? a[l] : b[l];
    return m;
}

typedef int32_t i8u __attribute__((vector_size(32), aligned(4)));

/* ROWS×NR results ⌊= ROWS rows of a ⌊.+ panel, which holds depth rows of NR. */
static void block(int depth, const int32_t *a, int lda, const int32_t *restrict panel, int32_t *c,
                  int ldc) {
    i8 m[ROWS][2];
#pragma GCC unroll 8
    for (int r = 0; r < ROWS; r++) {
        m[r][0] = *(i8u *)(c + (size_t)r * ldc);
        m[r][1] = *(i8u *)(c + (size_t)r * ldc + 8);
    }
    for (int k = 0; k < depth; k++, panel += NR) {
        i8 b0 = *(const i8u *)panel, b1 = *(const i8u *)(panel + 8);
#pragma GCC unroll 8
        for (int r = 0; r < ROWS; r++) {
            int32_t x = a[(size_t)r * lda + k];
            m[r][0] = least(m[r][0], b0 + x);
            m[r][1] = least(m[r][1], b1 + x);
        }
    }
#pragma GCC unroll 8
    for (int r = 0; r < ROWS; r++) {
        *(i8u *)(c + (size_t)r * ldc) = m[r][0];
        *(i8u *)(c + (size_t)r * ldc + 8) = m[r][1];
    }
}

int main(int argc, char **argv) {
    int n = (int)size_arg(argc, argv, 1, 16);
    double start = now_ms();
    /* Padded to whole blocks; padding rows and columns are never looked at. */
    int rows = (n + ROWS - 1) / ROWS * ROWS, cols = (n + NR - 1) / NR * NR;
    int32_t *edge = array_of((size_t)rows * (size_t)cols, sizeof *edge);
    int32_t *two = array_of((size_t)rows * (size_t)cols, sizeof *two);
    memset(edge, 0, (size_t)rows * (size_t)cols * sizeof *edge);
    memset(two, 127, (size_t)rows * (size_t)cols * sizeof *two);
    int64_t edges = 0, sum = 0, first = 0;
    int32_t most = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            uint32_t r = ((uint32_t)i * (uint32_t)n + (uint32_t)j + 1) % 1009;
            int32_t e = i == j ? 0 : 1 + (int32_t)(r * r % 1009);
            edge[(size_t)i * cols + j] = e;
            edges += e;
        }
#pragma omp parallel
    {
        int32_t *panel = array_of((size_t)DEPTH * NR, sizeof *panel);
#pragma omp for schedule(static)
        for (int j = 0; j < cols; j += NR)
            for (int k = 0; k < n; k += DEPTH) {
                int depth = n - k < DEPTH ? n - k : DEPTH;
                for (int p = 0; p < depth; p++)
                    memcpy(panel + p * NR, edge + (size_t)(k + p) * cols + j, NR * sizeof *panel);
                for (int i = 0; i < rows; i += ROWS)
                    block(depth, edge + (size_t)i * cols + k, cols, panel, two + (size_t)i * cols + j, cols);
            }
        free(panel);
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            int32_t t = two[(size_t)i * cols + j];
            sum += t;
            most = t > most ? t : most;
        }
    for (int j = 0; j < n; j++) first += two[j];
    report_ms(start);
    apl_print((double)edges, (double)sum, most, (double)first);
    double top[10], bottom[10];
    for (int j = 0; j < 10; j++) top[j] = two[j], bottom[j] = two[(size_t)(n - 1) * cols + j];
    apl_vector(top, 10);
    apl_vector(bottom, 10);
    return 0;
}
