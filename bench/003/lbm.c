/* Twin of lbm.apl. Arguments: n, steps. Each row of cells takes its nineteen densities from
 * where they come, and relaxes them with vectors along the row; two grids change places. */
#include "../c/apl_out.h"

enum { Q = 19, MOST = 256 };

int main(int argc, char **argv) {
    int n = (int)size_arg(argc, argv, 1, 8), steps = (int)size_arg(argc, argv, 2, 5), q = 0;
    double start = now_ms(), omega = 1.2, w[Q];
    int cx[Q], cy[Q], cz[Q];
    for (int i = 0; i < 27; i++) {
        int x = i / 9 - 1, y = i / 3 % 3 - 1, z = i % 3 - 1, length = abs(x) + abs(y) + abs(z);
        if (length > 2) continue;
        cx[q] = x, cy[q] = y, cz[q] = z;
        w[q++] = length == 0 ? 1 / 3.0 : length == 1 ? 1 / 18.0 : 1 / 36.0;
    }
    size_t cells = (size_t)n * n * n;
    double *f = array_of(Q * cells, sizeof *f), *g = array_of(Q * cells, sizeof *g);
    for (size_t i = 0; i < cells; i++) {
        double rho = 1 + 0.01 * ((int32_t)((i + 1) * (i + 1) % 101) / 101.0);
        for (int k = 0; k < Q; k++) f[k * cells + i] = w[k] * rho;
    }
    for (int step = 0; step < steps; step++) {
#pragma omp parallel for collapse(2)
        for (int x = 0; x < n; x++)
            for (int y = 0; y < n; y++) {
                double in[Q][MOST], ux[MOST] = {0}, uy[MOST] = {0}, uz[MOST] = {0}, rho[MOST] = {0};
                for (int k = 0; k < Q; k++) {
                    int sx = (x + cx[k] + n) % n, sy = (y + cy[k] + n) % n;
                    const double *row = f + k * cells + ((size_t)sx * n + sy) * n;
                    if (cz[k] == 0) memcpy(in[k], row, n * sizeof *row);
                    if (cz[k] == 1) memcpy(in[k], row + 1, (n - 1) * sizeof *row), in[k][n - 1] = row[0];
                    if (cz[k] == -1) memcpy(in[k] + 1, row, (n - 1) * sizeof *row), in[k][0] = row[n - 1];
                    for (int z = 0; z < n; z++) {
                        rho[z] += in[k][z];
                        ux[z] += cx[k] * in[k][z];
                        uy[z] += cy[k] * in[k][z];
                        uz[z] += cz[k] * in[k][z];
                    }
                }
                double still[MOST];
                for (int z = 0; z < n; z++) {
                    double r = 1 / rho[z];
                    ux[z] *= r, uy[z] *= r, uz[z] *= r;
                    still[z] = 1 - 1.5 * (ux[z] * ux[z] + uy[z] * uy[z] + uz[z] * uz[z]);
                }
                for (int k = 0; k < Q; k++) {
                    double *out = g + k * cells + ((size_t)x * n + y) * n;
                    for (int z = 0; z < n; z++) {
                        double cu = 3 * (cx[k] * ux[z] + cy[k] * uy[z] + cz[k] * uz[z]);
                        out[z] = in[k][z] + omega * (w[k] * rho[z] * (still[z] + cu + 0.5 * cu * cu) - in[k][z]);
                    }
                }
            }
        double *t = f;
        f = g, g = t;
    }
    double sum = 0, most = -INFINITY, least = INFINITY;
#pragma omp parallel for reduction(+ : sum) reduction(max : most) reduction(min : least)
    for (size_t i = 0; i < Q * cells; i++) {
        sum += f[i];
        most = f[i] > most ? f[i] : most;
        least = f[i] < least ? f[i] : least;
    }
    report_ms(start);
    double one = f[4 * cells + (size_t)n + 2];
    apl_print(apl_round(0, 1e9 * sum), apl_round(0, 1e9 * most), apl_round(0, 1e9 * least), apl_round(0, 1e9 * one));
    return 0;
}
