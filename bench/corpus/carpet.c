/* Twin of carpet.apl. Arguments: n. A byte for each cell: nine copies, one of them empty. */
#include "../c/apl_out.h"
#include <string.h>

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 3);
    double start = now_ms();
    int64_t side = 1;
    for (int64_t k = 0; k < n; k++) side *= 3;
    uint8_t *c = array_of((size_t)(side * side), 1);
    memset(c, 0, (size_t)(side * side));
    c[0] = 1;
    for (int64_t m = 1; m < side; m *= 3)
        for (int64_t b = 8; b > 0; b--) {
            if (b == 4) continue;
            uint8_t *to = c + b / 3 * m * side + b % 3 * m;
            for (int64_t i = 0; i < m; i++) memcpy(to + i * side, c + i * side, (size_t)m);
        }
    int64_t sum = 0, most = 0, full = 0;
    uint16_t *columns = array_of((size_t)side, 2);
    memset(columns, 0, (size_t)side * 2);
    for (int64_t i = 0; i < side; i++) {
        const uint8_t *row = c + i * side;
        int64_t s = 0;
        for (int64_t j = 0; j < side; j++) s += row[j], columns[j] += row[j];
        sum += s;
        if (s > most) most = s;
        full += s == side;
    }
    report_ms(start);
    apl_print((double)sum, (double)most, (double)full);
    return 0;
}
