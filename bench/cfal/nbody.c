/* Twin of nbody.apl. Arguments: bodies, steps. Coordinates are in vectors of their own; for
 * each body one pass over all others, eight at a time. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 30), steps = size_arg(argc, argv, 2, 4);
    double dt = 0.001, start = now_ms();
    double *p[3], *v[3], *m = array_of((size_t)n, sizeof *m);
    for (int k = 0; k < 3; k++) {
        p[k] = array_of((size_t)n, sizeof **p);
        v[k] = array_of((size_t)n, sizeof **v);
        memset(v[k], 0, (size_t)n * sizeof **v);
    }
    for (int64_t j = 0; j < n; j++) {
        int64_t i = j + 1;
        p[0][j] = (double)(i * i % 1009) / 1009;
        p[1][j] = (double)(7 * i % 997) / 997;
        p[2][j] = (double)(3 * i * i % 991) / 991;
        m[j] = (double)(1 + i % 7) / (double)n;
    }
    const double *restrict x = p[0], *restrict y = p[1], *restrict z = p[2];
    for (int64_t s = 0; s < steps; s++) {
#pragma omp parallel for
        for (int64_t i = 0; i < n; i++) {
            double ax = 0, ay = 0, az = 0, xi = x[i], yi = y[i], zi = z[i];
#pragma omp simd reduction(+ : ax, ay, az)
            for (int64_t j = 0; j < n; j++) {
                double dx = x[j] - xi, dy = y[j] - yi, dz = z[j] - zi;
                double r = 1e-9 + dx * dx + dy * dy + dz * dz;
                double f = m[j] / (r * sqrt(r));
                ax += f * dx;
                ay += f * dy;
                az += f * dz;
            }
            v[0][i] += dt * ax;
            v[1][i] += dt * ay;
            v[2][i] += dt * az;
        }
        for (int k = 0; k < 3; k++)
            for (int64_t i = 0; i < n; i++) p[k][i] += dt * v[k][i];
    }
    double sum[7] = {0};
    for (int k = 0; k < 3; k++)
        for (int64_t i = 0; i < n; i++) {
            sum[k] += p[k][i];
            sum[3] += v[k][i] * v[k][i];
            sum[4 + k] += v[k][i];
        }
    report_ms(start);
    for (int k = 0; k < 7; k++) sum[k] = floor(0.5 + 1e9 * sum[k]);
    apl_vector(sum, 4);
    apl_vector(sum + 4, 3);
    return 0;
}
