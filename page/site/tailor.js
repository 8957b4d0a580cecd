// Tailor in workers: the runner runs programs and can be stopped, the analyst answers
// meanwhile what is asked of the program that is being written.

const source = new URL("tailor.wasm.gz", import.meta.url);

// load compiles the program, once for all workers. A server that knows it (page/serve.go)
// has the browser unpack it; from others it comes as a file.
async function load() {
  const answer = await fetch(source);
  if (!answer.ok) throw new Error("tailor.wasm.gz is not there: make page builds it");
  if (answer.headers.get("Content-Type") === "application/wasm") return WebAssembly.compileStreaming(answer);
  const unpacked = answer.body.pipeThrough(new DecompressionStream("gzip"));
  return WebAssembly.compileStreaming(new Response(unpacked, { headers: { "Content-Type": "application/wasm" } }));
}

let compiled;

// loaded resolves when workers can be started.
export function loaded() {
  compiled ??= load();
  return compiled;
}

// Worker answers calls, one after the other.
export class Tailor {
  #worker;
  #up;
  #calls = new Map();
  #last = 0;

  // started reports whether the worker was asked for.
  get started() {
    return this.#up !== undefined;
  }

  // start makes the worker; the promise resolves when it answers.
  start() {
    this.#up ??= this.#begin();
    return this.#up;
  }

  // begin starts the worker while the program is loaded.
  #begin() {
    const worker = new Worker(new URL("worker.js", import.meta.url));
    this.#worker = worker;
    return new Promise((resolve, reject) => {
      worker.onerror = (event) => reject(new Error(event.message || "the worker cannot be started"));
      worker.onmessage = ({ data }) => {
        if (data.ready) resolve();
        else if (data.gone) this.#end("the program needed more memory, or deeper calls, than a page has");
        else this.#receive(data);
      };
      loaded().then((module) => worker.postMessage({ module }), reject);
    });
  }

  #receive({ id, items, answer, left }) {
    const call = this.#calls.get(id);
    if (!call) return;
    for (const item of items ?? []) call.show(item);
    if (answer === undefined) return;
    this.#calls.delete(id);
    if (left > 0) call.show({ kind: "note", text: `and ${left} more values` });
    if (answer?.broken) call.reject(new Error(answer.broken));
    else call.resolve(answer);
  }

  // call calls a function; show gets what it shows meanwhile.
  async call(name, args, show = () => {}) {
    await this.start();
    this.#last += 1;
    const id = this.#last;
    return new Promise((resolve, reject) => {
      this.#calls.set(id, { resolve, reject, show });
      this.#worker.postMessage({ id, call: name, args });
    });
  }

  #end(why) {
    this.#worker?.terminate();
    this.#worker = undefined;
    this.#up = undefined;
    const open = [...this.#calls.values()];
    this.#calls.clear();
    for (const call of open) call.reject(new Error(why));
  }

  // stop ends what runs, and the session with it; a new worker is made at once.
  stop() {
    this.#end("interrupted");
    return this.start();
  }
}
