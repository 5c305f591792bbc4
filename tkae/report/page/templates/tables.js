// Tables: sorted by a click on a heading, filtered all together.
(() => {
  const tables = [...document.querySelectorAll("table.results")];
  const form = document.getElementById("filter");
  const lines = (table) => [...table.tBodies[0].rows].filter((row) => row.classList.contains("line"));

  // A row that is open keeps what stands below it.
  const withDetail = (row) => {
    const below = row.nextElementSibling;
    return below && below.classList.contains("detail") ? [row, below] : [row];
  };

  const key = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.sort ?? cell.textContent.trim();
  };

  const compare = (a, b, down) => {
    if ((a === "") !== (b === "")) return a === "" ? 1 : -1; // what there is none of stays last
    const [x, y] = [Number(a), Number(b)];
    const order = Number.isNaN(x) || Number.isNaN(y) ? a.localeCompare(b, "en", { numeric: true }) : x - y;
    return down ? -order : order;
  };

  const sort = (table, heading) => {
    const down = heading.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.setAttribute("aria-sort", "none");
    heading.setAttribute("aria-sort", down ? "descending" : "ascending");
    const column = heading.cellIndex;
    const rows = lines(table).map((row) => [key(row, column), withDetail(row)]);
    rows.sort(([a], [b]) => compare(a, b, down));
    table.tBodies[0].append(...rows.flatMap(([, parts]) => parts));
    table.classList.add("sorted");
    document.getElementById("said").textContent =
      `Sorted by ${heading.textContent.trim()}, ${down ? "descending" : "ascending"}`;
  };

  for (const table of tables) {
    for (const heading of table.tHead.rows[0].cells) {
      heading.querySelector("button").addEventListener("click", () => sort(table, heading));
    }
  }

  const text = new Map(); // of each row, what a search looks through
  for (const row of tables.flatMap(lines)) {
    text.set(row, `${row.textContent} ${row.dataset.claim ?? ""}`.toLowerCase());
  }

  const fits = (row, wanted) => {
    const claim = "claim" in row.dataset;
    if (wanted.dataset && (claim || row.dataset.dataset !== wanted.dataset)) return false;
    if (wanted.method && (claim || row.dataset.method !== wanted.method)) return false;
    if (wanted.printed && !claim && !("printed" in row.dataset)) return false;
    if (!wanted.text.toLowerCase().split(/\s+/).every((word) => text.get(row).includes(word))) return false;
    const cells = [...row.querySelectorAll("td[data-verdict]")].filter(
      (cell) => !wanted.protocol || cell.dataset.protocol === wanted.protocol);
    return cells.length > 0 && (!wanted.verdict || cells.some((cell) => cell.dataset.verdict === wanted.verdict));
  };

  const filter = () => {
    const wanted = Object.fromEntries(new FormData(form));
    const idle = Object.values(wanted).every((value) => !value);
    let shown = 0, all = 0;
    for (const table of tables) {
      let here = 0;
      for (const row of lines(table)) {
        const hidden = !fits(row, wanted);
        for (const part of withDetail(row)) part.hidden = hidden;
        here += !hidden;
        all += 1;
      }
      shown += here;
      table.querySelector(".fits").textContent = idle ? "" : `${here} fit the filter.`;
      for (const cell of table.querySelectorAll("[data-protocol]")) {
        cell.hidden = Boolean(wanted.protocol) && cell.dataset.protocol !== wanted.protocol;
      }
    }
    document.getElementById("count").textContent = idle ? `${all} rows` : `${shown} of ${all} rows fit`;
  };

  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", () => setTimeout(filter));
  // On a small screen the results come first.
  if (matchMedia("(max-width: 56rem)").matches) {
    for (const fold of document.querySelectorAll(".fold")) fold.open = false;
  }
  filter();
})();
