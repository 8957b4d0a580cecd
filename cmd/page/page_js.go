package main

import (
	"context"
	"encoding/json"
	"fmt"
	"syscall/js"

	"github.com/tailor-lang/tailor/internal/play"
)

// main answers what the worker (page/site/worker.js) asks of the object tailor, which it
// adds to the globals; internal/play says what that is.
func main() {
	page := play.New(func(i play.Item) { js.Global().Call("show", encoded(i)) })
	js.Global().Set("tailor", js.ValueOf(map[string]any{
		"run": answer(func(args []js.Value) any {
			page.Clear()
			page.Run(context.Background(), args[0].String())
			return nil
		}),
		"enter": answer(func(args []js.Value) any {
			page.Run(context.Background(), args[0].String())
			return nil
		}),
		"check": answer(func(args []js.Value) any { return play.Check(args[0].String()) }),
		"stage": answer(func(args []js.Value) any {
			text, err := play.Stage(args[0].String(), args[1].String())
			if err != nil {
				return map[string]string{"error": err.Error()}
			}
			return map[string]string{"text": text}
		}),
		"profile": answer(func(args []js.Value) any { return play.Profile(args[0].String()) }),
		"complete": answer(func(args []js.Value) any {
			from, found := page.Complete(args[0].String())
			return map[string]any{"from": from, "found": found}
		}),
	}))
	js.Global().Call("ready")
	select {}
}

// answer makes a function of JavaScript, whose answer is JSON: of the value, or of an
// object with the name broken for an error of ours.
func answer(f func(args []js.Value) any) js.Func {
	return js.FuncOf(func(_ js.Value, args []js.Value) (out any) {
		defer func() {
			if r := recover(); r != nil {
				out = encoded(map[string]string{"broken": fmt.Sprint("internal error: ", r)})
			}
		}()
		return encoded(f(args))
	})
}

// encoded returns a value as JSON.
func encoded(v any) string {
	text, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(text)
}
