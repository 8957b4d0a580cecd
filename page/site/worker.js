// Tailor in a worker: cmd/page defines the object tailor here. A message {module} starts
// it, {id, call, args} calls it. Answers are {ready}, {id, items}, {id, answer} and {gone}.
/* global Go */
importScripts("wasm_exec.js");

const mostItems = 2000; // that one call shows
const pause = 40; // milliseconds for which items are collected

let id = 0;
let items = [];
let shown = 0;
let sent = 0;

function send() {
  if (items.length > 0) self.postMessage({ id, items });
  items = [];
  sent = Date.now();
}

self.show = (item) => {
  shown++;
  if (shown > mostItems) return;
  items.push(JSON.parse(item));
  if (Date.now() - sent > pause) send();
};

self.ready = () => self.postMessage({ ready: true });

async function start(module) {
  const go = new Go();
  const instance = await WebAssembly.instantiate(module, go.importObject);
  await go.run(instance);
  send();
  self.postMessage({ gone: true });
}

self.onmessage = (event) => {
  const { module, call, args } = event.data;
  if (module) {
    start(module);
    return;
  }
  ({ id } = event.data);
  shown = 0;
  let answer;
  try {
    answer = JSON.parse(self.tailor[call](...args));
  } catch (error) {
    answer = { broken: String(error) };
  }
  send();
  self.postMessage({ id, answer, left: Math.max(shown - mostItems, 0) });
};
