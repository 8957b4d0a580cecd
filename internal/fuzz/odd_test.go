package fuzz

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/tailor-lang/tailor/internal/diag"
	"github.com/tailor-lang/tailor/internal/driver"
	"github.com/tailor-lang/tailor/internal/sampling"
	"github.com/tailor-lang/tailor/tail/eval"
)

// The functions and arguments of TestNoPanic, which applies each to each.
var (
	oddArguments = []string{"5", "¯1.5", "'a'", "⍬", "'abc'", "(2 2⍴⍳4)", "(0 3⍴' ')", "(1 2)(3 4)", "(⊂1 2)", "(1(2 3))", "(⍳2 2)", "(0⍴⊂1 2)", "3J4", "(,5)", "(?3)", "(0,⍨?3⍴2)", "((?3⍴1)⊆4 5 6)", "((?3⍴0+1)⊂'abc')", "(1 'a')", "(2 2⍴1 'a' (1 2)3)"}
	withOne      = strings.Split("+ ÷ * ⌹ ! ? | ⊢ ≠ ≡ ≢ ↑ ↓ ⊂ ⊃ ⊆ ⌷ ⍋ ⍳ ⍸ ∊ ∪ ~ , ⍪ ⍴ ⌽ ⊖ ⍉ ⍕ +/ ,/ +\\ ,\\ ⌽¨ +/¨ {⍺,⍵}/ 2,/ 0,/ ¯1+/ +⌿ ⍳¨ ⊂¨ {≢⍵}⌸ {⍵}⌺2 {⍵}⍤1 ⊂⍤0 {⍵}⍣≡ ⌽@1 ↓[1] ⊂[1] ,[⍬] ⌽[1] ⎕UCS ⎕DR", " ")
	withTwo      = strings.Split("+ ÷ * ⌹ ○ ! ? | ⊥ ⊤ ⊢ = < ≡ ∨ ∧ ↑ ↓ ⊂ ⊃ ⊆ ⌷ ⍋ ⍳ ⍸ ∊ ⍷ ∪ ∩ ~ , ⍪ ⍴ ⌽ ⊖ ⍉ ⍕ / \\ ⌿ +.× ∘., ,¨ ≡¨ ⍴¨ +⍤1 ,⍤0 {⍺⍵} ,[1] ,[.5] +[1] ↑[1] ⊂[1] {≢⍵}⌸ +@1 ⎕DR {⍺(⍵)}¨ ⌷[1]", " ")
)

// TestNoPanic applies functions to arguments of all sorts, or a sample; the
// answer is a value or an error of the program, never a panic.
func TestNoPanic(t *testing.T) {
	for _, y := range oddArguments {
		for _, f := range withOne {
			noPanic(t, f+y)
		}
		for _, f := range withTwo {
			for _, x := range oddArguments {
				noPanic(t, x+f+y)
			}
		}
	}
}

func noPanic(t *testing.T, text string) {
	if !sampling.Keep(text, 8) {
		return
	}
	defer func() {
		if r := recover(); r != nil {
			assert.Fail(t, fmt.Sprint(text, ": ", r))
		}
	}()
	p, err := driver.New(diag.NewSource("odd.apl", text), driver.Options{}).TAIL()
	if err == nil {
		err = eval.Run(p, &eval.Env{Stdout: io.Discard})
	}
	if err != nil {
		assert.NotContains(t, err.Error(), "internal error", text)
	}
}
