package tail

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
)

// reserved are the words of the text form.
var reserved = map[string]bool{
	"let": true, "in": true, "fn": true, "fun": true, "rec": true, "if": true, "then": true, "else": true,
	"tt": true, "ff": true, "nan": true, "inf": true, "main": true, "wrap": true,
	"int": true, "bool": true, "double": true, "char": true, "complex": true,
}

// identifier returns name, or v where it is no name of the text form.
func identifier(name, v string) string {
	for i, r := range name {
		if !isWordRune(r) || i == 0 && !unicode.IsLetter(r) && r != '_' && r != '∆' && r != '⍙' {
			return v
		}
	}
	if name == "" || name == "_" {
		return v
	}
	if _, isOp := opNames[name]; isOp || reserved[name] {
		return name + "_"
	}
	return name
}

func isWordRune(r rune) bool {
	return r < 0x80 && (r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r)) || r == '∆' || r == '⍙' || r >= 0x80 && unicode.IsLetter(r)
}

// funcName returns the name of f. Func.Name is unique in a program.
func funcName(f *Func) string { return identifier(f.Name, "f_"+wordRunes(f.Name)) }

// wordRunes spells the runes of a name that is no identifier.
func wordRunes(name string) string {
	var b strings.Builder
	for _, r := range name {
		if isWordRune(r) {
			b.WriteRune(r)
		} else {
			fmt.Fprintf(&b, "_%x", r)
		}
	}
	return b.String()
}

// name returns the name of v, unique among the variables of the function.
func (pr *printer) name(v *Var) string {
	if pr.trial {
		return "v_00" // the layout does not depend on names
	}
	if n, ok := pr.names[v]; ok {
		return n
	}
	if pr.names == nil {
		pr.names, pr.taken = map[*Var]string{}, map[string]int{}
	}
	base := identifier(v.Name, "v")
	n := base
	for {
		if _, used := pr.taken[n]; !used {
			break
		}
		pr.taken[base]++
		n = base + "_" + strconv.Itoa(pr.taken[base])
	}
	pr.taken[n] += 0
	pr.names[v] = n
	return n
}
