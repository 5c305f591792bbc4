// Light or dark: as the system has it, until somebody chooses; before anything is drawn, so that nothing flashes.
(() => {
  const root = document.documentElement;
  const stored = () => { try { return localStorage.getItem("theme"); } catch { return null; } };
  const show = (theme) => { if (theme) root.dataset.theme = theme; else delete root.dataset.theme; };
  show(stored());
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.getElementById("theme");
    const name = () => { button.lastElementChild.textContent = root.dataset.theme || "auto"; };
    button.addEventListener("click", () => {
      const next = { light: "dark", dark: "", "": "light" }[root.dataset.theme || ""];
      show(next);
      try { localStorage.setItem("theme", next); } catch { /* not kept, then */ }
      name();
    });
    name();
  });
})();
