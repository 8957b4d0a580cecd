/* Twin of hotspot.apl. Arguments: n, steps. */
#include "../c/hotspot.h"

int main(int argc, char **argv) {
    n = (int)size_arg(argc, argv, 1, 32);
    int steps = (int)size_arg(argc, argv, 2, 20);
    double start = now_ms();
    struct part t = hotspot(steps, 0.5, 3, 3, 1e4, 80);
    report_ms(start);
    apl_print(apl_round(0, 1e5 * (t.sum / ((double)n * n))), apl_round(0, 1e5 * t.most), apl_round(0, 1e5 * t.least));
    return 0;
}
