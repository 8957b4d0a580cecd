/* Twin of kmer.apl. Arguments: n. Words slide through a register into 4096 counters. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 300);
    double start = now_ms();
    static uint32_t count[4096];
    uint32_t word = 0, distinct = 0, order[4096];
    for (int64_t i = 1; i <= n; i++) {
        uint32_t x = (uint32_t)((uint64_t)i * (uint64_t)i % 65521) / 8 % 4;
        word = (word << 2 | x) & 4095;
        if (i >= 6) {
            if (!count[word]++) order[distinct++] = word;
        }
    }
    double top[10];
    for (int k = 0; k < 5; k++) {
        uint32_t best = 0;
        for (uint32_t d = 1; d < distinct; d++)
            if (count[order[d]] > count[order[best]]) best = d;
        top[2 * k] = order[best];
        top[2 * k + 1] = count[order[best]];
        count[order[best]] = 0;
    }
    report_ms(start);
    apl_matrix(top, 5, 2);
    apl_scalar(distinct);
    return 0;
}
