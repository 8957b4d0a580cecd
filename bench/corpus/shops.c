/* Twin of shops.apl. Arguments: n. A row of cells at a time; the distance and the shop in one key. */
#include "../c/apl_out.h"

enum { SHOPS = 48 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 20);
    double start = now_ms();
    int32_t x[SHOPS], y[SHOPS], *key = array_of((size_t)n + 64, 4);
    uint8_t *row = array_of((size_t)(2 * n) + 64, 1), *above = row + n;
    for (int64_t i = 1; i <= SHOPS; i++) {
        x[i - 1] = (int32_t)(1 + i * i * i % 65521 / 3 % n);
        y[i - 1] = (int32_t)(1 + i * i * i % 65521 * i % 65521 / 3 % n);
    }
    double area[SHOPS] = {0}, across = 0, down = 0, ways = 0;
    int32_t longest = 0;
    for (int i = 1; i <= n; i++) {
        for (int j = 0; j < n; j++) key[j] = 1 << 30;
        for (int s = 0; s < SHOPS; s++) {
            int32_t d = (x[s] - i) * (x[s] - i);
            for (int j = 0; j < n; j++) {
                int32_t e = y[s] - j - 1, k = (d + e * e) << 6 | s;
                key[j] = k < key[j] ? k : key[j];
            }
        }
        int64_t way = 0, borders = 0;
        for (int j = 0; j < n; j++) {
            int32_t d = key[j] >> 6;
            row[j] = key[j] & 63;
            area[row[j]]++;
            way += d;
            longest = d > longest ? d : longest;
        }
        for (int j = 1; j < n; j++) borders += row[j] != row[j - 1];
        across += borders, ways += way;
        if (i > 1) {
            borders = 0;
            for (int j = 0; j < n; j++) borders += row[j] != above[j];
            down += borders;
        }
        uint8_t *t = row;
        row = above, above = t;
    }
    double most = 0, least = (double)(n * n);
    for (int s = 0; s < SHOPS; s++) {
        most = area[s] > most ? area[s] : most;
        least = area[s] < least ? area[s] : least;
    }
    report_ms(start);
    apl_print(most, least, across, down, (double)longest, ways);
    return 0;
}
