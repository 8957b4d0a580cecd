/* Twin of anagram.apl. Arguments: n. The letters of a word sorted in a register make the key of a hash table. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 120);
    double start = now_ms();
    size_t slots = 16;
    while (slots < (size_t)n * 2) slots *= 2;
    uint32_t *key = array_of(slots, 4), *count = array_of(slots, 4);
    memset(key, 0, slots * 4);
    memset(count, 0, slots * 4);
    for (int64_t w = 0; w < n; w++) {
        uint32_t len = 3 + (uint32_t)(w + 1) % 3, k = 0;
        uint8_t c[5];
        for (uint32_t j = 0; j < 5; j++) {
            uint64_t i = (uint64_t)w * 5 + j + 1;
            c[j] = j < len ? (uint8_t)(i * i % 65521 / 1000 % 26 + 1) : 0;
        }
#define SWAP(a, b) if (c[a] > c[b]) { uint8_t t = c[a]; c[a] = c[b]; c[b] = t; }
        SWAP(0, 1) SWAP(3, 4) SWAP(2, 4) SWAP(2, 3) SWAP(0, 3) SWAP(0, 2) SWAP(1, 4) SWAP(1, 3) SWAP(1, 2)
        for (int j = 0; j < 5; j++) k = k << 5 | c[j];
        size_t h = (k * 2654435769u) & (slots - 1);
        while (count[h] && key[h] != k) h = (h + 1) & (slots - 1);
        key[h] = k;
        count[h]++;
    }
    int64_t groups = 0, most = 0, several = 0, squares = 0;
    for (size_t h = 0; h < slots; h++)
        if (count[h]) {
            groups++;
            most = count[h] > most ? count[h] : most;
            several += count[h] > 1;
            squares += (int64_t)count[h] * count[h];
        }
    report_ms(start);
    apl_print((double)groups, (double)most, (double)several, (double)squares);
    return 0;
}
