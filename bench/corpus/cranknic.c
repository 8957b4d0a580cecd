/* Twin of cranknic.apl. Arguments: n steps. The factors and their reciprocals once, the
 * right side made in the forward sweep. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 40), steps = size_arg(argc, argv, 2, 10);
    double start = now_ms(), r = 0.4, a = -r / 2, b = 1 + r, pi = 3.141592653589793;
    double *c = array_of(n, 8), *w = array_of(n, 8), *u = array_of(n + 2, 8), *d = array_of(n, 8);
    c[0] = a / b; w[0] = 1 / b;
    for (int64_t k = 1; k < n; k++) w[k] = 1 / (b - a * c[k - 1]), c[k] = a * w[k];
    u[0] = u[n + 1] = 0;
    for (int64_t k = 1; k <= n; k++) u[k] = sin(k * (pi / (n + 1))) + 0.3 * (20 > fabs(k - n / 2.0));
    for (int64_t s = 0; s < steps; s++) {
        double before = 0;
        for (int64_t k = 0; k < n; k++) {
            double rhs = u[k + 1] * (1 - r) + r / 2 * (u[k + 2] + u[k]);
            d[k] = before = (rhs - a * before) * w[k];
        }
        u[n] = d[n - 1];
        for (int64_t k = n - 1; k >= 1; k--) u[k] = d[k - 1] - c[k - 1] * u[k + 1];
    }
    double sum = 0, most = -1e300, sq = 0;
    for (int64_t k = 1; k <= n; k++) sum += u[k], most = fmax(most, u[k]), sq += u[k] * u[k];
    report_ms(start);
    apl_print(floor(0.5 + 1e6 * sum), floor(0.5 + 1e6 * most), floor(0.5 + 1e6 * u[1]), floor(0.5 + 1e6 * sq));
    return 0;
}
