/* Twin of lcs.apl. Arguments: n. One row of the table in 32 bits, updated in place from left to right. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 60);
    double start = now_ms();
    uint8_t *b = array_of((size_t)n, 1);
    int32_t *row = array_of((size_t)n + 1, 4);
    for (int64_t j = 0; j < n; j++) b[j] = (uint8_t)((j + 1) * (j + 1) / 97 % 4);
    memset(row, 0, (size_t)(n + 1) * 4);
    for (int64_t i = 1; i <= n; i++) {
        uint8_t a = (uint8_t)(17 * i / 10 % 4);
        int32_t left = 0, corner = 0;
        for (int64_t j = 0; j < n; j++) {
            int32_t up = row[j + 1], with = corner + (a == b[j]);
            corner = up;
            up = up > with ? up : with;
            left = left > up ? left : up;
            row[j + 1] = left;
        }
    }
    int64_t sum = 0;
    for (int64_t j = 1; j <= n; j++) sum += row[j];
    report_ms(start);
    apl_print((double)row[n], (double)sum);
    return 0;
}
