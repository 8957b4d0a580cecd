package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/tailor-lang/tailor/apl"
)

// otherNames are names of uses that the table of glyphs has under others.
var otherNames = map[string][]string{
	"reduce": {"/", "⌿"}, "reduction": {"/", "⌿"}, "fold": {"/", "⌿"}, "scan": {"\\", "⍀"}, "compress": {"/", "⌿"},
	"compose": {"∘", "⍥", "⍤"}, "dot": {"."}, "map": {"¨"}, "swap": {"⍨"}, "selfie": {"⍨"}, "enlist": {"∊"}, "sort": {"⍋", "⍒"},
	"length": {"≢"}, "concatenate": {","}, "execute": {"⍎"}, "assignment": {"←"}, "assign": {"←"}, "comment": {"⍝"},
}

// help describes what has a name, or lists the commands.
func (s *Session) help(ctx context.Context, arg string) error {
	if arg == "" {
		for _, c := range commands {
			if !c.alias {
				fmt.Fprintf(s.Out, "%-38s %s\n", c.name+" "+c.args, c.doc)
			}
		}
		fmt.Fprintln(s.Out, "Also )vars )fns )clear )off, :t EXPR and :q; help, ?, quit and exit.")
		return nil
	}
	for _, k := range s.known {
		if k.Name == arg && k.class != apl.ArrayClass {
			fmt.Fprintf(s.Out, "%s : %s\n%s\n", k.Name, s.scheme(k), k.source)
			return nil
		}
	}
	if strings.EqualFold(arg, "operators") {
		s.listOperators()
		return nil
	}
	found := glyphsNamed(arg)
	for _, g := range found {
		if err := s.helpGlyph(ctx, g); err != nil {
			return err
		}
	}
	n := systemName(arg)
	if n != nil && len(found) == 0 {
		fmt.Fprintf(s.Out, "%s  %s\n", n.Name, n.Doc)
		return nil
	}
	if len(found) == 0 {
		return fmt.Errorf("nothing is called %s; ]keys lists the glyphs, ]help operators the operators", arg)
	}
	return nil
}

// glyphsNamed returns a glyph, or all that have a name or a use of that name.
func glyphsNamed(name string) []*apl.Glyph {
	if g := apl.LookupGlyph(name); g != nil {
		return []*apl.Glyph{g}
	}
	plain := func(s string) string { return strings.ToLower(strings.ReplaceAll(s, " ", "")) }
	name = plain(name)
	var found []*apl.Glyph
	for i := range apl.Glyphs {
		g := &apl.Glyphs[i]
		for _, n := range []string{g.Name, g.Monadic, g.Dyadic} {
			if n != "" && (plain(n) == name || plain(n) == name+"operator") {
				found = append(found, g)
				break
			}
		}
	}
	for _, glyph := range otherNames[name] {
		found = append(found, apl.LookupGlyph(glyph))
	}
	return found
}

// uses returns how a glyph is used: the forms and what they are called.
func uses(g *apl.Glyph) [][2]string {
	monadic, dyadic := g.Glyph+"⍵", "⍺"+g.Glyph+"⍵"
	switch g.Class {
	case apl.MonadicGlyph:
		monadic, dyadic = "f"+g.Glyph, "A"+g.Glyph
	case apl.DyadicGlyph:
		monadic, dyadic = "f"+g.Glyph+"g", "f"+g.Glyph+"A"
	}
	all := [][2]string{{monadic, g.Monadic}, {dyadic, g.Dyadic}}
	switch g.Glyph {
	case "/", "⌿":
		all[0] = [2]string{"f" + g.Glyph, "reduce"}
	case "\\", "⍀":
		all[0] = [2]string{"f" + g.Glyph, "scan"}
	}
	return all
}

// helpGlyph describes a glyph, with examples.
func (s *Session) helpGlyph(ctx context.Context, g *apl.Glyph) error {
	fmt.Fprintf(s.Out, "%s  %s", g.Glyph, g.Name)
	if g.Key != "" && g.Key != g.Glyph {
		fmt.Fprintf(s.Out, "   typed %c%s", DefaultPrefix, g.Key)
	}
	fmt.Fprintln(s.Out)
	for _, use := range uses(g) {
		if use[1] != "" {
			fmt.Fprintf(s.Out, "  %4s   %s\n", use[0], use[1])
		}
	}
	if refused[g.Glyph] {
		fmt.Fprintln(s.Out, "   not compiled: it is refused by name")
	}
	for _, example := range examples[g.Glyph] {
		fmt.Fprintf(s.Out, "      %s\n", example)
		fresh := New(s.Out)
		if err := fresh.Execute(ctx, example); err != nil {
			return err
		}
	}
	return nil
}

// listOperators lists the operators, with one example each.
func (s *Session) listOperators() {
	for i := range apl.Glyphs {
		g := &apl.Glyphs[i]
		if g.Class != apl.MonadicGlyph && g.Class != apl.DyadicGlyph && g.Class != apl.HybridGlyph {
			continue
		}
		example := ""
		if all := examples[g.Glyph]; len(all) > 0 {
			example = all[len(all)-1]
		}
		for _, use := range uses(g) {
			if use[1] != "" && !(g.Class == apl.HybridGlyph && use[1] == g.Dyadic) {
				fmt.Fprintf(s.Out, "  %-4s   %-16s %s\n", use[0], use[1], example)
				example = ""
			}
		}
	}
}

// systemName returns the row of a system name, in letters of any case.
func systemName(name string) *apl.SystemName {
	for i := range apl.SystemNames {
		if n := &apl.SystemNames[i]; strings.EqualFold(n.Name, name) {
			return n
		}
	}
	return nil
}
