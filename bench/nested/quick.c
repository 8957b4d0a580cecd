/* Twin of quick.apl. Arguments: n. Parts are sorted one after the other in place; those of a few
 * by insertion. */
#include "../c/apl_out.h"

static void sort(int32_t *a, int64_t n, int32_t *t) {
    while (n > 24) {
        int32_t p = a[(n + 1) / 2 - 1];
        int64_t l = 0, g = 0, e = 0;
        for (int64_t i = 0; i < n; i++) {
            int32_t v = a[i];
            t[g] = v, a[l] = v;
            l += v < p, g += v > p, e += v == p;
        }
        for (int64_t i = 0; i < e; i++) a[l + i] = p;
        memcpy(a + l + e, t, (size_t)g * sizeof *t);
        sort(a, l, t);
        a += l + e, n = g;
    }
    for (int64_t i = 1; i < n; i++) {
        int32_t v = a[i];
        int64_t j = i;
        for (; j && a[j - 1] > v; j--) a[j] = a[j - 1];
        a[j] = v;
    }
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 60);
    double start = now_ms();
    int32_t *a = array_of((size_t)n, sizeof *a), *t = array_of((size_t)n + 1, sizeof *t);
    for (int64_t i = 1; i <= n; i++) a[i - 1] = (int32_t)(7919 * (uint64_t)i * (uint64_t)i % 1000003);
    sort(a, n, t);
    int64_t parts = 1, sum = 0;
    int sorted = 1;
    for (int64_t i = 0; i < n; i++) {
        if (i) parts += a[i] != a[i - 1], sorted &= a[i - 1] <= a[i];
        if (!(i & 1)) sum += a[i];
    }
    report_ms(start);
    apl_print((double)parts, (double)a[0], (double)a[n - 1], (double)sorted, (double)sum);
    return 0;
}
