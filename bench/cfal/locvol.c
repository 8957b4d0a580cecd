/* Twin of locvol.apl. Arguments: strikes, prices, volatilities, times. Eight strikes at a time
 * go through all steps, so that their values stay in the caches and each is a lane. The
 * coefficients of the eliminations do not depend on the strike: they are computed once a step. */
#include "../c/apl_out.h"

enum { W = 8 };
typedef double v8 __attribute__((vector_size(8 * W), aligned(8)));

int main(int argc, char **argv) {
    int64_t outer = size_arg(argc, argv, 1, 2), nx = size_arg(argc, argv, 2, 8), ny = size_arg(argc, argv, 3, 6), nt = size_arg(argc, argv, 4, 4);
    double start = now_ms(), s0 = 0.03, t = 5, alpha = 0.2, nu = 0.6, beta = 0.5;
    double dx = 20 * alpha * s0 * (sqrt(t) / (double)nx), dy = 10 * nu * (sqrt(t) / (double)ny);
    int64_t ix = (int64_t)floor(s0 / dx), iy = ny / 2, cells = nx * ny;
    double *x = array_of((size_t)nx, sizeof *x), *y = array_of((size_t)ny, sizeof *y), *bx = array_of((size_t)nx, sizeof *bx);
    for (int64_t i = 0; i < nx; i++) x[i] = s0 + dx * (double)(i - ix), bx[i] = beta * log(x[i]);
    for (int64_t j = 0; j < ny; j++) y[j] = log(alpha) + dy * (double)(j - iy);
    /* for each step the variances, and factors and pivots of both eliminations */
    size_t steps = (size_t)(nt - 1);
    double *kx = array_of(steps * (size_t)cells, sizeof *kx), *fx = array_of(steps * (size_t)cells, sizeof *fx), *px = array_of(steps * (size_t)cells, sizeof *px);
    double *fy = array_of(steps * (size_t)ny, sizeof *fy), *py = array_of(steps * (size_t)ny, sizeof *py), ky = nu * nu / (4 * dy * dy);
#define TIME(g) (t * (double)(g) / (double)(nt - 1))
    for (int64_t g = 0; g < nt - 1; g++) {
        double dt = 1 / (TIME(g + 1) - TIME(g)), *k = kx + g * cells, *f = fx + g * cells, *p = px + g * cells;
        for (int64_t i = 0; i < nx; i++)
            for (int64_t j = 0; j < ny; j++) {
                double m = exp(2 * (bx[i] + y[j] - 0.5 * TIME(g) * nu * nu)) / (4 * dx * dx);
                k[i * ny + j] = m;
                if (i == 0 || i == nx - 1) m = 0;
                double above = i ? (i == 1 ? 0 : k[(i - 1) * ny + j]) : 0;
                f[i * ny + j] = i ? -m / p[(i - 1) * ny + j] : 0;
                p[i * ny + j] = dt + 2 * m + f[i * ny + j] * above;
            }
        for (int64_t j = 0; j < ny; j++) {
            double m = j == 0 || j == ny - 1 ? 0 : ky;
            fy[g * ny + j] = j ? -m / py[g * ny + j - 1] : 0;
            py[g * ny + j] = dt + 2 * m + (j > 1 ? fy[g * ny + j] * ky : 0);
        }
    }
    double sum = 0, high = -INFINITY, low = INFINITY, mid[2] = {0, 0};
#pragma omp parallel for reduction(+ : sum) reduction(max : high) reduction(min : low)
    for (int64_t from = 0; from < outer; from += W) {
        v8 *v = array_of((size_t)cells, sizeof *v), *u = array_of((size_t)cells, sizeof *u);
        for (int64_t c = 0; c < cells; c++)
            for (int64_t o = 0; o < W; o++) {
                double z = x[c / ny] - 0.001 * (double)(from + o);
                v[c][o] = z > 0 ? z : 0;
            }
        for (int64_t g = nt - 2; g >= 0; g--) {
            double dt = 1 / (TIME(g + 1) - TIME(g)), *k = kx + g * cells, *f = fx + g * cells, *p = px + g * cells;
            for (int64_t i = 0; i < nx; i++)
                for (int64_t j = 0; j < ny; j++) {
                    int64_t c = i * ny + j;
                    v8 z = dt * v[c];
                    if (i && i < nx - 1) z += k[c] * (v[c + ny] + v[c - ny] - 2 * v[c]);
                    if (j && j < ny - 1) z += 2 * ky * (v[c + 1] + v[c - 1] - 2 * v[c]);
                    u[c] = i ? z - f[c] * u[c - ny] : z;
                }
            for (int64_t i = nx - 1; i >= 0; i--)
                for (int64_t j = 0; j < ny; j++) {
                    int64_t c = i * ny + j;
                    v8 z = u[c];
                    if (i && i < nx - 1) z += k[c] * u[c + ny];
                    u[c] = z / p[c];
                }
            for (int64_t i = 0; i < nx; i++) {
                v8 *a = u + i * ny, *b = v + i * ny, before = b[0];
                for (int64_t j = 0; j < ny; j++) {
                    v8 z = dt * a[j], here = b[j];
                    if (j && j < ny - 1) z -= ky * (b[j + 1] + before - 2 * here);
                    before = here;
                    a[j] = j ? z - fy[g * ny + j] * a[j - 1] : z;
                }
                for (int64_t j = ny - 1; j >= 0; j--) {
                    v8 z = a[j];
                    if (j && j < ny - 1) z += ky * b[j + 1];
                    b[j] = z / py[g * ny + j];
                }
            }
        }
        for (int64_t o = 0; o < W && from + o < outer; o++) {
            if (from + o < 2) mid[from + o] = v[ix * ny + iy][o];
            for (int64_t c = 0; c < cells; c++) {
                sum += v[c][o];
                high = v[c][o] > high ? v[c][o] : high;
                low = v[c][o] < low ? v[c][o] : low;
            }
        }
    }
    report_ms(start);
    apl_print(floor(0.5 + 1e9 * mid[0]), floor(0.5 + 1e9 * mid[1]));
    apl_print(floor(0.5 + 1e6 * sum), floor(0.5 + 1e6 * high), floor(0.5 + 1e6 * low));
    return 0;
}
