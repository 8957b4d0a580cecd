/* Twin of attention.apl. Arguments: rows, columns. Keys come in blocks with running maxima
 * and sums, so that no product of queries and keys is stored but that of a block; both
 * products have four rows by sixteen columns in registers. */
#include "../c/apl_out.h"

enum { ROWS = 4, KEYS = 64, WIDE = 16, MOST = 256 };
typedef double v8 __attribute__((vector_size(64), aligned(8)));

/* c[ROWS][columns] += a[ROWS][terms] × b[terms][columns], columns a multiple of WIDE or not */
static void product(double *restrict c, int64_t cs, const double *restrict a, int64_t as, const double *restrict b, int64_t bs, int64_t terms, int64_t columns) {
    int64_t j = 0;
    for (; j + WIDE <= columns; j += WIDE) {
        v8 s[ROWS][2];
        for (int r = 0; r < ROWS; r++)
            for (int h = 0; h < 2; h++) s[r][h] = *(const v8 *)(c + r * cs + j + 8 * h);
        for (int64_t t = 0; t < terms; t++) {
            v8 x = *(const v8 *)(b + t * bs + j), y = *(const v8 *)(b + t * bs + j + 8);
            for (int r = 0; r < ROWS; r++) {
                s[r][0] += a[r * as + t] * x;
                s[r][1] += a[r * as + t] * y;
            }
        }
        for (int r = 0; r < ROWS; r++)
            for (int h = 0; h < 2; h++) *(v8 *)(c + r * cs + j + 8 * h) = s[r][h];
    }
    for (; j < columns; j++)
        for (int r = 0; r < ROWS; r++)
            for (int64_t t = 0; t < terms; t++) c[r * cs + j] += a[r * as + t] * b[t * bs + j];
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 32), d = size_arg(argc, argv, 2, 8);
    double start = now_ms();
    if (d > MOST || n % ROWS) return 1;
    size_t all = (size_t)(n * d);
    double *q = array_of(all, sizeof *q), *k = array_of(all, sizeof *k), *v = array_of(all, sizeof *v), *o = array_of(all, sizeof *o);
    double root = 1 / sqrt((double)d);
    for (int64_t r = 0; r < n; r++)
        for (int64_t c = 0; c < d; c++) {
            int64_t i = r * d + c + 1;
            q[i - 1] = (-1 + 2 * ((double)(i * i % 1009) / 1009)) * root;
            k[c * n + r] = -1 + 2 * ((double)(7 * i % 997) / 997); /* transposed */
            v[i - 1] = -1 + 2 * ((double)(3 * i * i % 991) / 991);
        }
#pragma omp parallel for
    for (int64_t r = 0; r < n; r += ROWS) {
        double most[ROWS], sum[ROWS], out[ROWS][MOST] = {{0}}, p[ROWS][KEYS];
        for (int i = 0; i < ROWS; i++) most[i] = -INFINITY, sum[i] = 0;
        for (int64_t from = 0; from < n; from += KEYS) {
            int64_t w = n - from < KEYS ? n - from : KEYS;
            memset(p, 0, sizeof p);
            product(p[0], KEYS, q + r * d, d, k + from, n, d, w);
            for (int i = 0; i < ROWS; i++) {
                double m = most[i], s = 0;
                for (int64_t j = 0; j < w; j++) m = p[i][j] > m ? p[i][j] : m;
                double scale = exp(most[i] - m);
#pragma omp simd reduction(+ : s)
                for (int64_t j = 0; j < w; j++) {
                    p[i][j] = exp(p[i][j] - m);
                    s += p[i][j];
                }
                sum[i] = sum[i] * scale + s;
                most[i] = m;
                if (scale != 1)
                    for (int64_t c = 0; c < d; c++) out[i][c] *= scale;
            }
            product(out[0], MOST, p[0], KEYS, v + from * d, d, w, d);
        }
        for (int i = 0; i < ROWS; i++)
            for (int64_t c = 0; c < d; c++) o[(r + i) * d + c] = out[i][c] / sum[i];
    }
    double total = 0, high = -INFINITY, low = INFINITY, squares = 0;
    for (size_t i = 0; i < all; i++) {
        total += o[i];
        squares += o[i] * o[i];
        high = o[i] > high ? o[i] : high;
        low = o[i] < low ? o[i] : low;
    }
    report_ms(start);
    double results[] = {total, high, low, squares, o[(n - 1) * d], o[(n - 1) * d + 1]};
    for (int i = 0; i < 6; i++) results[i] = floor(0.5 + 1e9 * results[i]);
    apl_vector(results, 6);
    return 0;
}
