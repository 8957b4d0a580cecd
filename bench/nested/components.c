/* Twin of components.apl. Arguments: n. Union by the lesser label, with paths halved. */
#include "../c/apl_out.h"

static int32_t root(int32_t *up, int32_t v) {
    while (up[v] != v) v = up[v] = up[up[v]];
    return v;
}

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 60);
    double start = now_ms();
    int32_t *up = array_of((size_t)n, sizeof *up), *size = array_of((size_t)n, sizeof *size);
    for (int32_t i = 0; i < n; i++) up[i] = i, size[i] = 0;
    uint64_t i = 0;
    for (int64_t from = 0; from < n; from++)
        for (int64_t k = (int64_t)((uint64_t)(from + 1) * (uint64_t)(from + 1) % 1000003 / 7 % 4); k > 0; k--) {
            i++;
            int32_t a = root(up, (int32_t)from), b = root(up, (int32_t)((uint32_t)(7919 * i * i % 2147483647 / 5) % (uint32_t)n));
            if (a < b) up[b] = a;
            else up[a] = b;
        }
    int64_t count = 0, single = 0;
    int32_t most = 0;
    for (int32_t v = 0; v < n; v++) size[root(up, v)]++;
    for (int32_t v = 0; v < n; v++) {
        count += size[v] > 0, single += size[v] == 1;
        most = size[v] > most ? size[v] : most;
    }
    report_ms(start);
    apl_print((double)count, most, (double)single);
    return 0;
}
