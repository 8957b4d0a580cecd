/* Twin of palin.apl. Arguments: n. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 2000);
    double start = now_ms();
    int64_t pals = 0, sum = 0, primes = 0, prime_sum = 0, last = 0;
#pragma omp parallel for reduction(+ : pals, sum, primes, prime_sum) reduction(max : last)
    for (int64_t i = 1; i <= n; i++) {
        uint32_t back = 0, k = (uint32_t)i;
        for (; k; k /= 10) back = back * 10 + k % 10;
        if (back != (uint32_t)i) continue;
        pals++;
        sum += i;
        int prime = i > 1;
        for (uint32_t d = 2; prime && d * d <= (uint32_t)i; d++) prime = (uint32_t)i % d != 0;
        if (prime) primes++, prime_sum += i, last = i;
    }
    report_ms(start);
    apl_print((double)pals, (double)sum, (double)primes, (double)prime_sum, (double)last);
    return 0;
}
