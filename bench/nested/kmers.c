/* Twin of kmers.apl. Arguments: n. A word is a number of 18 bits, which moves along the letters. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 300);
    double start = now_ms();
    enum { words = 1 << 18 };
    int32_t *count = array_of(words, sizeof *count), *order = array_of(words, sizeof *order), known = 0;
    memset(count, 0, words * sizeof *count);
    uint32_t key = 0;
    for (int64_t i = 1; i <= n; i++) {
        uint64_t u = (uint64_t)i;
        key = (key * 4 + (uint32_t)(7919 * u * u % 2147483647) / 5 % 4) % words;
        if (i >= 9 && !count[key]++) order[known++] = (int32_t)key;
    }
    int32_t most = 0, once = 0, best = 0;
    for (int32_t k = 0; k < known; k++) {
        int32_t c = count[order[k]];
        once += c == 1;
        if (c > most) most = c, best = order[k];
    }
    report_ms(start);
    apl_print((double)(n - 8), known, most);
    char text[10] = {0};
    for (int k = 8; k >= 0; k--, best /= 4) text[k] = "ACGT"[best % 4];
    puts(text);
    apl_scalar(once);
    return 0;
}
