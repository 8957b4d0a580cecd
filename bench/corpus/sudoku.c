/* Twin of sudoku.apl. Arguments: n. A bit for each digit seen. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 4);
    double start = now_ms();
    static const int turn[9] = {0, 3, 6, 1, 4, 7, 2, 5, 8};
    int64_t good = 0, first = n + 1, sum = 0;
#pragma omp parallel for reduction(+ : good, sum) reduction(min : first)
    for (int64_t k = 1; k <= n; k++) {
        uint16_t row[9] = {0}, col[9] = {0}, box[9] = {0};
        for (int i = 0; i < 9; i++)
            for (int j = 0; j < 9; j++) {
                int from = (int)((j + k) % 9), d = (from + turn[i]) % 9;
                if (i == k % 9 && from == k / 9 % 9) d = (int)(k * 7 % 9);
                uint16_t bit = (uint16_t)(1 << d);
                row[i] |= bit, col[j] |= bit, box[i / 3 * 3 + j / 3] |= bit;
            }
        int all = 511;
        for (int i = 0; i < 9; i++) all &= row[i] & col[i] & box[i];
        if (all == 511) {
            good++, sum += k;
            if (k < first) first = k;
        }
    }
    report_ms(start);
    apl_print((double)good, (double)first, (double)sum);
    return 0;
}
