/* Twin of despike.apl. Arguments: n. The median of five by minima and maxima, in vectors of 32 bits. */
#include "../c/apl_out.h"

static inline int32_t lo(int32_t a, int32_t b) { return a < b ? a : b; }
static inline int32_t hi(int32_t a, int32_t b) { return a > b ? a : b; }

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 200);
    double start = now_ms();
    int32_t *x = (int32_t *)array_of((size_t)n + 32, 4) + 16;
    memset(x - 16, 0, 64);
    memset(x + n, 0, 64);
#pragma omp parallel for
    for (int64_t i = 0; i < n; i++) x[i] = (int32_t)((uint64_t)(i + 1) * (uint64_t)(i + 1) / 7 % 1000);
    int64_t sum = 0, changed = 0;
    int32_t most = 0;
#pragma omp parallel for reduction(+ : sum, changed) reduction(max : most)
    for (int64_t b = 0; b < n; b += 4096) {
        int32_t s = 0, c = 0, m = 0;
        int64_t end = b + 4096 < n ? b + 4096 : n;
        for (int64_t i = b; i < end; i++) {
            int32_t p = x[i - 2], q = x[i - 1], r = x[i], t = x[i + 1], u = x[i + 2];
            int32_t a = lo(p, q), d = hi(p, q), e = lo(t, u), f = hi(t, u);
            int32_t v = hi(a, e), w = lo(d, f); /* neither least nor greatest of four */
            int32_t med = hi(lo(v, w), lo(hi(v, w), r));
            s += med;
            c += med != r;
            m = hi(m, abs(r - med));
        }
        sum += s;
        changed += c;
        most = hi(most, m);
    }
    report_ms(start);
    apl_print((double)sum, (double)changed, (double)most);
    return 0;
}
