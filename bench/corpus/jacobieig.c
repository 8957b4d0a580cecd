/* Twin of jacobieig.apl. Arguments: n. Rows in vector code, columns as they are; the matrix is small. */
#include "../c/apl_out.h"

static int down(const void *x, const void *y) { double a = *(double *)x, b = *(double *)y; return (a < b) - (a > b); }
int main(int argc, char **argv) {
    int n = (int)size_arg(argc, argv, 1, 8);
    double start = now_ms();
    double *g = array_of((size_t)n * n, 8), *a = array_of((size_t)n * n, 8);
    for (int64_t i = 0; i < (int64_t)n * n; i++) g[i] = (double)((i + 1) * (i + 1) % 1009) / 1009;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) a[i * n + j] = 0.5 * (g[i * n + j] + g[j * n + i]) + (i == j ? n * 1.0 : 0);
    int k = 0;
    for (;;) {
        double off = 0;
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < i; j++) off += a[i * n + j] * a[i * n + j];
            for (int j = i + 1; j < n; j++) off += a[i * n + j] * a[i * n + j];
        }
        if (!(1e-9 < off)) break;
        for (int p = 0; p < n - 1; p++)
            for (int q = p + 1; q < n; q++) {
                double apq = a[p * n + q];
                if (!(1e-12 < fabs(apq))) continue;
                double th = (a[q * n + q] - a[p * n + p]) / (2 * apq);
                double t = (th < 0 ? -1 : 1) / (fabs(th) + sqrt(1 + th * th)), c = 1 / sqrt(1 + t * t), s = t * c;
                double *restrict rp = a + p * n, *restrict rq = a + q * n;
                for (int j = 0; j < n; j++) {
                    double x = rp[j], y = rq[j];
                    rp[j] = c * x - s * y, rq[j] = s * x + c * y;
                }
                for (int i = 0; i < n; i++) {
                    double x = a[i * n + p], y = a[i * n + q];
                    a[i * n + p] = c * x - s * y, a[i * n + q] = s * x + c * y;
                }
            }
        k++;
    }
    double *e = array_of(n, 8), sum = 0;
    for (int i = 0; i < n; i++) sum += e[i] = a[i * n + i];
    qsort(e, n, 8, down);
    report_ms(start);
    apl_print(k, floor(0.5 + 1e4 * e[0]), floor(0.5 + 1e4 * e[1]), floor(0.5 + 1e4 * e[2]),
              floor(0.5 + 1e4 * sum), floor(0.5 + 1e4 * e[n - 1]));
    return 0;
}
