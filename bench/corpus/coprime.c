/* Twin of coprime.apl. Arguments: n. Half of the pairs, binary. */
#include "../c/apl_out.h"

static uint32_t gcd(uint32_t a, uint32_t b) {
    int shift = __builtin_ctz(a | b);
    a >>= __builtin_ctz(a);
    do {
        b >>= __builtin_ctz(b);
        uint32_t low = a < b ? a : b, high = a < b ? b : a;
        a = low, b = high - low;
    } while (b);
    return a << shift;
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 40);
    double start = now_ms();
    int64_t one = 0, two = 0, sum = 0;
    uint8_t *seen = array_of((size_t)n + 1, 1);
    memset(seen, 0, (size_t)n + 1);
#pragma omp parallel for reduction(+ : one, two, sum) schedule(dynamic, 16)
    for (int64_t i = 1; i <= n; i++)
        for (int64_t j = 1; j <= i; j++) {
            uint32_t d = gcd((uint32_t)i, (uint32_t)j);
            int times = 1 + (i != j);
            one += times * (d == 1), two += times * (d == 2), sum += times * d;
            if (!seen[d]) seen[d] = 1;
        }
    int64_t kinds = 0;
    for (int64_t i = 1; i <= n; i++) kinds += seen[i];
    report_ms(start);
    apl_print((double)one, (double)sum, (double)kinds, (double)two);
    return 0;
}
