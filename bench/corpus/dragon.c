/* Twin of dragon.apl. Arguments: n. A byte for each fold, in one array. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 8);
    double start = now_ms();
    int64_t size = ((int64_t)1 << n) - 1;
    uint8_t *d = array_of((size_t)size + 1, 1);
    for (int64_t k = 0; k < n; k++) {
        int64_t m = ((int64_t)1 << k) - 1;
        d[m] = 1;
        for (int64_t i = 0; i < m; i++) d[m + 1 + i] = 1 - d[m - 1 - i];
    }
    int64_t sum = 0, turns = 0;
    for (int64_t i = 0; i < size; i++) sum += d[i];
    for (int64_t i = 1; i < size; i++) turns += d[i] != d[i - 1];
    report_ms(start);
    apl_print((double)size, (double)sum, (double)turns);
    return 0;
}
