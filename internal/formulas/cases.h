/* Letters and their cases; tl_letter_table has them by ranges, in order. */
#define TL_PAIRS 0x110000 /* upper and lower case letters take turns */
typedef struct {
  uint32_t first, last;
  int32_t upper, lower; /* what is added */
} tl_letters;

TL_TABLE tl_letters tl_letter_table[] = {
#include "letters.h"
};

static uint32_t tl_letter(uint32_t c, int lower) {
  int from = 0, to = (int)(sizeof tl_letter_table / sizeof tl_letter_table[0]);
  while (from < to) {
    int mid = (from + to) / 2;
    tl_letters l = tl_letter_table[mid];
    if (c < l.first) {
      to = mid;
    } else if (c > l.last) {
      from = mid + 1;
    } else {
      if (l.upper == TL_PAIRS) return l.first + (((c - l.first) & ~1u) | (uint32_t)lower);
      return c + (uint32_t)(lower ? l.lower : l.upper);
    }
  }
  return c;
}

TL_SHARED uint32_t tl_upperc(uint32_t c) {
  if (c < 128) return c >= 'a' && c <= 'z' ? c - 32 : c;
  return tl_letter(c, 0);
}

TL_SHARED uint32_t tl_lowerc(uint32_t c) {
  if (c < 128) return c >= 'A' && c <= 'Z' ? c + 32 : c;
  return tl_letter(c, 1);
}

TL_SHARED uint32_t tl_foldc(uint32_t c) { return tl_lowerc(tl_upperc(c)); }
