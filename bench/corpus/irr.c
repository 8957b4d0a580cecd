/* Twin of irr.apl. Arguments: n. Powers by a product a year, eight projects side by side. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 50);
    double start = now_ms();
    enum { Y = 16, L = 8 };
    double *r = array_of(n + L, 8);
    for (int64_t base = 0; base < n; base += L) {
        double f[Y][L], x[L];
        for (int l = 0; l < L; l++) {
            int64_t i = base + l < n ? base + l : n - 1;
            f[0][l] = -(2000.0 + (i + 1) * (i + 1) % 500);
            for (int k = 1; k < Y; k++) { int64_t t = i * 15 + k; f[k][l] = 100 + (t * t % 1000003) / 13 % 900; }
            x[l] = 0.1;
        }
        for (int s = 0; s < 8; s++) {
            double q[L], p[L], v[L], d[L];
            for (int l = 0; l < L; l++) q[l] = 1 / (1 + x[l]), p[l] = 1, v[l] = d[l] = 0;
            for (int k = 0; k < Y; k++)
                for (int l = 0; l < L; l++) { v[l] += f[k][l] * p[l]; p[l] *= q[l]; d[l] -= k * f[k][l] * p[l]; }
            for (int l = 0; l < L; l++) x[l] -= v[l] / d[l];
        }
        for (int l = 0; l < L; l++) r[base + l] = x[l];
    }
    double sum = 0, most = -1e300, least = 1e300;
    for (int64_t i = 0; i < n; i++)
        sum += r[i] / n, most = r[i] > most ? r[i] : most, least = r[i] < least ? r[i] : least;
    report_ms(start);
    apl_print(floor(0.5 + 1e6 * sum), floor(0.5 + 1e6 * most), floor(0.5 + 1e6 * least),
              floor(0.5 + 1e6 * r[0]), floor(0.5 + 1e6 * r[1]), floor(0.5 + 1e6 * r[2]));
    return 0;
}
