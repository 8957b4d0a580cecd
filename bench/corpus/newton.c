/* Twin of newton.apl. Arguments: n. */
#include "../c/apl_out.h"
#include <math.h>
int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 100);
    double start = now_ms();
    double most = 0, all = 0, sum = 0;
    for (int64_t i = 1; i <= n; i++) {
        double a = (double)i, x = a, old;
        int k = 0;
        do { old = x; x = (2 * x + a / (x * x)) / 3; k++; } while (!(1e-12 > fabs(1 - x / old)) && k != 100);
        if (k > most) most = k;
        all += k;
        sum += (x + 1000.0 * k) - 1000.0 * k;
    }
    report_ms(start);
    apl_print(most, all, floor(0.5 + 1e3 * sum));
    return 0;
}
