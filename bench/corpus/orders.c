/* Twin of orders.apl. Arguments: n. Articles and customers are small numbers, so both tables are indexed. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 300);
    double start = now_ms();
    static int32_t price[37 * 500 + 1], turnover[201], seen[201], order[200];
    int64_t total = 0, customers = 0;
    for (int k = 1; k <= 500; k++) price[37 * k] = 1 + k * k % 97;
    uint32_t week = 0;
    for (int64_t i = 1; i <= n; i++) {
        uint64_t sq = (uint64_t)i * (uint64_t)i;
        uint32_t article = 37 * (1 + (uint32_t)(sq % 65521) / 3 % 500), customer = 1 + (uint32_t)(sq % 32749) / 5 % 200;
        if (++week == 7) week = 0;
        int32_t v = (int32_t)(1 + week) * price[article];
        if (!seen[customer]) seen[customer] = 1, order[customers++] = (int32_t)customer;
        turnover[customer] += v;
        total += v;
    }
    double top[6];
    int shown = customers < 3 ? (int)customers : 3;
    for (int k = 0; k < shown; k++) {
        int best = -1;
        for (int d = 0; d < customers; d++)
            if (seen[order[d]] == 1 && (best < 0 || turnover[order[d]] > turnover[order[best]])) best = d;
        seen[order[best]] = 2;
        top[2 * k] = order[best], top[2 * k + 1] = turnover[order[best]];
    }
    report_ms(start);
    apl_matrix(top, shown, 2);
    apl_print((double)customers, (double)total);
    return 0;
}
