/* Twin of lud.apl. Arguments: p, b. Right-looking blocks: a panel by elimination, a strip by
 * substitution, and the rest by the packed matrix product, all in one matrix. */
#include "../c/gemm.h"

static void panel(double *a, int n, int from, int to) {
    for (int k = from; k < to; k++) {
        const double *pivot = a + (size_t)k * n;
        double inverse = 1 / pivot[k];
        for (int i = k + 1; i < n; i++) {
            double *row = a + (size_t)i * n, factor = row[k] *= inverse;
            for (int j = k + 1; j < to; j++) row[j] -= factor * pivot[j];
        }
    }
}

/* The columns behind the panel, of its rows; each thread takes some of them. */
static void strip(double *a, int n, int from, int to) {
#pragma omp parallel for schedule(static)
    for (int c = to; c < n; c += 64) {
        int end = c + 64 < n ? c + 64 : n;
        for (int i = from + 1; i < to; i++)
            for (int k = from; k < i; k++) {
                double factor = a[(size_t)i * n + k];
                const double *pivot = a + (size_t)k * n;
                double *row = a + (size_t)i * n;
                for (int j = c; j < end; j++) row[j] -= factor * pivot[j];
            }
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

int main(int argc, char **argv) {
    int p = (int)size_arg(argc, argv, 1, 3), b = (int)size_arg(argc, argv, 2, 8), n = p * b;
    double start = now_ms();
    size_t size = (size_t)n * (size_t)n;
    double *m = array_of(size, sizeof *m), *f = array_of(size, sizeof *f);
    double *space = gemm_space(n), *x = array_of((size_t)n, sizeof *x), *ux = array_of((size_t)n, sizeof *ux);
    for (uint32_t k = 0; k < (uint32_t)size; k++) {
        uint32_t r = (k + 1) % 1009;
        m[k] = (int32_t)(r * r % 1009) / 1009.0;
    }
    for (int i = 0; i < n; i++) m[(size_t)i * n + i] += n, x[i] = (i + 1) / (double)n;
    memcpy(f, m, size * sizeof *f);
    for (int from = 0; from < n; from += b) {
        int to = from + b, rest = n - to;
        panel(f, n, from, to);
        if (rest == 0) break;
        strip(f, n, from, to);
        gemm(rest, rest, b, -1, f + (size_t)to * n + from, n, f + (size_t)from * n + to, n, f + (size_t)to * n + to, n, space);
    }
    double logs = 0, residual = 0;
    for (int i = 0; i < n; i++) {
        logs += log(f[(size_t)i * n + i]);
        ux[i] = dot(f + (size_t)i * n, x, i, n);
    }
    for (int i = 0; i < n; i++) {
        double r = dot(m + (size_t)i * n, x, 0, n) - dot(f + (size_t)i * n, ux, 0, i) - ux[i];
        residual = fabs(r) > residual ? fabs(r) : residual;
    }
    report_ms(start);
    apl_scalar(apl_round(8, logs / n));
    apl_scalar(apl_round(8, residual));
    apl_print(apl_round(8, f[n - 1]), apl_round(8, f[size - (size_t)n]), apl_round(8, f[size - 1]));
    return 0;
}
