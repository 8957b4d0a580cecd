/* Twin of dice.apl. Arguments: n. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 500), total = 0;
    double start = now_ms(), sums[13] = {0};
    int64_t count[13] = {0}, doubles = 0;
    uint64_t seed = 42;
    for (int64_t i = 0; i < n; i++) {
        seed = seed * 16807 % 2147483647;
        int a = 1 + (int)(seed % 6);
        seed = seed * 16807 % 2147483647;
        int b = 1 + (int)(seed % 6);
        count[a + b]++;
        doubles += a == b;
    }
    for (int k = 1; k <= 12; k++) sums[k] = (double)count[k], total += count[k] * k;
    report_ms(start);
    apl_vector(sums + 1, 12);
    apl_print((double)doubles, (double)seed, (double)total);
    return 0;
}
