/* Twin of edits.apl. Arguments: n. 64 pairs of words side by side, the row of the table in bytes. */
#include "../c/apl_out.h"

enum { LENGTH = 12, PAIRS = 64 };

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 50);
    double start = now_ms();
    uint8_t *words = array_of((size_t)(n * LENGTH) + 64, 1);
    uint32_t square = 0, step = 1;
    for (int64_t i = 0; i < n * LENGTH; i++) {
        square += step; /* the next square, modulo 65521 */
        if (square >= 65521) square -= 65521;
        if ((step += 2) >= 65521) step -= 65521;
        words[i] = square / 7 % 4;
    }
    double sum = 0, counts[15] = {0};
    int most = 0, least = LENGTH;
    for (int64_t b = 0; b < n - 1; b += PAIRS) {
        int m = n - 1 - b < PAIRS ? (int)(n - 1 - b) : PAIRS;
        uint8_t t[LENGTH][PAIRS + 1], row[LENGTH + 1][PAIRS];
        memset(t, 9, sizeof t);
        for (int k = 0; k <= m; k++)
            for (int i = 0; i < LENGTH; i++) t[i][k] = words[(b + k) * LENGTH + i];
        for (int j = 0; j <= LENGTH; j++) memset(row[j], j, PAIRS);
        for (int i = 0; i < LENGTH; i++) {
            uint8_t before[PAIRS];
            memcpy(before, row[0], PAIRS);
            memset(row[0], i + 1, PAIRS);
            for (int j = 0; j < LENGTH; j++)
                for (int k = 0; k < PAIRS; k++) {
                    uint8_t r = before[k] + (t[j][k + 1] != t[i][k]);
                    uint8_t up = row[j + 1][k] + 1, left = row[j][k] + 1;
                    before[k] = row[j + 1][k];
                    r = r < up ? r : up;
                    row[j + 1][k] = r < left ? r : left;
                }
        }
        for (int k = 0; k < m; k++) {
            int d = row[LENGTH][k];
            sum += d, counts[d + 2]++;
            if (d > most) most = d;
            if (d < least) least = d;
        }
    }
    report_ms(start);
    counts[0] = sum, counts[1] = most, counts[2] = least;
    apl_vector(counts, 15);
    return 0;
}
