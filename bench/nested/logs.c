/* Twin of logs.apl. Arguments: n. The text is made, then read once. */
#include "../c/apl_out.h"

static char *number(char *p, uint32_t x) {
    char digits[12];
    int n = 0;
    do digits[n++] = (char)('0' + x % 10);
    while (x /= 10);
    while (n > 0) *p++ = digits[--n];
    return p;
}

int main(int argc, char **argv) {
    static const char *const names[3] = {"info", "warn", "error"};
    int64_t n = size_arg(argc, argv, 1, 30);
    double start = now_ms();
    char *text = array_of((size_t)n * 16 + 8, 1), *end = text;
    for (int64_t i = 1; i <= n; i++) {
        uint64_t u = (uint64_t)i;
        uint32_t level = (uint32_t)(u * u % 1000003) / 7 % 3;
        memcpy(end, names[level], 4 + (level == 2));
        end += 4 + (level == 2);
        *end++ = ' ';
        end = number(end, 100 + (uint32_t)(u * (31 + u) % 1000003) / 5 % 500);
        *end++ = ' ';
        end = number(end, 1 + (uint32_t)(7919 * u % 1000003) / 3 % 2000);
        *end++ = '\n';
    }
    int order[3], known = 0, place[3] = {-1, -1, -1};
    double count[3] = {0}, sum[3] = {0}, most[3] = {0};
    int64_t lines = 0, codes = 0, failed = 0;
    for (char *p = text; p < end; lines++) {
        int level = *p == 'i' ? 0 : *p == 'w' ? 1 : 2, code = 0, time = 0;
        for (p += 5 + (level == 2); *p != ' '; p++) code = 10 * code + *p - '0';
        for (p++; *p != '\n'; p++) time = 10 * time + *p - '0';
        p++;
        if (place[level] < 0) order[place[level] = known++] = level;
        count[level]++;
        sum[level] += time;
        most[level] = time > most[level] ? time : most[level];
        codes += code;
        failed += code >= 500 ? time : 0;
    }
    report_ms(start);
    for (int k = 0; k < known; k++) printf(" %s ", names[order[k]]);
    putchar('\n');
    apl_print((double)(end - text), (double)lines);
    /* A table: columns as wide as the widest number. */
    char cells[3][3][64];
    size_t wide[3] = {0};
    for (int k = 0; k < known; k++) {
        apl_format(cells[k][0], count[order[k]]);
        apl_format(cells[k][1], sum[order[k]]);
        apl_format(cells[k][2], most[order[k]]);
        for (int c = 0; c < 3; c++) wide[c] = strlen(cells[k][c]) > wide[c] ? strlen(cells[k][c]) : wide[c];
    }
    for (int k = 0; k < known; k++)
        for (int c = 0; c < 3; c++) printf("%s%*s%s", c ? " " : "", (int)wide[c], cells[k][c], c == 2 ? "\n" : "");
    apl_print((double)codes, (double)failed);
    return 0;
}
