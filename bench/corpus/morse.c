/* Twin of morse.apl. Arguments: n. A byte for each letter, in one array. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 8);
    double start = now_ms();
    int64_t size = (int64_t)1 << n;
    uint8_t *w = array_of((size_t)size, 1);
    w[0] = 0;
    for (int64_t m = 1; m < size; m *= 2)
        for (int64_t i = 0; i < m; i++) w[m + i] = 1 - w[i];
    int64_t sum = w[0], pairs = 0;
    uint8_t cubes = 0;
    for (int64_t i = 1; i < size; i++) sum += w[i], pairs += w[i] & w[i - 1];
    for (int64_t i = 2; i < size; i++) cubes |= w[i] & w[i - 1] & w[i - 2];
    report_ms(start);
    apl_print((double)size, (double)sum, (double)pairs, (double)cubes);
    return 0;
}
