// What programs show, as elements.

// picture returns an image of an item.
function picture(item) {
  const image = document.createElement("img");
  image.src = `data:${item.mime};base64,${item.data}`;
  image.alt = item.text;
  return image;
}

// table returns a table of the items of a nested matrix.
function table(rows) {
  const made = document.createElement("table");
  made.className = "items";
  for (const texts of rows) {
    const row = made.insertRow();
    for (const text of texts) {
      const pre = document.createElement("pre");
      pre.textContent = text;
      row.insertCell().append(pre);
    }
  }
  return made;
}

// present adds an item to a list of results.
export function present(result, item) {
  const box = document.createElement("div");
  box.className = `item ${item.kind}`;
  if (item.kind === "picture") {
    box.append(picture(item));
  } else if (item.kind === "note") {
    box.textContent = item.text;
  } else if (item.rows) {
    box.append(table(item.rows));
  } else {
    const pre = document.createElement("pre");
    pre.textContent = item.text.replace(/\n$/u, "");
    box.append(pre);
  }
  if (item.type) {
    const type = document.createElement("div");
    type.className = "type";
    type.textContent = item.type;
    box.append(type);
  }
  const last = result.lastElementChild;
  if (item.kind === "output" && last?.classList.contains("output")) last.firstChild.textContent += `\n${box.textContent}`;
  else result.append(box);
}
