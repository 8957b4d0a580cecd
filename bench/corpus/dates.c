/* Twin of dates.apl. Arguments: n. All in 32 bits, one pass, vectors. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 300);
    double start = now_ms();
    int64_t fridays = 0, februaries = 0, days = 0, weekdays = 0, leaps = 0;
    uint32_t last = 0;
#pragma omp parallel for reduction(+ : fridays, februaries, days, weekdays, leaps) reduction(max : last)
    for (int64_t b = 0; b < n; b += 1024) {
        uint32_t f = 0, g = 0, s = 0, t = 0, l = 0, h = 0, end = (uint32_t)(b + 1024 < n ? 1024 : n - b);
        for (uint32_t k = 0; k < end; k++) {
            uint32_t i = (uint32_t)b + k + 1, day = 719468 + 18250 + 3 * i + i / 4;
            uint32_t era = day / 146097, doe = day - era * 146097;
            uint32_t yoe = (doe - doe / 1460 + doe / 36524 - doe / 146096) / 365;
            uint32_t doy = doe - (365 * yoe + yoe / 4 - yoe / 100), mp = (2 + 5 * doy) / 153;
            uint32_t d = 1 + doy - (2 + 153 * mp) / 5, m = mp + 3 - 12 * (mp >= 10), y = yoe + 400 * era + (m <= 2), wd = (3 + day) % 7;
            f += (wd == 5) & (d == 13);
            g += m == 2;
            l += (d == 29) & (m == 2);
            s += d;
            t += wd;
            h = y > h ? y : h;
        }
        fridays += f, februaries += g, days += s, weekdays += t, leaps += l;
        last = h > last ? h : last;
    }
    report_ms(start);
    apl_print((double)fridays, (double)februaries, (double)last, (double)days, (double)weekdays);
    apl_scalar((double)leaps);
    return 0;
}
