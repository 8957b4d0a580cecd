/* Twin of millrab.apl. Arguments: n odd numbers. */
#include "../c/apl_out.h"

static int strong(uint64_t a, uint32_t n) {
    int s = __builtin_ctz(n - 1);
    uint64_t r = 1, b = a;
    for (uint32_t d = (n - 1) >> s; d; d >>= 1) {
        if (d & 1) r = r * b % n;
        b = b * b % n;
    }
    if (r == 1 || r == n - 1) return 1;
    while (s-- > 1) {
        r = r * r % n;
        if (r == n - 1) return 1;
    }
    return 0;
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 300), twos = 0, threes = 0, both = 0, last = 0, first = 0, sum = 0;
    double start = now_ms();
    for (int64_t i = 1; i <= n; i++) {
        uint32_t q = (uint32_t)(3 + 2 * i);
        int a = strong(2, q), b = strong(3, q);
        twos += a;
        threes += b;
        both += a & b;
        if (a & b) last = q, sum += q;
        if (a > b && !first) first = q;
    }
    report_ms(start);
    apl_print(twos, threes, both, last, first, sum);
    return 0;
}
