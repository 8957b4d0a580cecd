/* Twin of gasket.apl. Arguments: n. The quarters are copied in bytes. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 4);
    double start = now_ms();
    int64_t size = (int64_t)1 << n, sum = 0, row = 0, diagonal = 0, full = 0;
    uint8_t *g = array_of((size_t)(size * size), 1);
    memset(g, 0, (size_t)(size * size));
    g[0] = 1;
    for (int64_t h = 1; h < size; h *= 2)
        for (int64_t i = 0; i < h; i++) {
            memcpy(g + i * size + h, g + i * size, (size_t)h);
            memcpy(g + (i + h) * size, g + i * size, (size_t)h);
        }
    for (int64_t i = 0; i < size; i++) {
        uint32_t s = 0;
        for (int64_t j = 0; j < size; j++) s += g[i * size + j];
        sum += s;
        if (i == size / 2 - 1) row = s;
        diagonal += g[i * size + i];
        full += s == size;
    }
    report_ms(start);
    apl_print((double)sum, (double)row, (double)diagonal, (double)full);
    return 0;
}
