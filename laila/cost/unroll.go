package cost

const (
	// UnrollTerms is the longest known axis of integers, made from scalars and
	// constants, that is reduced by an expression in a loop around it.
	UnrollTerms = 32
	// UnrollCost is the most scalar operations that such a reduction comes to.
	UnrollCost = 512
)
