/* Letters and their cases; the table tl_letter_table stands before this. */
static uint tl_letter(uint c, int lower) {
  int from = 0, to = (int)(sizeof tl_letter_table / sizeof tl_letter_table[0]) / 4;
  while (from < to) {
    int mid = (from + to) / 2;
    __constant int *l = &tl_letter_table[4 * mid];
    if (c < (uint)l[0]) {
      to = mid;
    } else if (c > (uint)l[1]) {
      from = mid + 1;
    } else {
      if (l[2] == TL_PAIRS) return (uint)l[0] + (((c - (uint)l[0]) & ~1u) | (uint)lower);
      return c + (uint)(lower ? l[3] : l[2]);
    }
  }
  return c;
}
static uint tl_upperc(uint c) { return tl_letter(c, 0); }
static uint tl_lowerc(uint c) { return tl_letter(c, 1); }
static uint tl_foldc(uint c) { return tl_lowerc(tl_upperc(c)); }

