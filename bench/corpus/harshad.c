/* Twin of harshad.apl. Arguments: n. Sums of digits by those of the number without its last. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 300), some = 0, sum = 0, roots = 0, nines = 0;
    double start = now_ms();
    uint8_t *digits = array_of((size_t)n / 10 + 10, 1);
    digits[0] = 0;
    for (int64_t i = 0; i <= n / 10; i++) digits[i] = (uint8_t)(digits[i / 10] + i % 10);
#pragma omp parallel for reduction(+ : some, sum, roots, nines)
    for (int64_t i = 1; i <= n; i++) {
        uint32_t k = (uint32_t)i;
        if (k % (digits[k / 10] + k % 10)) continue;
        uint32_t root = (k - 1) % 9 + 1;
        some++, sum += i, roots += root, nines += root == 9;
    }
    report_ms(start);
    apl_print((double)some, (double)sum, (double)roots, (double)nines);
    return 0;
}
