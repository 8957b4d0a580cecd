/* Twin of testdata/programs/nbody.apl. Arguments: n, steps.
 * Timed: the whole computation. No table of pairs is stored: each body's
 * acceleration is a vectorised loop over the others. */
#include "apl_out.h"

static inline double sum_of(const double *part) {
    double s = 0;
    for (int l = 0; l < 8; l++) s += part[l];
    return s;
}

int main(int argc, char **argv) {
    int n = (int)size_arg(argc, argv, 1, 32), steps = (int)size_arg(argc, argv, 2, 10);
    double start = now_ms();
    const double dt = 0.01, soft = 0.01;
    int padded = (n + 7) / 8 * 8;
    double *state = array_of(7 * (size_t)padded, sizeof *state), *row[7];
    for (int r = 0; r < 7; r++) row[r] = state + (size_t)r * padded;
    memset(state, 0, 7 * (size_t)padded * sizeof *state);
    double *x = row[0], *y = row[1], *z = row[2], *u = row[3], *v = row[4], *w = row[5], *m = row[6];
    for (int r = 0; r < 3; r++)
        for (int j = 0; j < n; j++) {
            uint32_t i = (uint32_t)(r * n + j + 1), q = i % 1009;
            row[r][j] = -1 + 2 * ((int32_t)(q * q % 1009) / 1009.0);
            row[r + 3][j] = -0.1 + 0.2 * ((int32_t)(7 * i % 997) / 997.0);
        }
    for (int j = 0; j < n; j++) m[j] = (1 + (j + 1) % 7) / (7.0 * n);
    for (int s = 0; s < steps; s++) {
#pragma omp parallel for schedule(static)
        for (int i = 0; i < n; i++) {
            double ax[8] = {0}, ay[8] = {0}, az[8] = {0};
            for (int b = 0; b < padded; b += 8)
                for (int l = 0; l < 8; l++) {
                    double dx = x[i] - x[b + l], dy = y[i] - y[b + l], dz = z[i] - z[b + l];
                    double r = soft + dx * dx + dy * dy + dz * dz;
                    double f = m[b + l] / (r * sqrt(r));
                    ax[l] += dx * f, ay[l] += dy * f, az[l] += dz * f;
                }
            u[i] -= dt * sum_of(ax), v[i] -= dt * sum_of(ay), w[i] -= dt * sum_of(az);
        }
        for (int i = 0; i < n; i++) x[i] += dt * u[i], y[i] += dt * v[i], z[i] += dt * w[i];
    }
    double energy = 0;
    for (int i = 0; i < n; i++) energy += m[i] * (u[i] * u[i] + v[i] * v[i] + w[i] * w[i]);
    report_ms(start);
    apl_scalar(apl_round(8, 0.5 * energy));
    double first[6], last[6];
    for (int r = 0; r < 6; r++) first[r] = apl_round(6, row[r][0]), last[r] = apl_round(6, row[r][n - 1]);
    apl_vector(first, 6);
    apl_vector(last, 6);
    return 0;
}
