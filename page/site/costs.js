// The view of what lines cost in a run: a table with a background by the share of the time.

function size(bytes) {
  if (bytes < 1000) return `${bytes} B`;
  const step = Math.min(Math.floor(Math.log10(bytes) / 3), 4);
  return `${(bytes / 1000 ** step).toPrecision(3)} ${["B", "kB", "MB", "GB", "TB"][step]}`;
}

function time(seconds) {
  if (seconds >= 1) return `${seconds.toPrecision(3)} s`;
  if (seconds >= 1e-3) return `${(seconds * 1e3).toPrecision(3)} ms`;
  return `${Math.round(seconds * 1e6)} µs`;
}

function cells(row, texts, kind = "td") {
  for (const text of texts) {
    const cell = document.createElement(kind);
    if (kind === "th") cell.scope = "col";
    cell.textContent = text;
    row.append(cell);
  }
}

function table(costs) {
  const out = document.createElement("table");
  out.className = "costs";
  out.createCaption().textContent = `${time(costs.seconds)}, target ${costs.target}; in compiled programs lines are often computed together`;
  cells(out.createTHead().insertRow(), ["Line", "Share", "Time", "Runs", "Memory", "Text"], "th");
  const body = out.createTBody();
  for (const line of costs.lines) {
    const row = body.insertRow();
    row.style.setProperty("--share", `${Math.round(line.share * 100)}%`);
    const counted = line.joined
      ? ["", "", "", ""]
      : [`${Math.round(line.share * 100)}%`, time(line.seconds), String(line.runs), line.allocations > 0 ? size(line.bytes) : ""];
    cells(row, [String(line.line), ...counted, line.text]);
  }
  return out;
}

// showCosts fills the view; measure runs the program.
export function showCosts(view, costs, measure) {
  const button = document.createElement("button");
  button.type = "button";
  button.id = "measure";
  button.textContent = "Run and measure";
  button.addEventListener("click", measure);
  const parts = [button];
  if (costs?.error) {
    const error = document.createElement("pre");
    error.className = "error";
    error.textContent = costs.error;
    parts.push(error);
  }
  if (costs?.lines?.length > 0) parts.push(table(costs));
  view.replaceChildren(...parts);
}
