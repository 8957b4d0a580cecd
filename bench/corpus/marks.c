/* Twin of marks.apl. Arguments: n. Marks are counted; all else is said of 100 counts. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 120);
    double start = now_ms();
    static const int least[7] = {0, 25, 40, 55, 70, 85, 100};
    static uint32_t count[4][100];
    for (int64_t i = 1; i <= n; i++) count[i & 3][(uint32_t)((uint64_t)i * (uint64_t)i % 65521) / 6 % 100]++;
    double many[6], mean[6], top = 0;
    int groups = 0;
    for (int g = 0; g < 6; g++) {
        double sum = 0, all = 0;
        for (int m = least[g]; m < least[g + 1]; m++) {
            uint32_t c = count[0][m] + count[1][m] + count[2][m] + count[3][m];
            all += c, sum += (double)c * m;
        }
        many[5 - g] = all;
        if (all > 0) mean[groups++] = apl_round(0, 1000 * (sum / all));
        if (g >= 4) top += sum;
    }
    report_ms(start);
    apl_vector(many, 6);
    apl_vector(mean, groups);
    apl_scalar(top);
    return 0;
}
