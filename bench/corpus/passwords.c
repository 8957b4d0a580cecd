/* Twin of passwords.apl. Arguments: n. Sixteen words side by side, their letters made on the fly; distinct sums by a table of bits. */
#include "../c/apl_out.h"

enum { L = 24, G = 16, P = 65521 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 200);
    double start = now_ms();
    static uint64_t seen[P / 64 + 1];
    int64_t sum = 0, digits = 0, changes = 0, first = 0;
    int most = -1, least = 99, top = -1, distinct = 0;
    for (int64_t r = 0; r < n; r += G) {
        uint32_t roll[G], kind[G], change[G] = {0}, digit[G] = {0}, res[G];
        for (int g = 0; g < G; g++) {
            uint32_t code = 67 + (1 + r + g) % 2;
            res[g] = ((uint32_t)(r + g) * L + 3) % P;
            roll[g] = (code + 31 * code) % P;
            kind[g] = 5;
        }
        for (int j = 2; j < L; j++)
#pragma omp simd
            for (int g = 0; g < G; g++) {
                uint32_t code = (uint32_t)((uint64_t)res[g] * res[g] % P) / 13 % 66;
                uint32_t k = code < 26 ? 1 : code < 52 ? 2 : code < 62 ? 3 : 4;
                roll[g] = (code + 1 + 31 * roll[g]) % P;
                digit[g] += k == 3;
                change[g] += k != kind[g];
                kind[g] = k;
                res[g] = res[g] + 1 == P ? 0 : res[g] + 1;
            }
        for (int g = 0; g < G && r + g < n; g++) {
            sum += roll[g];
            digits += digit[g];
            changes += change[g];
            if ((int)roll[g] > top) top = roll[g], first = r + g + 1;
            if ((int)change[g] > most) most = change[g];
            if ((int)change[g] < least) least = change[g];
            distinct += !(seen[roll[g] / 64] >> roll[g] % 64 & 1);
            seen[roll[g] / 64] |= (uint64_t)1 << roll[g] % 64;
        }
    }
    report_ms(start);
    apl_print((double)sum, (double)top, (double)first, (double)digits);
    apl_print((double)most, (double)least, (double)changes, (double)distinct);
    return 0;
}
