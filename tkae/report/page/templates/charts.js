// Charts: a word beside what is pointed at, and lines that the legend shows or hides.
(() => {
  const tip = document.getElementById("tip");

  const show = (event, text) => {
    tip.textContent = text;
    tip.hidden = false;
    const { width, height } = tip.getBoundingClientRect();
    tip.style.left = `${Math.max(4, Math.min(event.clientX + 14, innerWidth - width - 4))}px`;
    tip.style.top = `${event.clientY + height + 24 > innerHeight ? event.clientY - height - 10 : event.clientY + 16}px`;
  };

  // The value at a place between 0 and 1000 of an axis.
  const value = (chart, axis, place) => {
    const [low, high] = chart.dataset[axis].split(" ").map(Number);
    const share = place / 1000;
    return `${axis}Log` in chart.dataset ? low * (high / low) ** share : low + share * (high - low);
  };

  // Of the lines without marks, the one that is nearest to the pointer at its place along the axis.
  const nearest = (svg, event) => {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    if (at.x < 0 || at.x > 1000 || at.y < -20 || at.y > 1020) return null;
    let best = null;
    for (const line of svg.querySelectorAll(".line:not(.off)")) {
      const points = line.querySelector(".stroke").getAttribute("d").match(/-?\d+ -?\d+/g) ?? [];
      for (const [x, y] of points.map((point) => point.split(" ").map(Number))) {
        const far = Math.hypot(x - at.x, y - at.y);
        if (far < 60 && (!best || far < best.far)) best = { far, line, x, y };
      }
    }
    return best;
  };

  document.addEventListener("pointermove", (event) => {
    for (const line of document.querySelectorAll(".line.near")) line.classList.remove("near");
    const told = event.target.closest?.("[data-tip]");
    if (told) return show(event, told.dataset.tip);
    const svg = event.target.closest?.(".chart svg");
    const found = svg && nearest(svg, event);
    if (!found) { tip.hidden = true; return; }
    const chart = svg.closest(".chart");
    found.line.classList.add("near");
    const x = value(chart, "x", found.x), y = value(chart, "y", 1000 - found.y);
    show(event, `${found.line.dataset.name}: ${Number(y.toPrecision(3))} at ${chart.dataset.xTitle} ${Number(x.toPrecision(4))}`);
  });

  // One button hides one line, or the marks of one verdict or protocol.
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".legend button");
    if (!button) return;
    const on = button.getAttribute("aria-pressed") !== "true";
    button.setAttribute("aria-pressed", String(on));
    const figure = button.closest("figure");
    if (button.dataset.line !== undefined) {
      for (const line of figure.querySelectorAll(".line")) {
        if (line.dataset.name === button.dataset.line) line.classList.toggle("off", !on);
      }
      return;
    }
    const off = [...figure.querySelectorAll('.legend [aria-pressed="false"]')];
    for (const mark of figure.querySelectorAll(".mark")) {
      const hidden = off.some((one) => one.dataset.verdict === mark.dataset.verdict || one.dataset.protocol === mark.dataset.protocol);
      mark.style.display = hidden ? "none" : "";
    }
  });
})();
