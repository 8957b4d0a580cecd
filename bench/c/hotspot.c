/* Twin of testdata/programs/hotspot.apl. Arguments: n, steps.
 * Timed: making the grids, the steps and the sums. */
#include "hotspot.h"

int main(int argc, char **argv) {
    n = (int)size_arg(argc, argv, 1, 32);
    int steps = (int)size_arg(argc, argv, 2, 20);
    double start = now_ms();
    double thick = 0.0005, side = 0.016 / n, conduct = 100, heat = 0.5 * 1750000, ambient = 80;
    double capacity = heat * thick * side * side;
    double rx = side / (2 * conduct * thick * side), ry = rx;
    double rz = thick / (conduct * side * side);
    double slope = 3000000 / (heat * thick), scale = 0.001 / slope / 1000 / capacity;
    struct part t = hotspot(steps, scale, rx, ry, rz, ambient);
    for (int k = 0; k < 5; k++) t.first[k] = apl_round(5, t.first[k]), t.last[k] = apl_round(5, t.last[k]);
    report_ms(start);
    apl_print(apl_round(5, t.sum / ((double)n * n)), apl_round(5, t.most), apl_round(5, t.least));
    apl_vector(t.first, 5);
    apl_vector(t.last, 5);
    return 0;
}
