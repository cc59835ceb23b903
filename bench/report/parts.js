// What the sections of the page are made of: numbers, elements, tables that sort, plots.
"use strict";

const data = JSON.parse(document.getElementById("data").textContent);
const colours = ["#0b6bcb", "#d9730d", "#1a7f37", "#b3261e", "#7048a8", "#0f8b8d", "#a8498b", "#7a6a00", "#5b6b7b", "#3f51b5", "#8d5524", "#2e9c5f"];
const last = data.results[data.results.length - 1];
// Files in one folder are told apart by their names.
const folder = data.results[0].label.replace(/[^/]*$/, "");
if (data.results.every((r) => r.label.startsWith(folder))) for (const r of [...data.results, ...data.comparisons]) r.label = r.label.slice(folder.length);
const ours = (p) => p.way === "topsplit";
for (const p of data.results.flatMap((r) => r.points)) if (!ours(p) || p.pool === "arena" || p.pool === "serial") p.pool = "";

// ---- numbers and elements

function short(value, digits = 3) {
  if (!isFinite(value)) return "";
  return Number(value.toPrecision(digits)).toLocaleString("en", {maximumFractionDigits: 10, useGrouping: true});
}
function time(ns) {
  for (const [unit, size] of [["s", 1e9], ["ms", 1e6], ["\u00b5s", 1e3]]) if (ns >= size) return short(ns / size) + " " + unit;
  return short(ns) + " ns";
}
function count(value) {
  for (const [unit, size] of [["G", 1e9], ["M", 1e6], ["k", 1e3]]) if (value >= size) return short(value / size) + unit;
  return short(value);
}
const geometric = (values) => Math.exp(values.reduce((sum, v) => sum + Math.log(v), 0) / values.length);
const unique = (values) => [...new Set(values)];
const ascending = (values) => unique(values).sort((a, b) => (typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b), "en", {numeric: true})));
const by = (id) => document.getElementById(id);

function add(parent, tag, text = "", className = "") {
  const element = document.createElement(tag);
  element.textContent = text;
  if (className) element.className = className;
  parent.appendChild(element);
  return element;
}
function select(parent, name, choices, chosen, changed) {
  const label = add(parent, "label", name);
  const box = add(label, "select");
  for (const [value, text] of choices) {
    const option = add(box, "option", text);
    option.value = value;
    option.selected = value === chosen;
  }
  box.addEventListener("change", () => changed(box.value));
}

// ---- tables that sort

// columns: {title, value(row), text(row)?, number?}
function table(parent, columns, rows, className = () => "") {
  const made = add(parent, "table");
  const head = add(add(made, "thead"), "tr"), body = add(made, "tbody");
  let sorted = -1, up = true;
  const fill = (shown) => {
    body.replaceChildren();
    for (const row of shown) {
      const line = add(body, "tr", "", className(row));
      for (const c of columns) add(line, "td", (c.text || ((r) => String(c.value(r) ?? "")))(row), c.number ? "number" : "");
    }
  };
  const order = (shown) => {
    if (sorted < 0) return shown;
    const value = columns[sorted].value, empty = (v) => v === undefined || v === "" || Number.isNaN(v);
    return [...shown].sort((a, b) => {
      const x = value(a), y = value(b);
      if (empty(x) || empty(y)) return empty(x) - empty(y);
      const sign = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", {numeric: true});
      return up ? sign : -sign;
    });
  };
  let shown = rows;
  columns.forEach((c, i) => {
    const cell = add(head, "th", c.title, c.number ? "number" : "");
    cell.addEventListener("click", () => {
      up = sorted === i ? !up : true;
      sorted = i;
      [...head.children].forEach((h, j) => { h.classList.toggle("up", j === i && up); h.classList.toggle("down", j === i && !up); });
      fill(order(shown));
    });
  });
  fill(rows);
  return (wanted) => { shown = wanted; fill(order(shown)); };
}

// ---- plots

Chart.defaults.font.family = "system-ui, 'Segoe UI', 'DejaVu Sans', sans-serif";
Chart.defaults.font.size = 13;
Chart.defaults.color = "#1b2733";
Chart.defaults.animation = false;
Chart.defaults.maintainAspectRatio = false;

// The range of the repetitions at each point that carries one as `low` and `high`.
const whiskers = {
  id: "whiskers",
  afterDatasetsDraw(chart) {
    const {ctx, scales} = chart;
    chart.data.datasets.forEach((set, i) => {
      if (!chart.isDatasetVisible(i)) return;
      ctx.strokeStyle = set.borderColor;
      ctx.lineWidth = 1.2;
      for (const p of set.data) {
        if (p.low === undefined || !scales.y) continue;
        const x = scales.x.getPixelForValue(p.x), low = scales.y.getPixelForValue(p.low), high = scales.y.getPixelForValue(p.high);
        ctx.beginPath();
        ctx.moveTo(x, low); ctx.lineTo(x, high);
        ctx.moveTo(x - 3, low); ctx.lineTo(x + 3, low);
        ctx.moveTo(x - 3, high); ctx.lineTo(x + 3, high);
        ctx.stroke();
      }
    });
  },
};

function draw(section, height, config) {
  const place = section.querySelector(".plot");
  Chart.getChart(place.querySelector("canvas"))?.destroy();
  place.replaceChildren();
  place.style.height = height + "px";
  return new Chart(add(place, "canvas"), config);
}
const title = (text) => ({display: true, text, font: {size: 13, weight: "bold"}});

// Horizontal bars: for each of `names` one bar of each data set.
function bars(section, names, sets, axis, {log = false, mark, text = short} = {}) {
  const height = Math.max(180, 90 + names.length * (6 + 15 * sets.length));
  const line = {
    id: "mark",
    afterDraw({ctx, chartArea, scales}) {
      if (mark === undefined) return;
      const x = scales.x.getPixelForValue(mark);
      ctx.strokeStyle = "#1b2733";
      ctx.setLineDash([5, 4]);
      ctx.beginPath(); ctx.moveTo(x, chartArea.top); ctx.lineTo(x, chartArea.bottom); ctx.stroke();
      ctx.setLineDash([]);
    },
  };
  const values = sets.flatMap((set) => set.values).filter((v) => v > 0);
  draw(section, height, {
    type: "bar",
    plugins: [line],
    data: {labels: names, datasets: sets.map((set, i) => ({label: set.label, data: set.values, backgroundColor: set.colours || colours[i % colours.length]}))},
    options: {
      indexAxis: "y",
      scales: {
        x: {type: log ? "logarithmic" : "linear", title: title(axis), min: log ? Math.min(0.5, ...values) : undefined, suggestedMax: mark,
            ticks: {callback: (v) => (log && !/^[125]/.test(String(Number(v.toPrecision(1))).replace(/^0\.0*/, "")) ? "" : short(v))}, grid: {color: "#e4e9ee"}},
        y: {ticks: {autoSkip: false, font: {size: 12}}, grid: {display: false}},
      },
      plugins: {legend: {display: sets.length > 1, position: "top"}, tooltip: {callbacks: {label: (c) => `${c.dataset.label}: ${text(c.parsed.x)}`}}},
    },
  });
}
