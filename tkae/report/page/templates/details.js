// What stands behind a row: its templates are put below it when it is opened.
(() => {
  const below = (row) => {
    const made = document.createElement("tr");
    made.className = "detail";
    made.id = `${row.id}-detail`;
    const cell = made.insertCell();
    cell.colSpan = row.cells.length;
    const stand = document.createElement("div");
    stand.className = "stand";
    for (const from of row.querySelectorAll("[data-run]")) {
      stand.append(document.getElementById(from.dataset.run).content.cloneNode(true));
    }
    cell.append(stand);
    return made;
  };

  const toggle = (row, open) => {
    const button = row.querySelector(".open");
    if ((button.getAttribute("aria-expanded") === "true") === open) return;
    button.setAttribute("aria-expanded", String(open));
    row.classList.toggle("opened", open);
    if (open) {
      row.after(below(row));
      button.setAttribute("aria-controls", `${row.id}-detail`);
    } else {
      row.nextElementSibling.remove();
      button.removeAttribute("aria-controls");
    }
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest(".open");
    if (button) return toggle(button.closest("tr"), button.getAttribute("aria-expanded") !== "true");
    const mark = event.target.closest(".mark");
    if (mark) location.hash = mark.dataset.line;
    const copy = event.target.closest(".copy");
    if (copy) {
      const said = document.getElementById("said");
      const done = () => { said.textContent = "Copied"; copy.firstChild.data = "Copied"; };
      const failed = () => { said.textContent = "Copying is not allowed here"; getSelection().selectAllChildren(copy.previousElementSibling); };
      if (navigator.clipboard) navigator.clipboard.writeText(copy.dataset.copy).then(done, failed); else failed();
    }
  });

  // A link to a row opens it, whatever the filter hides.
  const follow = () => {
    const row = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (!row || !row.classList.contains("line")) return;
    if (row.hidden) document.getElementById("filter").reset();
    setTimeout(() => {
      toggle(row, true);
      row.scrollIntoView({ block: "center" });
      row.querySelector(".open").focus({ preventScroll: true });
    });
  };
  addEventListener("hashchange", follow);
  follow();

  const links = new Map([...document.querySelectorAll(".side nav a")].map((a) => [a.hash.slice(1), a]));
  if ("IntersectionObserver" in window) {
    const seen = new IntersectionObserver((entries) => {
      for (const entry of entries.filter((one) => one.isIntersecting)) {
        for (const link of links.values()) link.removeAttribute("aria-current");
        links.get(entry.target.id)?.setAttribute("aria-current", "true");
      }
    }, { rootMargin: "-10% 0px -80% 0px" });
    for (const id of links.keys()) seen.observe(document.getElementById(id));
  }
})();
