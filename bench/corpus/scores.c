/* Twin of scores.apl. Arguments: n. The text is made, then read once: names by a hash of their letters, numbers digit by digit. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 100);
    static const char *names[8] = {"ann", "bo", "carla", "dee", "eve", "finn", "gus", "hal"};
    double start = now_ms();
    char *text = array_of((size_t)n * 11 + 1, 1), *p = text;
    for (int64_t i = 1; i <= n; i++) {
        uint64_t sq = (uint64_t)i * (uint64_t)i;
        for (const char *s = names[sq % 65521 / 7 % 8]; *s; s++) *p++ = *s;
        *p++ = '=';
        uint32_t v = 1 + (uint32_t)(sq % 1009), d = v >= 1000 ? 1000 : v >= 100 ? 100 : v >= 10 ? 10 : 1;
        for (; d; d /= 10) *p++ = (char)('0' + v / d % 10);
        *p++ = ';';
    }
    static struct { uint64_t key; int64_t sum; } table[64];
    int order[8], found = 0;
    int64_t lines = 0, total = 0;
    for (const char *s = text; s < p; s++) {
        uint64_t key = 0;
        for (; *s != '='; s++) key = key << 8 | (uint8_t)*s;
        int64_t v = 0;
        for (s++; *s != ';'; s++) v = v * 10 + (*s - '0');
        uint32_t h = (uint32_t)(key * 0x9E3779B97F4A7C15u >> 58);
        while (table[h].key && table[h].key != key) h = (h + 1) % 64;
        if (!table[h].key) table[h].key = key, order[found++] = (int)h;
        table[h].sum += v;
        total += v;
        lines++;
    }
    report_ms(start);
    char name[3][9], digits[3][24];
    int width = 0, right = 0;
    for (int k = 0; k < 3; k++) {
        int best = -1;
        for (int d = 0; d < found; d++)
            if (order[d] >= 0 && (best < 0 || table[order[d]].sum > table[order[best]].sum)) best = d;
        uint64_t key = table[order[best]].key;
        int len = 0;
        for (int b = 56; b >= 0; b -= 8)
            if (key >> b & 255) name[k][len++] = (char)(key >> b);
        name[k][len] = 0;
        apl_format(digits[k], (double)table[order[best]].sum);
        if (len > width) width = len;
        if ((int)strlen(digits[k]) > right) right = (int)strlen(digits[k]);
        order[best] = order[--found];
    }
    for (int k = 0; k < 3; k++) printf(" %-*s  %*s\n", width, name[k], right, digits[k]);
    apl_print((double)lines, (double)total);
    return 0;
}
