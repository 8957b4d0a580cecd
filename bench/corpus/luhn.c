/* Twin of luhn.apl. Arguments: n. */
#include "../c/apl_out.h"

enum { B = 32 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 200);
    double start = now_ms();
    int64_t good = 0, first = n + 1, sum = 0;
#pragma omp parallel for reduction(+ : good, sum) reduction(min : first)
    for (int64_t block = 0; block < n; block += B) {
        uint32_t digit[B * 16], shown[B * 16];
        for (uint32_t i = 0; i < B * 16; i++) {
            uint32_t k = (uint32_t)block * 16 + i + 1, d = k % 10 * ((7 + k / 3) % 10) % 10;
            uint32_t e = d << (~i & 1);
            digit[i] = d;
            shown[i] = e > 9 ? e - 9 : e;
        }
        for (int64_t r = 0; r < B && block + r < n; r++) {
            uint32_t check = 0, digits = 0;
            for (int j = 0; j < 16; j++) check += shown[r * 16 + j], digits += digit[r * 16 + j];
            if (check % 10 == 0) {
                good++;
                sum += digits;
                if (block + r + 1 < first) first = block + r + 1;
            }
        }
    }
    report_ms(start);
    apl_print((double)good, (double)first, (double)sum);
    return 0;
}
