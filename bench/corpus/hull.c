/* Twin of hull.apl. Arguments: n. Points counted by x, those of one x sorted. */
#include "../c/apl_out.h"

typedef struct { double x, y; } point;

static int64_t n;
static point *p;
static int32_t *stack;

static int by_y(const void *a, const void *b) {
    double u = ((const point *)a)->y, v = ((const point *)b)->y;
    return (u > v) - (u < v);
}

static int64_t chain(int64_t from, int64_t step) {
    int64_t top = 0;
    for (int64_t i = 0, k = from; i < n; i++, k += step) {
        for (; top > 1; top--) {
            point a = p[stack[top - 2]], b = p[stack[top - 1]], c = p[k];
            if ((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x) > 0) break;
        }
        stack[top++] = (int32_t)k;
    }
    return top;
}

int main(int argc, char **argv) {
    n = size_arg(argc, argv, 1, 100);
    double start = now_ms();
    point *q = array_of((size_t)n, sizeof(point));
    p = array_of((size_t)n, sizeof(point));
    stack = array_of((size_t)n, 4);
    int32_t *count = calloc((size_t)(n + 10010), 4), *h = array_of((size_t)(2 * n), 4);
    for (int64_t i = 1; i <= n; i++) {
        p[i - 1].x = (double)(i * i % 10007 + i);
        p[i - 1].y = (double)(i * 7919 % 9973) - (double)(i * (1 + i) % 9973) / 3.0;
    }
    for (int64_t i = 0; i < n; i++) count[(int64_t)p[i].x + 1]++;
    for (int64_t i = 1; i < n + 10010; i++) count[i] += count[i - 1];
    for (int64_t i = 0; i < n; i++) q[count[(int64_t)p[i].x]++] = p[i];
    for (int64_t i = 0, j; i < n; i = j) {
        for (j = i; j < n && q[j].x == q[i].x; j++) {}
        if (j - i > 1) qsort(q + i, (size_t)(j - i), sizeof(point), by_y);
    }
    memcpy(p, q, (size_t)n * sizeof(point));
    int64_t m = chain(0, 1) - 1;
    memcpy(h, stack, 4 * (size_t)m);
    int64_t up = chain(n - 1, -1) - 1;
    memcpy(h + m, stack, 4 * (size_t)up);
    m += up;
    double area = 0, sum = 0;
    for (int64_t i = 0; i < m; i++) {
        point u = p[h[i]], v = p[h[(i + 1) % m]];
        area += u.x * v.y - u.y * v.x;
        sum += u.x;
    }
    report_ms(start);
    apl_print((double)m, apl_round(0, 0.5 * area), sum);
    return 0;
}
