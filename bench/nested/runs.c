/* Twin of runs.apl. Arguments: n. Reads numbers and letters, writes runs, and counts letters by runs. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 40);
    double start = now_ms();
    char *code = array_of((size_t)n * 3, 1), *end = code;
    for (int64_t i = 1; i <= n; i++) {
        uint32_t len = 1 + (uint32_t)((uint64_t)i * (uint64_t)i % 1000003 / 7 % 30);
        if (len >= 10) *end++ = (char)('0' + len / 10);
        *end++ = (char)('0' + len % 10);
        *end++ = "BWGR"[(i + i / 7) % 4];
    }
    int64_t total = 0, runs = 0, count[4] = {0};
    for (char *p = code; p < end; p++) total += *p <= '9' ? (p[1] <= '9' ? 10 : 1) * (*p - '0') : 0;
    char *text = array_of((size_t)total + 32, 1), *t = text;
    for (char *p = code; p < end; runs++) {
        int64_t len = 0;
        for (; *p <= '9'; p++) len = 10 * len + *p - '0';
        char c = *p++;
        for (int64_t k = 0; k < len; k += 32) memset(t + k, c, 32);
        t += len;
        count[c == 'B' ? 0 : c == 'W' ? 1 : c == 'G' ? 2 : 3] += len;
    }
    report_ms(start);
    apl_print((double)(end - code), (double)runs, (double)total);
    apl_print((double)count[0], (double)count[1], (double)count[2], (double)count[3]);
    printf("%.60s\n", text);
    return 0;
}
