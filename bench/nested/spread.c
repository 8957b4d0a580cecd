/* Twin of spread.apl. Arguments: n. The readings of a group are made where they are used. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 40);
    double start = now_ms();
    double means = 0, deviations = 0, widest = 0, ranges = 0, most = 0;
    int64_t above = 0;
    uint64_t i = 0;
    for (int64_t g = 1; g <= n; g++) {
        int len = 3 + (int)((uint32_t)((uint64_t)g * (uint64_t)g % 1000003) / 11 % 40);
        double x[64], sum = 0, square = 0, high = 0, low = INFINITY;
        for (int k = 0; k < len; k++) {
            uint64_t j = i + (uint64_t)k + 1;
            x[k] = (double)(7919 * j * j % 2147483647) / 1e6;
        }
        i += (uint64_t)len;
        for (int k = 0; k < len; k++) {
            sum += x[k];
            high = x[k] > high ? x[k] : high;
            low = x[k] < low ? x[k] : low;
        }
        double mean = sum / len;
        for (int k = 0; k < len; k++) {
            square += (x[k] - mean) * (x[k] - mean);
            above += x[k] > mean;
        }
        double deviation = sqrt(square / len);
        means += mean, deviations += deviation, ranges += high - low;
        widest = deviation > widest ? deviation : widest;
        most = high - low > most ? high - low : most;
    }
    report_ms(start);
    apl_print(floor(0.5 + means), floor(0.5 + widest), floor(0.5 + ranges), (double)above);
    apl_print(floor(0.5 + deviations), floor(0.5 + most));
    return 0;
}
