/* Twin of accel.apl. Arguments: n, k. Particles are put in the order of their cells; those of three
 * cells side by side are near, one behind the other. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 60), k = size_arg(argc, argv, 2, 4), cells = k * k;
    double start = now_ms();
    double *x = array_of((size_t)n, sizeof *x), *y = array_of((size_t)n, sizeof *y), *m = array_of((size_t)n, sizeof *m);
    double *cx = array_of((size_t)cells, sizeof *cx), *cy = array_of((size_t)cells, sizeof *cy), *cm = array_of((size_t)cells, sizeof *cm);
    int32_t *at = array_of((size_t)cells + 2, sizeof *at), *who = array_of((size_t)n, sizeof *who), *cell = array_of((size_t)n, sizeof *cell);
    memset(at, 0, (size_t)(cells + 2) * sizeof *at);
#define X(i) ((0.5 + (double)((uint64_t)(i) * (uint64_t)(i) % 10007)) / 10007)
#define Y(i) ((0.5 + (double)(7919 * (uint64_t)(i) % 10009)) / 10009)
    for (int64_t i = 1; i <= n; i++) at[(cell[i - 1] = (int32_t)((int64_t)((double)k * X(i)) + k * (int64_t)((double)k * Y(i)))) + 2]++;
    for (int64_t c = 2; c < cells + 2; c++) at[c] += at[c - 1];
    for (int64_t i = 0; i < n; i++) {
        int32_t j = at[cell[i] + 1]++;
        who[j] = (int32_t)i, x[j] = X(i + 1), y[j] = Y(i + 1), m[j] = (1 + (double)((i + 1) % 16)) / 16;
    }
    for (int64_t c = 0; c < cells; c++) {
        double s = 0, sx = 0, sy = 0;
        for (int32_t j = at[c]; j < at[c + 1]; j++) s += m[j], sx += m[j] * x[j], sy += m[j] * y[j];
        double d = s < 1e-9 ? 1e-9 : s;
        cm[c] = s, cx[c] = sx / d, cy[c] = sy / d;
    }
    double sumx = 0, sumy = 0, mostx = -INFINITY, mosty = -INFINITY, first[2] = {0};
#pragma omp parallel for schedule(dynamic, 4) reduction(+ : sumx, sumy) reduction(max : mostx, mosty)
    for (int64_t c = 0; c < cells; c++) {
        int64_t cr = c / k, cc = c % k;
        for (int32_t p = at[c]; p < at[c + 1]; p++) {
            double px = x[p], py = y[p], ax = 0, ay = 0;
#define TERMS(X, Y, M, FROM, TO)                                             \
    _Pragma("omp simd reduction(+ : ax, ay)") for (int64_t j = FROM; j < TO; j++) { \
        double dx = X[j] - px, dy = Y[j] - py, r = 1e-4 + (dx * dx + dy * dy); \
        double w = M[j] / (r * sqrt(r));                                     \
        ax += w * dx, ay += w * dy;                                          \
    }
            int64_t r0 = cr ? cr - 1 : 0, r1 = cr + 1 < k ? cr + 1 : k - 1, c0 = cc ? cc - 1 : 0, c1 = cc + 1 < k ? cc + 1 : k - 1;
            TERMS(cx, cy, cm, 0, r0 * k + c0)
            for (int64_t r = r0; r <= r1; r++) {
                TERMS(x, y, m, at[r * k + c0], at[r * k + c1 + 1])
                int64_t next = r < r1 ? (r + 1) * k + c0 : cells;
                TERMS(cx, cy, cm, r * k + c1 + 1, next)
            }
            sumx += fabs(ax), sumy += fabs(ay);
            mostx = ax > mostx ? ax : mostx, mosty = ay > mosty ? ay : mosty;
            if (who[p] == 0) first[0] = ax, first[1] = ay;
        }
    }
    report_ms(start);
    apl_print(floor(0.5 + 1e3 * sumx), floor(0.5 + 1e3 * sumy), floor(0.5 + 1e3 * mostx), floor(0.5 + 1e3 * mosty), floor(0.5 + 1e3 * first[0]), floor(0.5 + 1e3 * first[1]));
    return 0;
}
