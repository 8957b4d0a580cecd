/* Twin of testdata/programs/fft.apl. Arguments: bits.
 * Timed: making the points, the roots of unity, the transform and the sums.
 * Stockham's algorithm by radix 4 (one pass of radix 2 where bits is odd),
 * real and imaginary parts apart, one table of roots for all passes. */
#include "apl_out.h"

static int n;

/* wr, wi: cos and -sin of 2πj/n for j < n. */
static void pass2(const double *restrict xr, const double *restrict xi, double *restrict yr,
                  double *restrict yi, int l, int m, const double *wr, const double *wi) {
    int h = n / 2, stride = n / (2 * l);
#pragma omp parallel for schedule(static) if (l >= 64)
    for (int j = 0; j < l; j++) {
        double cr = wr[j * stride], ci = wi[j * stride];
        for (int k = 0; k < m; k++) {
            int p = j * m + k, q = 2 * j * m + k;
            double dr = xr[p] - xr[p + h], di = xi[p] - xi[p + h];
            yr[q] = xr[p] + xr[p + h];
            yi[q] = xi[p] + xi[p + h];
            yr[q + m] = dr * cr - di * ci;
            yi[q + m] = dr * ci + di * cr;
        }
    }
}

/* Four blocks of m points each become one of 4m; l is the number of fours. */
static void pass4(const double *restrict xr, const double *restrict xi, double *restrict yr,
                  double *restrict yi, int l, int m, const double *wr, const double *wi) {
    int h = n / 4, stride = n / (4 * l);
#pragma omp parallel for schedule(static) if (n >= 16384)
    for (int64_t task = 0; task < (m >= 4096 ? (int64_t)l * (m / 1024) : l); task++) {
        int chunks = m >= 4096 ? m / 1024 : 1, j = (int)(task / chunks);
        int from = m / chunks * (int)(task % chunks), to = from + m / chunks;
        double ar = wr[j * stride], ai = wi[j * stride];
        double br = wr[2 * j * stride], bi = wi[2 * j * stride];
        double cr = wr[3 * j * stride], ci = wi[3 * j * stride];
        const double *x0 = xr + (size_t)j * m, *z0 = xi + (size_t)j * m;
        double *y0 = yr + 4 * (size_t)j * m, *u0 = yi + 4 * (size_t)j * m;
        for (int k = from; k < to; k++) {
            double sr = x0[k] + x0[k + 2 * h], si = z0[k] + z0[k + 2 * h];
            double tr = x0[k] - x0[k + 2 * h], ti = z0[k] - z0[k + 2 * h];
            double vr = x0[k + h] + x0[k + 3 * h], vi = z0[k + h] + z0[k + 3 * h];
            /* -i times the difference */
            double dr = z0[k + h] - z0[k + 3 * h], di = x0[k + 3 * h] - x0[k + h];
            double er = tr + dr, ei = ti + di, fr = sr - vr, fi = si - vi;
            double gr = tr - dr, gi = ti - di;
            y0[k] = sr + vr;
            u0[k] = si + vi;
            y0[k + m] = er * ar - ei * ai;
            u0[k + m] = er * ai + ei * ar;
            y0[k + 2 * m] = fr * br - fi * bi;
            u0[k + 2 * m] = fr * bi + fi * br;
            y0[k + 3 * m] = gr * cr - gi * ci;
            u0[k + 3 * m] = gr * ci + gi * cr;
        }
    }
}

/* The first pass of radix 4 has m = 1: the vectors run over j instead. */
static void first4(const double *restrict xr, const double *restrict xi, double *restrict yr,
                   double *restrict yi, const double *wr, const double *wi) {
    int h = n / 4;
#pragma omp parallel for schedule(static) if (n >= 16384)
    for (int b = 0; b < h; b += 4) {
        double zr[4][4], zi[4][4];
        for (int t = 0; t < 4; t++) {
            int k = b + t;
            double ar = wr[k], ai = wi[k], br = ar * ar - ai * ai, bi = 2 * ar * ai;
            double cr = ar * br - ai * bi, ci = ar * bi + ai * br;
            double sr = xr[k] + xr[k + 2 * h], si = xi[k] + xi[k + 2 * h];
            double tr = xr[k] - xr[k + 2 * h], ti = xi[k] - xi[k + 2 * h];
            double vr = xr[k + h] + xr[k + 3 * h], vi = xi[k + h] + xi[k + 3 * h];
            double dr = xi[k + h] - xi[k + 3 * h], di = xr[k + 3 * h] - xr[k + h];
            double er = tr + dr, ei = ti + di, fr = sr - vr, fi = si - vi;
            double gr = tr - dr, gi = ti - di;
            zr[0][t] = sr + vr, zi[0][t] = si + vi;
            zr[1][t] = er * ar - ei * ai, zi[1][t] = er * ai + ei * ar;
            zr[2][t] = fr * br - fi * bi, zi[2][t] = fr * bi + fi * br;
            zr[3][t] = gr * cr - gi * ci, zi[3][t] = gr * ci + gi * cr;
        }
        for (int t = 0; t < 4; t++)
            for (int c = 0; c < 4; c++) {
                yr[4 * (b + t) + c] = zr[c][t];
                yi[4 * (b + t) + c] = zi[c][t];
            }
    }
}

int main(int argc, char **argv) {
    int bits = (int)size_arg(argc, argv, 1, 6);
    n = 1 << bits;
    double start = now_ms();
    size_t size = (size_t)n;
    double *space = array_of(6 * size + 64, sizeof *space);
    double *xr = space, *xi = xr + size, *yr = xi + size, *yi = yr + size, *wr = yi + size, *wi = wr + size;
    double before = 0, after = 0;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < n; k++) {
        uint32_t i = (uint32_t)k + 1, r = i % 1009;
        xr[k] = (int32_t)(r * r % 1009) / 1009.0;
        xi[k] = (int32_t)(7 * i % 997) / 997.0;
    }
    double turn = -2 * 3.14159265358979323846 / n;
#pragma omp parallel for schedule(static)
    for (int k = 0; k < n; k++) wr[k] = cos(turn * k);
#pragma omp parallel for schedule(static)
    for (int k = 0; k < n; k++) wi[k] = sin(turn * k);
    for (int b = 0; b < n; b += 4)
        for (int t = 0; t < 4 && b + t < n; t++) before += xr[b + t] * xr[b + t] + xi[b + t] * xi[b + t];
    int l = n / 4, m = 1;
    double *t;
    if (bits >= 4) {
        first4(xr, xi, yr, yi, wr, wi);
        t = xr, xr = yr, yr = t, t = xi, xi = yi, yi = t;
        l /= 4, m *= 4;
    }
    for (; l >= 1; l /= 4, m *= 4) {
        pass4(xr, xi, yr, yi, l, m, wr, wi);
        t = xr, xr = yr, yr = t, t = xi, xi = yi, yi = t;
    }
    if (m < n) {
        pass2(xr, xi, yr, yi, 1, m, wr, wi);
        t = xr, xr = yr, yr = t, t = xi, xi = yi, yi = t;
    }
    double part[8] = {0};
    for (int b = 0; b + 8 <= n; b += 8)
        for (int j = 0; j < 8; j++) part[j] += xr[b + j] * xr[b + j] + xi[b + j] * xi[b + j];
    for (int j = 0; j < 8; j++) after += part[j];
    report_ms(start);
    apl_print(apl_round(6, before), apl_round(6, after / n));
    apl_print(apl_round(6, xr[0]), apl_round(6, xi[0]));
    double low[4], high[4];
    for (int k = 0; k < 4; k++) low[k] = apl_round(6, xr[k + 1]), high[k] = apl_round(6, xi[n - k - 2]);
    apl_vector(low, 4);
    apl_vector(high, 4);
    return 0;
}
