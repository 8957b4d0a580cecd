// Colours: as the system has them, light or dark, chosen by a button and kept.

const themes = [["", "Colours: as the system has them"], ["light", "Colours: light"], ["dark", "Colours: dark"]];

// kept reads or writes a setting; a browser may forbid both.
function kept(name, value) {
  try {
    if (value === undefined) return localStorage.getItem(name) ?? "";
    localStorage.setItem(name, value);
  } catch {
    // the setting holds for this page only
  }
  return "";
}

function setTheme(button, name) {
  const [theme, label] = themes.find((t) => t[0] === name) ?? themes[0];
  if (theme) document.documentElement.dataset.theme = theme;
  else delete document.documentElement.dataset.theme;
  button.setAttribute("aria-label", label);
  button.title = label;
}

// themed makes a button go through the colours, beginning with those that were kept.
export function themed(button) {
  setTheme(button, kept("theme"));
  button.addEventListener("click", () => {
    const now = document.documentElement.dataset.theme ?? "";
    const next = themes[(themes.findIndex((t) => t[0] === now) + 1) % themes.length][0];
    setTheme(button, next);
    kept("theme", next);
  });
}
