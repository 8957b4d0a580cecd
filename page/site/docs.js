// The documentation: examples in APL become editors, whose programs run in one worker that
// is started by the first of them.

import { paint, toolbar, typeGlyphs } from "./editor.js";
import { present } from "./items.js";
import { packed } from "./share.js";
import { Tailor } from "./tailor.js";
import { themed } from "./theme.js";

const status = document.getElementById("status");
const runner = new Tailor();
let running; // the example that runs
let field; // that glyphs are typed into

// bar is the bar of glyphs, which stands in the example that is written in.
const bar = document.createElement("div");
bar.className = "glyphs";
bar.setAttribute("role", "toolbar");
bar.setAttribute("aria-label", "Glyphs");

function button(text, act, kind = "") {
  const made = document.createElement("button");
  made.type = "button";
  made.textContent = text;
  made.className = kind;
  made.addEventListener("click", act);
  return made;
}

class Example {
  #box;
  #first;
  #area = document.createElement("textarea");
  #marks = document.createElement("pre");
  #result = document.createElement("div");
  #run = button("Run", () => this.run(), "main");
  #stop = button("Stop", () => this.stop());
  #reset = button("Reset", () => this.reset());
  #link = document.createElement("a");
  #waiting;

  constructor(box, number) {
    this.#box = box;
    const program = box.querySelector(".program");
    this.#first = program.textContent.replace(/\n$/u, "");
    const area = this.#area;
    area.value = this.#first;
    area.spellcheck = false;
    area.autocapitalize = "off";
    area.setAttribute("aria-label", `Example ${number}`);
    this.#marks.className = "marks";
    this.#marks.setAttribute("aria-hidden", "true");
    this.#result.className = "result";
    this.#result.setAttribute("role", "log");
    this.#result.setAttribute("aria-label", `Result of example ${number}`);
    this.#stop.hidden = true;
    this.#reset.hidden = true;
    this.#link.className = "button";
    this.#link.textContent = "Open";
    this.#link.setAttribute("aria-label", `Open example ${number} in the page with all views`);
    const editor = document.createElement("div");
    editor.className = "editor";
    editor.append(this.#marks, area);
    const actions = document.createElement("div");
    actions.className = "actions";
    actions.append(this.#run, this.#stop, this.#reset, this.#link);
    program.replaceWith(editor, actions, this.#result);
    area.addEventListener("input", () => this.#changed());
    area.addEventListener("scroll", () => { this.#marks.scrollLeft = area.scrollLeft; });
    area.addEventListener("focus", () => {
      field = area;
      if (bar.nextElementSibling !== actions) actions.before(bar);
    });
    area.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
        event.preventDefault();
        this.run();
      } else if (event.key === "Escape") {
        this.stop();
      }
    });
    this.#changed();
  }

  get area() {
    return this.#area;
  }

  async #changed() {
    const text = this.#area.value;
    this.#area.rows = text.split("\n").length;
    this.#reset.hidden = text === this.#first;
    paint(this.#marks, text, []);
    clearTimeout(this.#waiting);
    if (runner.started && text !== this.#first) this.#waiting = setTimeout(() => this.#check(text), 300);
    this.#link.href = `../index.html${await packed(text)}`;
  }

  // check shows the checker's messages in the text, once there is a worker.
  async #check(text) {
    if (running) return;
    const { messages } = await runner.call("check", [text]);
    if (text === this.#area.value) paint(this.#marks, text, messages);
  }

  async run() {
    if (running) return;
    running = this;
    const text = this.#area.value;
    this.#set(true);
    status.textContent = runner.started ? "Running…" : "Loading Tailor…";
    for (const shown of this.#box.querySelectorAll(".shown.text")) shown.hidden = !document.body.classList.contains("verdicts");
    this.#result.replaceChildren();
    try {
      await runner.call("run", [text], (item) => {
        present(this.#result, item);
        if (item.messages) paint(this.#marks, text, item.messages);
      });
      if (!this.#result.hasChildNodes()) present(this.#result, { kind: "note", text: "shows nothing" });
    } catch (error) {
      present(this.#result, { kind: "error", text: error.message });
    }
    status.textContent = "";
    running = undefined;
    this.#set(false);
  }

  stop() {
    if (running === this) runner.stop();
  }

  reset() {
    this.#area.value = this.#first;
    this.#result.replaceChildren();
    for (const shown of this.#box.querySelectorAll(".shown")) shown.hidden = false;
    this.#changed();
    this.#area.focus();
  }

  #set(now) {
    this.#run.hidden = now;
    this.#stop.hidden = !now;
    if (now && document.activeElement === document.body) this.#stop.focus();
  }
}

async function launch() {
  themed(document.getElementById("theme"));
  const small = window.matchMedia("(width <= 56rem)");
  const pages = document.querySelector("nav details");
  const fold = () => { pages.open = !small.matches; };
  small.addEventListener("change", fold);
  fold();
  const all = [...document.querySelectorAll(".example.apl")].map((box, i) => new Example(box, i + 1));
  if (all.length > 0) {
    const glyphs = await (await fetch(new URL("glyphs.json", import.meta.url))).json();
    toolbar(bar, glyphs, () => field);
    for (const e of all) typeGlyphs(e.area, glyphs);
  }
  document.documentElement.dataset.ready = "yes";
}

launch().catch((error) => {
  status.textContent = error.message;
});
