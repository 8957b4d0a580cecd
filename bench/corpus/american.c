/* Twin of american.apl. Arguments: steps. Prices by powers of u from a table, those of odd and of even powers apart, so that a step reads them in order. */
#include "../c/apl_out.h"

enum { STRIKES = 64 };

int main(int argc, char **argv) {
    int n = (int)size_arg(argc, argv, 1, 20);
    double start = now_ms(), dt = 1.0 / n, u = exp(0.25 * sqrt(dt)), d = 1 / u;
    double p = (exp(0.03 * dt) - d) / (u - d), disc = exp(-0.03 * dt), a = disc * p, b = disc * (1 - p);
    double *even = array_of((size_t)n + 1, 8), *odd = array_of((size_t)n + 1, 8), *w = array_of((size_t)n + 1, 8);
    for (int i = 0; i <= n; i++) even[i] = 100 * pow(u, 2 * i - n);
    for (int i = 0; i < n; i++) odd[i] = 100 * pow(u, 2 * i + 1 - n);
    double v[STRIKES], sum = 0, most = 0;
    for (int q = 0; q < STRIKES; q++) {
        double k = 81 + q;
        for (int i = 0; i <= n; i++) w[i] = k > even[n - i] ? k - even[n - i] : 0;
        for (int m = n - 1; m >= 0; m--) { /* node i has the price 100 u^(m-2i) */
            const double *price = (m + n) & 1 ? odd + (m + n - 1) / 2 : even + (m + n) / 2;
            for (int i = 0; i <= m; i++) {
                double hold = a * w[i] + b * w[i + 1], exercise = k - price[-i];
                w[i] = exercise > hold ? exercise : hold;
            }
        }
        v[q] = w[0];
        sum += w[0];
        most = w[0] > most ? w[0] : most;
    }
    report_ms(start);
    apl_print(apl_round(0, 1e6 * sum), apl_round(0, 1e6 * most), apl_round(0, 1e6 * v[0]), apl_round(0, 1e6 * v[19]));
    return 0;
}
