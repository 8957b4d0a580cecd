// The tutorial: lessons with a program that runs, and a task.

const at = (id) => document.getElementById(id);

// prose returns a paragraph in which `code` is code.
function prose(text) {
  const paragraph = document.createElement("p");
  for (const [i, part] of text.split("`").entries()) {
    if (i % 2 === 0) {
      paragraph.append(part);
    } else {
      const code = document.createElement("code");
      code.textContent = part;
      paragraph.append(code);
    }
  }
  return paragraph;
}

// shownBy returns what items say, without the types.
function shownBy(items) {
  return items.filter((i) => i.kind === "value" || i.kind === "output").map((i) => i.text).join("");
}

export class Lessons {
  #open;
  #all = [];
  #place = -1;

  constructor(open) {
    this.#open = open;
  }

  // teach makes the lessons those of a list.
  teach(all) {
    this.#all = all;
    at("learn").addEventListener("click", () => this.#toggle());
    at("lesson-back").addEventListener("click", () => this.#go(this.#place - 1));
    at("lesson-next").addEventListener("click", () => this.#go(this.#place + 1));
    at("lesson-answer").addEventListener("click", () => this.#open(this.#all[this.#place].answer));
  }

  #toggle() {
    const show = at("lesson").hidden;
    at("lesson").hidden = !show;
    at("learn").setAttribute("aria-expanded", show);
    if (show) this.#go(Math.max(this.#place, 0));
  }

  #go(place) {
    this.#place = place;
    const lesson = this.#all[place];
    at("lesson-title").textContent = lesson.title;
    at("lesson-place").textContent = `${place + 1} of ${this.#all.length}`;
    at("lesson-text").replaceChildren(...lesson.text.map(prose), prose(`Your turn: ${lesson.task}`));
    at("lesson-verdict").textContent = "";
    at("lesson-back").disabled = place === 0;
    at("lesson-next").disabled = place === this.#all.length - 1;
    at("lesson-title").focus();
    this.#open(lesson.code);
  }

  // judge says whether what a program showed is what the lesson asks for.
  judge(items) {
    if (at("lesson").hidden || this.#place < 0) return;
    const done = shownBy(items).trimEnd() === this.#all[this.#place].expect.trimEnd();
    at("lesson-verdict").textContent = done ? "Right: that is what was asked for." : "";
  }
}
