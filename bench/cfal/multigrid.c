/* Twin of multigrid.apl. Arguments: side, cycles. Cubes have a border that repeats the other
 * side; the sums of neighbours that are in a plane across the row are kept for a row, as in the
 * NAS benchmarks. */
#include "../c/apl_out.h"

#define AT(m, i, j) (((size_t)(i) * ((m) + 2) + (size_t)(j)) * ((m) + 2))
enum { MOST = 1026 };

static const double A[4] = {-8. / 3, 0, 1. / 6, 1. / 12}, S[4] = {-3. / 8, 1. / 32, -1. / 64, 0};

static double *cube(int64_t m) { return array_of((size_t)((m + 2) * (m + 2) * (m + 2)), sizeof(double)); }

/* Fills the border. */
static void wrap(double *a, int64_t m) {
    size_t row = (size_t)(m + 2) * sizeof *a;
    for (int64_t i = 1; i <= m; i++) {
        for (int64_t j = 1; j <= m; j++) {
            double *r = a + AT(m, i, j);
            r[0] = r[m];
            r[m + 1] = r[1];
        }
        memcpy(a + AT(m, i, 0), a + AT(m, i, m), row);
        memcpy(a + AT(m, i, m + 1), a + AT(m, i, 1), row);
    }
    memcpy(a, a + AT(m, m, 0), row * (size_t)(m + 2));
    memcpy(a + AT(m, m + 1, 0), a + AT(m, 1, 0), row * (size_t)(m + 2));
}

/* out = base + sign × the stencil w of a; base may be out, or nil for 0 */
static void stencil(double *out, const double *base, double sign, const double *restrict a, const double *w, int64_t m) {
    double w0 = sign * w[0], w1 = sign * w[1], w2 = sign * w[2], w3 = sign * w[3];
#pragma omp parallel for
    for (int64_t i = 1; i <= m; i++) {
        double faces[MOST], edges[MOST];
        for (int64_t j = 1; j <= m; j++) {
            const double *c = a + AT(m, i, j), *n = a + AT(m, i - 1, j), *s = a + AT(m, i + 1, j), *l = a + AT(m, i, j - 1), *h = a + AT(m, i, j + 1);
            const double *nl = a + AT(m, i - 1, j - 1), *nh = a + AT(m, i - 1, j + 1), *sl = a + AT(m, i + 1, j - 1), *sh = a + AT(m, i + 1, j + 1);
            for (int64_t k = 0; k < m + 2; k++) {
                faces[k] = n[k] + s[k] + l[k] + h[k];
                edges[k] = nl[k] + nh[k] + sl[k] + sh[k];
            }
            double *o = out + AT(m, i, j);
            if (base) {
                const double *b = base + AT(m, i, j);
#pragma GCC ivdep
                for (int64_t k = 1; k <= m; k++)
                    o[k] = b[k] + w0 * c[k] + w1 * (c[k - 1] + c[k + 1] + faces[k]) + w2 * (edges[k] + faces[k - 1] + faces[k + 1]) + w3 * (edges[k - 1] + edges[k + 1]);
            } else
#pragma GCC ivdep
                for (int64_t k = 1; k <= m; k++)
                    o[k] = w0 * c[k] + w1 * (c[k - 1] + c[k + 1] + faces[k]) + w2 * (edges[k] + faces[k - 1] + faces[k + 1]) + w3 * (edges[k - 1] + edges[k + 1]);
        }
    }
    wrap(out, m);
}

/* Every other point of the weighted means of a, whose side is 2m. */
static void coarse(double *restrict out, const double *restrict a, int64_t m) {
#pragma omp parallel for
    for (int64_t i = 1; i <= m; i++) {
        double faces[MOST], edges[MOST];
        for (int64_t j = 1; j <= m; j++) {
            int64_t u = 2 * i - 1, v = 2 * j - 1, w = 2 * m;
            const double *c = a + AT(w, u, v), *n = a + AT(w, u - 1, v), *s = a + AT(w, u + 1, v), *l = a + AT(w, u, v - 1), *h = a + AT(w, u, v + 1);
            const double *nl = a + AT(w, u - 1, v - 1), *nh = a + AT(w, u - 1, v + 1), *sl = a + AT(w, u + 1, v - 1), *sh = a + AT(w, u + 1, v + 1);
            for (int64_t k = 0; k < w + 2; k++) {
                faces[k] = n[k] + s[k] + l[k] + h[k];
                edges[k] = nl[k] + nh[k] + sl[k] + sh[k];
            }
            double *o = out + AT(m, i, j);
            for (int64_t p = 1; p <= m; p++) {
                int64_t k = 2 * p - 1;
                o[p] = 0.5 * c[k] + 0.25 * (c[k - 1] + c[k + 1] + faces[k]) + 0.125 * (edges[k] + faces[k - 1] + faces[k + 1]) + 0.0625 * (edges[k - 1] + edges[k + 1]);
            }
        }
    }
    wrap(out, m);
}

/* Points between those of a, whose side is m, are means. */
static void fine(double *restrict out, const double *restrict a, int64_t m) {
#pragma omp parallel for
    for (int64_t i = 1; i <= 2 * m; i++)
        for (int64_t j = 1; j <= 2 * m; j++) {
            int64_t u = (i + 1) / 2, v = (j + 1) / 2, du = !(i & 1), dv = !(j & 1);
            const double *r00 = a + AT(m, u, v), *r01 = a + AT(m, u, v + dv), *r10 = a + AT(m, u + du, v), *r11 = a + AT(m, u + du, v + dv);
            double row[MOST], *o = out + AT(2 * m, i, j);
            for (int64_t k = 1; k <= m + 1; k++) row[k] = 0.25 * (r00[k] + r01[k] + r10[k] + r11[k]);
            for (int64_t k = 1; k <= m; k++) {
                o[2 * k - 1] = row[k];
                o[2 * k] = 0.5 * (row[k] + row[k + 1]);
            }
        }
    wrap(out, 2 * m);
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 8), cycles = size_arg(argc, argv, 2, 2);
    double start = now_ms();
    double *r[12], *z[12], *v = cube(n), *u = cube(n), *spare = cube(n);
    int levels = 0;
    for (int64_t m = n; m >= 2; m /= 2, levels++) r[levels] = cube(m), z[levels] = cube(m);
    size_t bytes = (size_t)((n + 2) * (n + 2) * (n + 2)) * sizeof *v;
    memset(v, 0, bytes);
    memset(u, 0, bytes);
    for (int64_t i = 1; i <= 20; i++) {
        int64_t at = (1 + i * i * i * 7919) % (n * n * n);
        v[AT(n, at / (n * n) + 1, at / n % n + 1) + (size_t)(at % n) + 1] = i <= 10 ? 1 : -1;
    }
    wrap(v, n);
    stencil(r[0], v, -1, u, A, n);
    for (int64_t c = 0; c < cycles; c++) {
        for (int l = 1; l < levels; l++) coarse(r[l], r[l - 1], n >> l);
        stencil(z[levels - 1], 0, 1, r[levels - 1], S, 2);
        for (int l = levels - 2; l >= 0; l--) {
            int64_t m = n >> l;
            fine(z[l], z[l + 1], m / 2);
            stencil(spare, r[l], -1, z[l], A, m);
            stencil(z[l], z[l], 1, spare, S, m);
        }
        for (int64_t i = 1; i <= n; i++)
            for (int64_t j = 1; j <= n; j++)
                for (int64_t k = 1; k <= n; k++) u[AT(n, i, j) + (size_t)k] += z[0][AT(n, i, j) + (size_t)k];
        wrap(u, n);
        stencil(r[0], v, -1, u, A, n);
    }
    double squares = 0, most = 0, high = -INFINITY, low = INFINITY;
    for (int64_t i = 1; i <= n; i++)
        for (int64_t j = 1; j <= n; j++)
            for (int64_t k = 1; k <= n; k++) {
                double e = r[0][AT(n, i, j) + (size_t)k], w = u[AT(n, i, j) + (size_t)k];
                squares += e * e;
                most = fabs(e) > most ? fabs(e) : most;
                high = w > high ? w : high;
                low = w < low ? w : low;
            }
    report_ms(start);
    double out[] = {sqrt(squares / (double)(n * n * n)), most, high, low};
    for (int i = 0; i < 4; i++) out[i] = floor(0.5 + 1e10 * out[i]);
    apl_vector(out, 4);
    return 0;
}
