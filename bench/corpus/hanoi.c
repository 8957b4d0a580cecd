/* Twin of hanoi.apl. Arguments: n. Grows in place, one byte a move. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 8);
    double start = now_ms();
    int64_t size = ((int64_t)1 << n) - 1, len = 0;
    uint8_t *moves = array_of((size_t)size + 1, 1);
    for (int64_t k = 1; k <= n; k++) {
        moves[len] = (uint8_t)k;
        memcpy(moves + len + 1, moves, (size_t)len);
        len = 2 * len + 1;
    }
    int64_t sum = 0, count[4] = {0};
    for (int64_t b = 0; b < len; b += 4096) {
        uint32_t s = 0, c1 = 0, c2 = 0, c3 = 0;
        int64_t end = b + 4096 < len ? b + 4096 : len;
        for (int64_t i = b; i < end; i++) s += moves[i], c1 += moves[i] == 1, c2 += moves[i] == 2, c3 += moves[i] == 3;
        sum += s, count[1] += c1, count[2] += c2, count[3] += c3;
    }
    report_ms(start);
    apl_print((double)len, (double)sum, (double)count[1]);
    apl_print((double)count[1], (double)count[2], (double)count[3]);
    return 0;
}
