// The editor: a text area, which keyboards and screen readers know, above a layer that
// has the colours and the messages; and the keys that type glyphs.

const prefix = "`";

// insert puts text in place of the selection, so that it can be undone.
export function insert(field, text) {
  field.focus();
  if (!document.execCommand("insertText", false, text)) {
    field.setRangeText(text, field.selectionStart, field.selectionEnd, "end");
    field.dispatchEvent(new Event("input", { bubbles: true }));
  }
}

// typeGlyphs makes the prefix key and the key behind it a glyph.
export function typeGlyphs(field, glyphs) {
  const keys = new Map(glyphs.filter((g) => g.key).map((g) => [g.key, g.glyph]));
  let prefixed = false;
  field.addEventListener("beforeinput", (event) => {
    if (event.inputType !== "insertText" || event.isComposing || [...(event.data ?? "")].length !== 1) {
      prefixed = false;
      return;
    }
    if (!prefixed) {
      prefixed = event.data === prefix;
      return;
    }
    prefixed = false;
    const glyph = keys.get(event.data);
    if (!glyph) return;
    event.preventDefault();
    field.setSelectionRange(field.selectionStart - prefix.length, field.selectionEnd);
    insert(field, glyph);
  });
  field.addEventListener("blur", () => { prefixed = false; });
}

// toolbar fills the bar of glyphs, through which the arrows lead.
export function toolbar(bar, glyphs, field) {
  const buttons = glyphs.map((g) => {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = g.glyph;
    const uses = [g.monadic && `monadic: ${g.monadic}`, g.dyadic && `dyadic: ${g.dyadic}`].filter(Boolean).join(", ");
    button.title = `${g.name}${uses && `; ${uses}`}${g.key ? `; ${prefix} ${g.key}` : ""}`;
    button.setAttribute("aria-label", `${g.name}${uses && `, ${uses}`}`);
    button.tabIndex = -1;
    button.addEventListener("pointerdown", (event) => event.preventDefault());
    button.addEventListener("click", () => insert(field(), g.glyph));
    return button;
  });
  bar.replaceChildren(...buttons);
  buttons[0].tabIndex = 0;
  bar.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity }[event.key];
    if (!step) return;
    event.preventDefault();
    const now = buttons.indexOf(document.activeElement);
    const next = Math.min(Math.max(now + step, 0), buttons.length - 1);
    buttons[now].tabIndex = -1;
    buttons[next].tabIndex = 0;
    buttons[next].focus();
  });
}

const tokens = /(?<comment>⍝.*)|(?<string>'(?:[^'\n]|'')*'?)|(?<number>¯?(?:\d+\.?\d*|\.\d+)(?:[eE]¯?\d+)?(?:[jJ]¯?[\d.]+)?)|(?<operator>[¨⍨⍣⍤⍥∘⌸⌺@/\\⌿⍀.⍺⍵∇])|(?<name>[\p{L}_∆⍙⎕][\p{L}\p{N}_∆⍙]*)/gu;

// kinds returns the class of each unit of a text.
function kinds(text) {
  const all = new Array(text.length).fill("");
  for (const match of text.matchAll(tokens)) {
    const kind = Object.keys(match.groups).find((k) => match.groups[k] !== undefined);
    if (kind !== "name") all.fill(kind, match.index, match.index + match[0].length);
  }
  return all;
}

// span returns an element with a text and a class.
function span(text, kind, tag = "span") {
  const element = document.createElement(tag);
  element.className = kind;
  element.textContent = text;
  return element;
}

// paint shows a text with its colours, and messages at their places.
export function paint(layer, text, messages) {
  const kind = kinds(text);
  const marked = new Array(text.length + 1).fill("");
  const said = new Map();
  for (const m of messages) {
    if (m.line === 0) continue;
    marked.fill(m.severity, m.start, Math.max(m.end, m.start + 1));
    if (!said.has(m.line)) said.set(m.line, m);
  }
  const parts = [];
  let line = 1;
  const endLine = () => {
    const m = said.get(line);
    if (m) parts.push(span(m.text, `say ${m.severity}`));
    line += 1;
  };
  for (let i = 0; i < text.length;) {
    if (text[i] === "\n") {
      if (marked[i]) parts.push(span(" ", marked[i], "mark"));
      endLine();
      parts.push("\n");
      i += 1;
      continue;
    }
    let j = i + 1;
    while (j < text.length && text[j] !== "\n" && kind[j] === kind[i] && marked[j] === marked[i]) j += 1;
    const part = kind[i] ? span(text.slice(i, j), kind[i]) : document.createTextNode(text.slice(i, j));
    if (marked[i]) {
      const mark = span("", marked[i], "mark");
      mark.append(part);
      parts.push(mark);
    } else {
      parts.push(part);
    }
    i = j;
  }
  endLine();
  parts.push("\n");
  layer.replaceChildren(...parts);
}
