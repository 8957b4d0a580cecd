/* Twin of coast.apl. Arguments: n. Three rows of bytes slide over the map. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 30), w = n + 2;
    double start = now_ms();
    uint8_t *rows = array_of((size_t)(3 * w) + 64, 1), *up = rows, *row = rows + w, *down = rows + 2 * w;
    memset(rows, 0, (size_t)(3 * w));
    uint32_t square = 0, step = 1;
    int64_t area = 0, coast = 0, alone = 0;
    for (int64_t i = 0; i <= n; i++) {
        memset(down, 0, (size_t)w);
        if (i < n)
            for (int64_t j = 0; j < n; j++) {
                square += step; /* the next square, modulo 65521 */
                if (square >= 65521) square -= 65521;
                if ((step += 2) >= 65521) step -= 65521;
                down[j + 1] = square / 5 % 7 < 3;
            }
        uint32_t a = 0, c = 0, l = 0;
        for (int64_t j = 1; j <= n + 1; j++) c += (uint32_t)(row[j] ^ row[j - 1]) + (uint32_t)(row[j] ^ down[j]);
        for (int64_t j = 1; j <= n; j++) {
            a += row[j];
            l += row[j] & !(up[j] | down[j] | row[j - 1] | row[j + 1]);
        }
        area += a, coast += c, alone += l;
        uint8_t *t = up;
        up = row, row = down, down = t;
    }
    report_ms(start);
    apl_print((double)area, (double)coast, (double)alone);
    return 0;
}
