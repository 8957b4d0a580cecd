/* C += sign × A×B for row-major doubles: packed panels and a register block of
 * 6×8. Used by the twins matmul, matmuldot and lu. */
#ifndef GEMM_H
#define GEMM_H
#include "apl_out.h"

enum { MR = 6, NR = 8, MC = 96, KC = 256 };

/* One MR×NR block: a holds k columns of MR, b holds k rows of NR. */
static inline void gemm_block(int k, const double *restrict a, const double *restrict b,
                              v4 acc[MR][2]) {
    v4 c00 = {0}, c01 = {0}, c10 = {0}, c11 = {0}, c20 = {0}, c21 = {0};
    v4 c30 = {0}, c31 = {0}, c40 = {0}, c41 = {0}, c50 = {0}, c51 = {0};
    for (int p = 0; p < k; p++, a += MR, b += NR) {
        v4 b0 = *(const v4 *)b, b1 = *(const v4 *)(b + 4);
        c00 += a[0] * b0, c01 += a[0] * b1;
        c10 += a[1] * b0, c11 += a[1] * b1;
        c20 += a[2] * b0, c21 += a[2] * b1;
        c30 += a[3] * b0, c31 += a[3] * b1;
        c40 += a[4] * b0, c41 += a[4] * b1;
        c50 += a[5] * b0, c51 += a[5] * b1;
    }
    acc[0][0] = c00, acc[0][1] = c01, acc[1][0] = c10, acc[1][1] = c11;
    acc[2][0] = c20, acc[2][1] = c21, acc[3][0] = c30, acc[3][1] = c31;
    acc[4][0] = c40, acc[4][1] = c41, acc[5][0] = c50, acc[5][1] = c51;
}

static inline void gemm_add(double *c, int ldc, int rows, int cols, double sign,
                            v4 acc[MR][2]) {
    if (rows == MR && cols == NR) {
        for (int i = 0; i < MR; i++)
            for (int h = 0; h < 2; h++) {
                v4u *out = (v4u *)(c + (size_t)i * ldc + 4 * h);
                *out += sign * acc[i][h];
            }
        return;
    }
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++) c[(size_t)i * ldc + j] += sign * acc[i][j / 4][j % 4];
}

/* Rows i0… of A, k columns from p0, as panels of MR rows, padded with 0. */
static inline void gemm_pack_a(const double *a, int lda, int rows, int k, double *out) {
    for (int i = 0; i < rows; i += MR)
        for (int p = 0; p < k; p++)
            for (int r = 0; r < MR; r++)
                *out++ = i + r < rows ? a[(size_t)(i + r) * lda + p] : 0;
}

static inline void gemm_pack_b_panel(const double *b, int ldb, int k, int cols, double *out) {
    for (int p = 0; p < k; p++, out += NR)
        for (int j = 0; j < NR; j++) out[j] = j < cols ? b[(size_t)p * ldb + j] : 0;
}

/* Space for gemm's packed panels of B. */
static inline double *gemm_space(int n) {
    return array_of((size_t)KC * (size_t)((n + NR - 1) / NR * NR), sizeof(double));
}

/* Call from one thread; it starts its own team. */
static inline void gemm(int m, int n, int k, double sign, const double *a, int lda,
                        const double *b, int ldb, double *c, int ldc, double *space) {
    int panels = (n + NR - 1) / NR, blocks = (m + MC - 1) / MC;
#pragma omp parallel
    {
        double *pa = array_of((size_t)MC * KC, sizeof *pa);
        for (int p0 = 0; p0 < k; p0 += KC) {
            int kk = k - p0 < KC ? k - p0 : KC;
#pragma omp for schedule(static)
            for (int j = 0; j < panels; j++)
                gemm_pack_b_panel(b + (size_t)p0 * ldb + j * NR, ldb, kk,
                                  n - j * NR < NR ? n - j * NR : NR,
                                  space + (size_t)j * NR * kk);
#pragma omp for schedule(dynamic)
            for (int ib = 0; ib < blocks; ib++) {
                int i0 = ib * MC, rows = m - i0 < MC ? m - i0 : MC;
                gemm_pack_a(a + (size_t)i0 * lda + p0, lda, rows, kk, pa);
                for (int j = 0; j < panels; j++)
                    for (int i = 0; i < rows; i += MR) {
                        v4 acc[MR][2];
                        gemm_block(kk, pa + (size_t)i * kk, space + (size_t)j * NR * kk, acc);
                        gemm_add(c + (size_t)(i0 + i) * ldc + j * NR, ldc,
                                 rows - i < MR ? rows - i : MR,
                                 n - j * NR < NR ? n - j * NR : NR, sign, acc);
                    }
            }
        }
        free(pa);
    }
}
#endif
