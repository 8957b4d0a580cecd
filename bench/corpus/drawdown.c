/* Twin of drawdown.apl. Arguments: n. One pass with the state in registers. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 500);
    double start = now_ms();
    int64_t price = 100000, high = INT64_MIN, low = INT64_MAX, worst = -1, where = 0, highs = 0;
    uint32_t k = 0;
    for (int64_t i = 0; i < n; i++) {
        k += 7919 % 1009;
        if (k >= 1009) k -= 1009;
        price += (int64_t)k - 504;
        if (price > high) high = price;
        highs += price == high;
        low = price < low ? price : low;
        if (high - price > worst) worst = high - price, where = i + 1;
    }
    report_ms(start);
    apl_print((double)worst, (double)where, (double)highs);
    apl_print((double)low, (double)high);
    return 0;
}
