// Runs in the report's page after its own program, uses it as a reader does, and writes what is wrong, or "page: all
// right", into the document, which the browser then prints.
"use strict";
(() => {
  const wrong = [];
  const expect = (holds, text) => { if (!holds) wrong.push(text); };
  const shown = [...document.querySelectorAll("section")].filter((s) => !s.hidden).map((s) => s.id);
  for (const id of ["overview", "compare", "limits", "peers", "isas", "axes", "plans", "points"]) expect(shown.includes(id), `section ${id} is not shown`);
  expect(document.body.dataset.ready === "true", "the program did not end");
  expect(performance.getEntriesByType("resource").length === 0, "something was loaded from outside");
  expect(!document.querySelector("[src], link[href]"), "the page refers to another file");

  // Each canvas has been drawn on, in more than one colour.
  const canvases = [...document.querySelectorAll("canvas")];
  expect(canvases.length >= 5, `${canvases.length} plots`);
  for (const canvas of canvases) {
    const pixels = new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer);
    expect(new Set(pixels).size > 10, `the plot in ${canvas.closest("section").id} is empty`);
  }
  expect(document.querySelectorAll(".heat td[style]").length > 100, "the plan's map is empty");

  // Sorting by the median, up and down.
  const table = document.querySelector("#points table");
  const column = [...table.querySelectorAll("th")].findIndex((th) => th.textContent.startsWith("median"));
  const head = table.querySelectorAll("th")[column];
  const units = {ns: 1, "\u00b5s": 1e3, ms: 1e6, s: 1e9};
  const times = () => [...table.querySelectorAll("tbody tr")].map((tr) => tr.children[column].textContent.split(" ")).map(([v, unit]) => Number(v.replace(/,/g, "")) * units[unit]);
  const rows = times().length;
  const ordered = (values, sign) => values.every((v, i) => i === 0 || sign * (v - values[i - 1]) >= 0);
  head.click();
  expect(ordered(times(), 1), "the table does not sort up");
  head.click();
  expect(ordered(times(), -1), "the table does not sort down");

  // Filtering.
  const box = document.querySelector("#points input");
  box.value = "std topk";
  box.dispatchEvent(new Event("input"));
  const kept = table.querySelectorAll("tbody tr").length;
  expect(kept > 0 && kept < rows, `the filter keeps ${kept} of ${rows} rows`);
  expect(rows === data.results.reduce((sum, r) => sum + r.points.length, 0), `${rows} rows`);

  // Every choice of every box draws.
  for (const section of document.querySelectorAll("section:not([hidden])")) {
    const count = section.querySelectorAll("select").length;
    for (let i = 0; i < count; ++i) {
      for (let j = 0; j < section.querySelectorAll("select")[i]?.options.length; ++j) {
        const select = section.querySelectorAll("select")[i];
        select.selectedIndex = j;
        try { select.dispatchEvent(new Event("change")); } catch (error) { wrong.push(`${section.id}: ${error}`); }
      }
    }
  }
  expect(document.querySelectorAll("#changes tr.slower").length > 0, "no row is marked as slower");
  const verdict = document.createElement("pre");
  verdict.textContent = wrong.length ? "page: " + wrong.join("; ") : "page: all right";
  document.body.appendChild(verdict);
})();
