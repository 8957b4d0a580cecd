/* Twin of ledger.apl. Arguments: n. Movements are added as they come. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 7000);
    double start = now_ms();
    enum { accounts = 20000 };
    static int32_t balance[accounts], low[accounts];
    static uint8_t seen[accounts];
    int32_t *after = array_of((size_t)n, sizeof *after), known = 0, least = INT32_MAX, negative = 0;
    int64_t sum = 0, final = 0;
    for (int k = 0; k < accounts; k++) low[k] = INT32_MAX;
    for (int64_t i = 1; i <= n; i++) {
        uint64_t u = (uint64_t)i;
        int a = (int)((uint32_t)(7919 * u * u % 2147483647) / 3 % accounts);
        known += !seen[a];
        seen[a] = 1;
        balance[a] += -500 + (int32_t)((uint32_t)(u * (31 + u) % 1000003) / 5 % 1001);
        low[a] = balance[a] < low[a] ? balance[a] : low[a];
        after[i - 1] = balance[a];
        sum += balance[a];
    }
    for (int k = 0; k < accounts; k++) {
        if (!seen[k]) continue;
        least = low[k] < least ? low[k] : least;
        final += balance[k];
        negative += balance[k] < 0;
    }
    report_ms(start);
    apl_print(known, (double)sum, least, (double)final, negative);
    apl_print(after[999], after[1999], after[2999], after[3999], after[4999]);
    return 0;
}
