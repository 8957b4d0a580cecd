package structured

import (
	"reflect"

	"github.com/tailor-lang/tailor/apl"
)

// niladic returns a body in which functions without arguments that give a result have one that
// they don't read, and are called with 0:
//
//	∇ r←limit          limit←{r←100 ⋄ r}
//	r←100
//	∇
//	⍳limit             ⍳limit 0
//
// It reports false where such a name is another one's, too, or an operator uses it, which cannot be
// made anew.
func niladic(body []apl.Stmt) ([]apl.Stmt, bool) {
	names, defined, other := set{}, set{}, set{}
	for _, s := range body {
		if name := apl.DefinedName(s); defined[name] {
			other[name] = true
		} else {
			defined[name] = true
		}
		if t, ok := s.(*apl.Tradfn); ok && len(t.Header.Result) > 0 && len(t.Header.Right) == 0 && !t.Header.Shy {
			names[t.Header.Name.Ident] = true
		}
	}
	if len(names) == 0 {
		return body, true
	}
	visit(body, func(n apl.Node) {
		switch n := n.(type) {
		case *apl.Tradfn:
			other = other.with(localsOf(n))
		case *apl.NameTarget:
			other[n.Ident] = true
		case *apl.IndexTarget:
			other[n.Ident] = true
		case *apl.Control:
			other = other.with(forNames(n))
		case *apl.Dop:
			for _, f := range apl.FreeNames(n).Free {
				other[f.Ident] = true
			}
		}
	})
	if len(names.both(other)) > 0 {
		return nil, false
	}
	now, _ := rewrite(reflect.ValueOf(body), func(n apl.Node) apl.Node {
		if v, ok := n.(*apl.Var); ok && names[v.Ident] {
			m := maker{v.At}
			return &apl.Monadic{At: v.At, F: &apl.FuncName{At: v.At, Ident: v.Ident}, Y: m.number(0)}
		}
		return nil
	})
	return now.Interface().([]apl.Stmt), true
}

// rewrite returns a value of nodes with those that f gives in place of others, and whether it is
// another one. Nodes that change are copied. It goes into those for which f gives nil.
func rewrite(v reflect.Value, f func(apl.Node) apl.Node) (now reflect.Value, changed bool) {
	switch v.Kind() {
	case reflect.Interface:
		if !v.IsNil() {
			return rewrite(v.Elem(), f)
		}
	case reflect.Pointer:
		if v.IsNil() || v.Elem().Type().PkgPath() != nodes {
			break
		}
		if n, ok := v.Interface().(apl.Node); ok {
			if x := f(n); x != nil {
				return reflect.ValueOf(x), x != n
			}
		}
		if now, changed = rewrite(v.Elem(), f); changed {
			if d, ok := now.Addr().Interface().(*apl.Dfn); ok {
				return reflect.ValueOf(d.With(d.Body)), true
			}
			return now.Addr(), true
		}
	case reflect.Slice, reflect.Struct:
		return rewriteParts(v, f)
	}
	return v, false
}

// rewriteParts is rewrite for a slice or a struct.
func rewriteParts(v reflect.Value, f func(apl.Node) apl.Node) (now reflect.Value, changed bool) {
	count, part := 0, reflect.Value.Index
	var fresh func() reflect.Value
	if v.Kind() == reflect.Slice {
		count, fresh = v.Len(), func() reflect.Value {
			all := reflect.MakeSlice(v.Type(), v.Len(), v.Len())
			reflect.Copy(all, v)
			return all
		}
	} else if v.Type().PkgPath() == nodes {
		count, part = v.NumField(), reflect.Value.Field
		fresh = func() reflect.Value {
			all := reflect.New(v.Type()).Elem()
			all.Set(v)
			return all
		}
	}
	now = v
	for i := range count {
		if v.Kind() == reflect.Struct && !v.Type().Field(i).IsExported() {
			continue
		}
		if x, ok := rewrite(part(v, i), f); ok {
			if !changed {
				now, changed = fresh(), true
			}
			part(now, i).Set(x)
		}
	}
	return now, changed
}
