/* Twin of quickhull.apl. Argument: points. Points above a line are moved to the front of
 * their part of two vectors, in place; the farthest is found in the same pass. */
#include "../c/apl_out.h"

static double *x, *y;

/* Moves the points of [from, to) that are left of a line to the front, and returns where they
 * end; the farthest is at *far. Products are rounded, so that the ends of the line are on it. */
__attribute__((optimize("fp-contract=off"))) static int64_t left(int64_t from, int64_t to, double x1, double y1, double x2, double y2, int64_t *far) {
    int64_t end = from;
    double most = 0, dx = x2 - x1, dy = y2 - y1;
    for (int64_t i = from; i < to; i++) {
        double s = dx * (y[i] - y1) - dy * (x[i] - x1);
        if (s > 0) {
            double a = x[i], b = y[i];
            x[i] = x[end], y[i] = y[end];
            x[end] = a, y[end] = b;
            if (s > most) most = s, *far = end;
            end++;
        }
    }
    return end;
}

static int64_t hull(int64_t from, int64_t to, double x1, double y1, double x2, double y2) {
    int64_t far = 0, end = left(from, to, x1, y1, x2, y2, &far);
    if (end == from) return 0;
    double a = x[far], b = y[far];
    int64_t first = hull(from, end, x1, y1, a, b); /* moves points, keeps all of them */
    return first + 1 + hull(from, end, a, b, x2, y2);
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 100), count = 0;
    double start = now_ms();
    x = array_of((size_t)n, sizeof *x);
    y = array_of((size_t)n, sizeof *y);
    for (int64_t i = 1; i <= n; i++) {
        double a = -1 + 2 * ((double)((i * i + 7 * i) % 10007) / 10007), b = -1 + 2 * ((double)((3 * i + i / 11) % 10009) / 10009);
        x[count] = a;
        y[count] = b;
        count += a * a + b * b <= 1;
    }
    int64_t l = 0, r = 0;
    for (int64_t i = 1; i < count; i++) {
        if (x[i] < x[l]) l = i;
        if (x[i] > x[r]) r = i;
    }
    double x1 = x[l], y1 = y[l], x2 = x[r], y2 = y[r];
    int64_t corners = 2 + hull(0, count, x1, y1, x2, y2);
    corners += hull(0, count, x2, y2, x1, y1);
    report_ms(start);
    apl_scalar((double)corners);
    return 0;
}
