/* Twin of slide.apl. Arguments: n boards. A table of the 256 rows. */
#include "../c/apl_out.h"

static struct row {
    uint8_t empty, changed, most;
    int16_t points;
} rows[256];

static void make(int k) {
    uint8_t is[4] = {k & 3, k >> 2 & 3, k >> 4 & 3, k >> 6}, full[4] = {0}, to[4] = {0};
    int m = 0, o = 0;
    for (int i = 0; i < 4; i++)
        if (is[i]) full[m++] = is[i];
    for (int i = 0; i < m; o++) {
        to[o] = full[i];
        if (i + 1 < m && full[i] == full[i + 1]) rows[k].points += 1 << ++to[o], i++;
        i++;
    }
    rows[k].empty = 4 - o;
    for (int i = 0; i < 4; i++) {
        rows[k].changed += to[i] != is[i];
        if (to[i] > rows[k].most) rows[k].most = to[i];
    }
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 100), points = 0, empty = 0, changed = 0, most = 0, still = 0;
    double start = now_ms();
    for (int k = 0; k < 256; k++) make(k);
    for (uint64_t i = 0, q = 1; i < (uint64_t)n; i++) {
        int moved = 0;
        for (int r = 0; r < 4; r++) {
            int k = 0;
            for (int j = 0; j < 4; j++, q++) k |= (int)(q * q % 1000003 / 13 % 4) << 2 * j;
            points += rows[k].points;
            empty += rows[k].empty;
            moved += rows[k].changed;
            if (rows[k].most > most) most = rows[k].most;
        }
        changed += moved;
        still += !moved;
    }
    report_ms(start);
    apl_print(points, empty, changed, 1 << most, still);
    return 0;
}
