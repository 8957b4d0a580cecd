// The page: what is written on the left, what comes of it on the right.

import { showCosts } from "./costs.js";
import { paint, toolbar, typeGlyphs } from "./editor.js";
import { present } from "./items.js";
import { Lessons } from "./lessons.js";
import { packed, unpacked } from "./share.js";
import { Tailor, loaded } from "./tailor.js";
import { themed } from "./theme.js";

const at = (id) => document.getElementById(id);
const program = at("program");
const entry = at("entry");
const result = at("result");
const status = at("status");

const runner = new Tailor();
const analyst = new Tailor();
const opened = performance.now();

let messages = []; // of the checker, and then of the run
let field = program; // that glyphs are typed into
let stale = new Set(); // views that do not show the program yet
let selected = "result";
let running = false;

const seconds = (ms) => (ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`);

function repaint() {
  paint(at("marks"), program.value, messages);
  at("marks").scrollTop = program.scrollTop;
  at("marks").scrollLeft = program.scrollLeft;
}

// listMessages shows the messages below the program; each leads to its place.
function listMessages() {
  at("messages").replaceChildren(...messages.map((m) => {
    const button = document.createElement("button");
    button.type = "button";
    button.className = m.severity;
    button.textContent = `${m.line ? `Line ${m.line}, column ${m.column}: ` : ""}${m.text} [${m.code}]`;
    for (const text of [...(m.notes ?? []), m.help && `help: ${m.help}`].filter(Boolean)) {
      const more = document.createElement("span");
      more.className = "more";
      more.textContent = text;
      button.append(more);
    }
    button.addEventListener("click", () => {
      program.focus();
      program.setSelectionRange(m.start, Math.max(m.end, m.start));
    });
    const item = document.createElement("li");
    item.append(button);
    return item;
  }));
}

// show adds an item to the result.
function show(item) {
  present(result, item);
  if (item.messages?.some((m) => m.line > 0) && !item.ofLine) {
    messages = item.messages;
    listMessages();
    repaint();
  }
}

function setRunning(now) {
  running = now;
  at("run").disabled = now;
  at("stop").disabled = !now;
}

// execute runs a program, or a line behind it.
async function execute(call, text) {
  if (running) return;
  setRunning(true);
  status.textContent = "Running…";
  const shown = [];
  const begin = performance.now();
  let said;
  try {
    await runner.call(call, [text], (item) => {
      shown.push(item);
      show(call === "enter" ? { ...item, ofLine: true } : item);
    });
    said = `Ran in ${seconds(performance.now() - begin)}.`;
  } catch (error) {
    show({ kind: "error", text: error.message });
    said = error.message === "interrupted" ? "Interrupted." : "Stopped.";
  }
  setRunning(false);
  status.textContent = said;
  if (call === "run") lessons.judge(shown);
}

function run() {
  if (running) return;
  result.replaceChildren();
  select("result");
  execute("run", program.value);
}

function stop() {
  if (running) runner.stop();
}

const selects = {
  types: async (view) => {
    const checked = await analyst.call("check", [program.value]);
    const lead = document.createElement("p");
    lead.className = "hint";
    lead.textContent = {
      compiled: "All of the program is compiled.",
      interpreted: "The program is interpreted where its messages say so; the rest has types.",
      refused: "The program has errors.",
    }[checked.status];
    const table = document.createElement("table");
    const head = table.createTHead().insertRow();
    for (const text of ["Name", "Type"]) {
      const cell = document.createElement("th");
      cell.scope = "col";
      cell.textContent = text;
      head.append(cell);
    }
    const body = table.createTBody();
    for (const t of checked.types) {
      const row = body.insertRow();
      row.insertCell().textContent = t.name;
      row.insertCell().textContent = t.type;
    }
    view.replaceChildren(lead, ...(checked.types.length > 0 ? [table] : []));
  },
};

for (const stage of ["tail", "c", "opencl"]) {
  selects[stage] = async (view) => {
    const answer = await analyst.call("stage", [program.value, stage]);
    const pre = document.createElement("pre");
    pre.textContent = answer.error ?? (answer.text || "Nothing of this program is a kernel.");
    view.replaceChildren(pre);
  };
}

// measure runs the program once more, and shows what its lines cost.
async function measure() {
  if (running) return;
  setRunning(true);
  status.textContent = "Measuring…";
  try {
    showCosts(at("view-costs"), await runner.call("profile", [program.value]), measure);
    status.textContent = "Measured.";
  } catch (error) {
    showCosts(at("view-costs"), { error: error.message }, measure);
    status.textContent = error.message === "interrupted" ? "Interrupted." : "Stopped.";
  }
  setRunning(false);
}

selects.costs = (view) => showCosts(view, undefined, measure);

// refresh fills the view that is seen, unless it shows the program.
async function refresh() {
  const name = selected;
  if (!selects[name] || !stale.has(name)) return;
  stale.delete(name);
  const view = at(`view-${name}`);
  view.setAttribute("aria-busy", "true");
  try {
    await selects[name](view);
  } catch (error) {
    view.textContent = error.message;
  }
  view.removeAttribute("aria-busy");
}

function select(name) {
  selected = name;
  for (const tab of at("tabs").children) {
    const is = tab.id === `tab-${name}`;
    tab.setAttribute("aria-selected", is);
    tab.tabIndex = is ? 0 : -1;
    at(tab.getAttribute("aria-controls")).hidden = !is;
  }
  refresh();
}

// check asks the checker about the program as it is now.
async function check() {
  const text = program.value;
  const checked = await analyst.call("check", [text]);
  if (text !== program.value) return;
  ({ messages } = checked);
  listMessages();
  repaint();
}

let waiting;

function changed() {
  messages = [];
  repaint();
  stale = new Set(Object.keys(selects));
  clearTimeout(waiting);
  waiting = setTimeout(() => {
    check();
    refresh();
  }, 150);
}

// open puts a text into the editor.
function open(text) {
  program.value = text;
  program.scrollTop = 0;
  at("messages").replaceChildren();
  changed();
}

const lessons = new Lessons(open);

function listen() {
  program.addEventListener("input", changed);
  program.addEventListener("scroll", repaint);
  for (const f of [program, entry]) f.addEventListener("focus", () => { field = f; });
  at("run").addEventListener("click", run);
  at("stop").addEventListener("click", stop);
  at("line").addEventListener("submit", (event) => {
    event.preventDefault();
    if (entry.value.trim() === "" || running) return;
    show({ kind: "output entered", text: `      ${entry.value}` });
    execute("enter", entry.value);
    entry.value = "";
  });
  document.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      event.preventDefault();
      run();
    }
    if (event.key === "Escape") stop();
  });
  at("tabs").addEventListener("click", (event) => {
    if (event.target.role === "tab" || event.target.getAttribute("role") === "tab") select(event.target.id.slice("tab-".length));
  });
  at("tabs").addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!step) return;
    const tabs = [...at("tabs").children];
    const next = tabs[(tabs.indexOf(document.activeElement) + step + tabs.length) % tabs.length];
    next.focus();
    select(next.id.slice("tab-".length));
  });
  at("share").addEventListener("click", async () => {
    history.replaceState(null, "", await packed(program.value));
    try {
      await navigator.clipboard.writeText(location.href);
      status.textContent = "The address of this program is on the clipboard.";
    } catch {
      status.textContent = "The address of the page is that of this program now.";
    }
  });
  window.addEventListener("hashchange", async () => {
    const text = await unpacked(location.hash);
    if (text !== undefined) open(text);
  });
}

// offer fills the list of examples.
function offer(examples) {
  const list = at("examples");
  for (const [i, e] of examples.entries()) list.append(new Option(e.name, i));
  list.addEventListener("change", () => {
    if (list.value === "") return;
    open(examples[list.value].code);
    run();
    list.value = "";
  });
}

async function launch() {
  themed(at("theme"));
  listen();
  const read = async (name) => (await fetch(name)).json();
  const [glyphs, examples, course] = await Promise.all(["glyphs.json", "examples.json", "lessons.json"].map(read));
  toolbar(at("glyphs"), glyphs, () => field);
  for (const f of [program, entry]) typeGlyphs(f, glyphs);
  offer(examples);
  lessons.teach(course);
  open((await unpacked(location.hash)) ?? examples[0].code);
  await runner.start();
  document.documentElement.dataset.ready = Math.round(performance.now() - opened);
  if (!running) status.textContent = `Ready after ${seconds(performance.now() - opened)}.`;
  await analyst.start();
}

loaded();
launch().catch((error) => {
  status.textContent = error.message;
});
