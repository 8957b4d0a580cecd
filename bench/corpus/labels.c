/* Twin of labels.apl. Arguments: n. Two copies of 32 bits, until nothing changes. */
#include "../c/apl_out.h"

static int64_t spread(int32_t **a, int32_t **b, int32_t *const near[4], int64_t n) {
    for (int64_t steps = 0;; steps++) {
        int changed = 0;
        const int32_t *x = *a;
        int32_t *restrict y = *b;
        for (int64_t i = 0; i < n; i++) {
            int32_t p = x[near[0][i]], q = x[near[1][i]], r = x[near[2][i]], t = x[near[3][i]];
            p = p < q ? p : q, r = r < t ? r : t;
            p = p < r ? p : r;
            p = p < x[i] ? p : x[i];
            changed |= p != x[i];
            y[i] = p;
        }
        if (!changed) return steps;
        int32_t *t = *a;
        *a = *b, *b = t;
    }
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 50);
    double start = now_ms();
    int32_t *near[4], *a = array_of((size_t)n, 4), *b = array_of((size_t)n, 4);
    for (int k = 0; k < 4; k++) near[k] = array_of((size_t)n, 4);
    for (int64_t k = 1; k <= n; k++) {
        near[0][k - 1] = (int32_t)((k + 3) % n);
        near[1][k - 1] = (int32_t)((k + n - 5) % n);
        int64_t lo = k - (k % 3 == 0 ? 7 : 0), hi = k + (k % 5 == 0 ? 11 : 0);
        near[2][k - 1] = (int32_t)(lo > 1 ? lo - 1 : 0);
        near[3][k - 1] = (int32_t)(hi < n ? hi - 1 : n - 1);
        a[k - 1] = (int32_t)(7 + k % 6);
    }
    spread(&a, &b, near, n);
    int64_t sum = 0, most = 0, parts = 0;
    int seen[16] = {0};
    for (int64_t i = 0; i < n; i++) {
        sum += a[i];
        most = a[i] > most ? a[i] : most;
        if (!seen[a[i]]++) parts++;
    }
    for (int64_t i = 0; i < n; i++) a[i] = (int32_t)(n - i);
    int64_t steps = spread(&a, &b, near, n);
    report_ms(start);
    apl_print((double)parts, (double)sum, (double)most);
    apl_scalar((double)steps);
    return 0;
}
