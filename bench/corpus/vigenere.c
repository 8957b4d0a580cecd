/* Twin of vigenere.apl. Arguments: n letters. Counts of all lengths of the key, of which those
 * of the best one give its letters. */
#include "../c/apl_out.h"

int main(int argc, char **argv) {
    int64_t n = size_arg(argc, argv, 1, 3000), fives = 0, same = 0;
    const char *corpus = "EEEEEEEEEEEETTTTTTTTTAAAAAAAAOOOOOOOIIIIIIINNNNNNNSSSSSSHHHHHHRRRRRRDDDDLLLLCCCUUUMMMWWFFGGYYPPBBVK", *key = "LEMON";
    int many = (int)strlen(corpus), length = 0, found[8];
    double start = now_ms(), best = -1, typical[26] = {0};
    uint8_t *text = array_of(n, 1), *secret = array_of(n, 1);
    for (int64_t i = 0, k = 0; i < n; i++) {
        text[i] = corpus[(uint64_t)(i * i) % 1000003 / 13 % many] - 'A';
        int x = text[i] + key[k] - 'A';
        secret[i] = x < 26 ? x : x - 26;
        fives += secret[i] == 4;
        k = k == 4 ? 0 : k + 1;
    }
    int64_t counts[8][26], kept[8][26];
    for (int l = 2; l < 9; l++) {
        int64_t rows = n / l;
        double mean = 0;
        memset(counts, 0, sizeof counts);
        for (int64_t i = 0, p = 0; i < rows; i++)
            for (int k = 0; k < l; k++) counts[k][secret[p++]]++;
        for (int k = 0; k < l; k++) {
            int64_t pairs = 0;
            for (int j = 0; j < 26; j++) pairs += counts[k][j] * (counts[k][j] - 1);
            mean += (double)pairs / ((double)rows * (rows - 1));
        }
        if ((mean /= l) > best) {
            best = mean;
            length = l;
            memcpy(kept, counts, sizeof kept);
        }
    }
    for (int i = 0; i < many; i++) typical[corpus[i] - 'A']++;
    for (int k = 0; k < length; k++) {
        double most = -1;
        for (int shift = 0; shift < 26; shift++) {
            double fits = 0;
            for (int j = 0; j < 26; j++) fits += typical[j] * kept[k][(j + shift) % 26];
            if (fits > most) most = fits, found[k] = shift;
        }
    }
    for (int64_t i = 0, k = 0; i < n; i++) {
        int x = secret[i] - found[k];
        same += (x < 0 ? x + 26 : x) == text[i];
        k = k == length - 1 ? 0 : k + 1;
    }
    report_ms(start);
    double out[12];
    int o = 0;
    out[o++] = length;
    for (int k = 0; k < length; k++) out[o++] = found[k];
    out[o++] = same;
    out[o++] = fives;
    out[o++] = floor(1e6 * best);
    apl_vector(out, o);
    return 0;
}
