package interp_test

import (
	"io"
	"testing"

	"github.com/tailor-lang/tailor/apl"
	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/interp"
)

func bench(b *testing.B, source string) {
	prog, err := apl.Parse(diag.NewSource("bench.apl", source))
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := interp.Run(prog, &interp.Env{Stdout: io.Discard}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCalls(b *testing.B) { bench(b, "≢{⍵+1}¨⍳1000000") }
func BenchmarkRecursion(b *testing.B) {
	bench(b, "f←{⍵=0:⍺ ⋄ (⍺+1)∇⍵-1} ⋄ 0 f 1000000")
}
func BenchmarkLU(b *testing.B)  { bench(b, lu) }
func BenchmarkSum(b *testing.B) { bench(b, "+/⍳1000000") }

// lu is an elimination by indices.
const lu = `mk←{n←⍵ ⋄ i←⍳n×n ⋄ (n×(⍳n)∘.=⍳n)+(n,n)⍴(1009|i×i)÷1009}
lu←{⍺≥≢⍵:⍵ ⋄ a←⍵ ⋄ rest←⍺↓⍳≢a ⋄ a[rest;⍺]÷←a[⍺;⍺] ⋄ a[rest;rest]-←a[rest;⍺]∘.×a[⍺;rest] ⋄ (⍺+1)∇a}
sums←{(+/+/⍵),+/+/⍵×(⍴⍵)⍴÷1+⍳7}
sums 1 lu mk 192
`
