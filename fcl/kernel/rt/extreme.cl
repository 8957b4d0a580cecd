// Minimum and maximum of floats or doubles that give the left operand where neither is less.
T MINIMUM(T a, T b) { return b < a ? b : a; }

T MAXIMUM(T a, T b) { return a < b ? b : a; }
