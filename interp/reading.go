package interp

import "github.com/tailor-lang/tailor/apl"

// reading returns a statement as it reads with the classes that names have in a frame.
func (in *Interp) reading(f *Frame, l *apl.Loose) (apl.Stmt, error) {
	differs := false
	for _, s := range l.Assumed() {
		if v := in.held(f, s.Name); v != nil && classOf(v) != s.Class {
			differs = true
			break
		}
	}
	if !differs {
		return l.Stmt, nil
	}
	classes := map[string]apl.Class{}
	key := ""
	for _, s := range l.Assumed() {
		class := s.Class
		if v := in.held(f, s.Name); v != nil {
			class = classOf(v)
		}
		classes[s.Name] = class
		key += string(rune('0' + class))
	}
	known := in.looseReadings[l]
	if known == nil {
		known = map[string]apl.Stmt{}
		in.looseReadings[l] = known
	}
	if s := known[key]; s != nil {
		return s, nil
	}
	s, err := l.Reread(classes)
	if err == nil {
		known[key] = s
	}
	return s, err
}
