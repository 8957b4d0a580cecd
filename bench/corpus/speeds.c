/* Twin of speeds.apl. Arguments: n. What a cell becomes is stored where it moves to. */
#include "../c/apl_out.h"

enum { V = 5, STEPS = 60 };

static void cell(int64_t n, const double *restrict f, double *restrict g, int64_t i) {
    double all = 0;
    for (int k = 0; k < V; k++) all += f[k * n + i];
    for (int k = 0; k < V; k++) {
        int64_t to = i + k - 2;
        to += to < 0 ? n : to >= n ? -n : 0;
        g[k * n + to] = f[k * n + i] + 0.3 * (0.2 * all - f[k * n + i]);
    }
}

static void inside(int64_t n, const double *restrict f, double *restrict g) {
#pragma omp parallel for
    for (int64_t from = 2; from < n - 2; from += 1024) {
        int64_t to = from + 1024 < n - 2 ? from + 1024 : n - 2;
#pragma GCC ivdep
        for (int64_t i = from; i < to; i++) {
            double a = f[i], b = f[n + i], c = f[2 * n + i], d = f[3 * n + i], e = f[4 * n + i];
            double mean = 0.2 * ((((a + b) + c) + d) + e);
            g[i - 2] = a + 0.3 * (mean - a);
            g[n + i - 1] = b + 0.3 * (mean - b);
            g[2 * n + i] = c + 0.3 * (mean - c);
            g[3 * n + i + 1] = d + 0.3 * (mean - d);
            g[4 * n + i + 2] = e + 0.3 * (mean - e);
        }
    }
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 60);
    double start = now_ms();
    double *f = array_of((size_t)(V * n), sizeof(double)), *g = array_of((size_t)(V * n), sizeof(double));
    for (int64_t i = 0; i < V * n; i++) f[i] = 1 + (double)(i + 1) / (double)(V * n);
    for (int s = 0; s < STEPS; s++) {
        cell(n, f, g, 0), cell(n, f, g, 1), cell(n, f, g, n - 2), cell(n, f, g, n - 1);
        inside(n, f, g);
        double *was = f;
        f = g;
        g = was;
    }
    double sum = 0, most = f[0], least = f[0];
    for (int64_t i = 0; i < V * n; i++) {
        sum += f[i];
        most = f[i] > most ? f[i] : most;
        least = f[i] < least ? f[i] : least;
    }
    report_ms(start);
    apl_print(apl_round(0, 1e3 * sum), apl_round(0, 1e3 * most), apl_round(0, 1e3 * least));
    return 0;
}
