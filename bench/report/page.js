// Draws the report from the JSON in the page. Each section shows itself only where the data has something for it.

// A shape of a grid is named by what differs among the report's shapes of its operator.
const parts = {};
for (const p of data.results.flatMap((r) => r.points)) {
  if (!p.workload) p.shape.split("/").forEach((part, i) => ((parts[p.op] ??= [])[i] ??= new Set()).add(part));
}
function named(p) {
  if (p.workload) return `${p.workload} ${p.what}`;
  return [p.op, ...p.shape.split("/").filter((part, i) => parts[p.op][i].size > 1)].join(" ");
}
const points = new Map(data.results.flatMap((r) => r.points.map((p) => [p.name, p])));
const pointNamed = (name) => `${named(points.get(name))}, ${wayOf(points.get(name))}`;
const wayOf = (p) => [p.way, p.isa, p.threads > 1 ? `${p.threads} threads` : "", p.pool].filter(Boolean).join(", ");

function overview() {
  by("subtitle").textContent = data.results.map((r) => `${r.label} (${r.context.date || "no date"})`).join("  \u2192  ");
  const card = (value, text, kind = "") => { const c = add(by("cards"), "div", "", "card " + kind); add(c, "b", value); add(c, "span", text); };
  card(last.points.length, "points measured");
  for (const op of ["topk", "split"]) {
    const limits = last.points.filter((p) => ours(p) && p.op === op && p.limit).map((p) => p.limit);
    if (limits.length) card(short(geometric(limits) * 100, 2) + " %", `${op}: of the limit, geometric mean`);
  }
  for (const [peer, pairs] of Object.entries(peerRatios(last))) {
    for (const op of ["topk", "split"]) {
      const ratios = pairs.filter((x) => x.point.op === op).map((x) => x.ratio);
      if (ratios.length) card(short(geometric(ratios), 2) + "\u00d7", `${op}: as fast as ${peer}, geometric mean`);
    }
  }
  for (const c of data.comparisons) {
    const slower = c.changes.filter((x) => x.verdict === "slower" && x.ours).length, faster = c.changes.filter((x) => x.verdict === "faster" && x.ours).length;
    card(`${slower} slower, ${faster} faster`, `of ${c.changes.filter((x) => x.ours).length} points of ours`, slower ? "bad" : faster ? "good" : "");
  }
  const facts = unique(data.results.flatMap((r) => Object.keys(r.settings.machine || {})));
  const row = (name, of) => ({name, values: data.results.map(of)});
  const rows = [row("topsplit", (r) => r.settings.version), row("data lies", (r) => r.settings.cache),
    row("repetitions", (r) => `${r.settings.repetitions} of ${r.settings.min_time} s`),
    row("peers", (r) => Object.entries(r.settings.peers || {}).map((x) => x.join(" ")).join("; ") || "none"),
    ...facts.map((f) => row(f, (r) => (r.settings.machine || {})[f]))];
  table(by("machine"), [{title: "", value: (r) => r.name}, ...data.results.map((r, i) => ({title: r.label, value: (x) => x.values[i]}))], rows);
}

// {peer: [{point, ratio}]}: the other's time over ours, on the shape and threads of both.
function peerRatios(result) {
  const own = {}, ratios = {};
  for (const p of result.points) if (ours(p)) own[p.shape + "/" + p.threads] ??= p;
  for (const p of result.points) {
    const mine = own[p.shape + "/" + p.threads];
    if (ours(p) || !mine || p.way === "read" || p.way === "copy") continue;
    (ratios[p.way] ??= []).push({point: mine, ratio: p.ns / mine.ns});
  }
  return ratios;
}

function peers() {
  const section = by("peers"), ratios = peerRatios(last);
  const show = (op) => {
    const all = Object.values(ratios).flat().filter((x) => x.point.op === op);
    const key = (p) => named(p) + (p.threads > 1 ? `, ${p.threads} threads` : "");
    const names = unique(all.map((x) => key(x.point)));
    bars(section, names, Object.entries(ratios).map(([peer, pairs]) => ({label: peer, values: names.map((n) => pairs.find((x) => key(x.point) === n)?.ratio)})),
      "the other's time over topsplit's (log scale)", {log: true, mark: 1, text: (v) => short(v) + " times as long"});
  };
  const ops = unique(Object.values(ratios).flat().map((x) => x.point.op));
  if (!ops.length) return;
  section.hidden = false;
  select(section.querySelector(".controls"), "operator", ops.map((o) => [o, o]), ops[0], show);
  show(ops[0]);
}

function limits() {
  const section = by("limits");
  const known = last.points.filter((p) => ours(p) && p.limit);
  if (!known.length) return;
  section.hidden = false;
  const threads = ascending(known.map((p) => p.threads)), ops = unique(known.map((p) => p.op));
  const state = {op: ops[0], threads: threads[0]};
  const show = () => {
    const wanted = (p) => ours(p) && p.limit && p.op === state.op && p.threads === state.threads;
    const names = unique(known.filter(wanted).map(named));
    const isas = unique(known.filter(wanted).map((p) => p.isa));
    const sets = data.results.length > 1
      ? data.results.map((r) => ({label: r.label, values: names.map((n) => 100 * r.points.find((p) => wanted(p) && named(p) === n && p.isa === isas[0])?.limit)}))
      : isas.map((isa) => ({label: isa, values: names.map((n) => 100 * known.find((p) => wanted(p) && named(p) === n && p.isa === isa)?.limit)}));
    bars(section, names, sets, "% of the limit", {mark: 100, text: (v) => short(v) + " %"});
  };
  const box = section.querySelector(".controls");
  select(box, "operator", ops.map((o) => [o, o]), state.op, (v) => { state.op = v; show(); });
  select(box, "threads", threads.map((t) => [String(t), String(t)]), String(state.threads), (v) => { state.threads = Number(v); show(); });
  show();
}

function isas() {
  const section = by("isas");
  const known = last.points.filter((p) => ours(p) && p.isa !== "auto");
  const order = unique(known.map((p) => p.isa));
  if (order.length < 2) return;
  section.hidden = false;
  const ops = unique(known.map((p) => p.op));
  const show = (op) => {
    const some = known.filter((p) => p.op === op && p.threads === Math.min(...known.map((x) => x.threads)));
    const names = unique(some.map(named)), at = (name, isa) => some.find((p) => named(p) === name && p.isa === isa)?.ns;
    bars(section, names, order.map((isa) => ({label: isa, values: names.map((n) => at(n, order[0]) / at(n, isa))})),
      `times as fast as ${order[0]} (log scale)`, {log: true, mark: 1, text: (v) => short(v) + " times as fast"});
  };
  select(section.querySelector(".controls"), "operator", ops.map((o) => [o, o]), ops[0], show);
  show(ops[0]);
}

function changes() {
  if (!data.comparisons.length) return;
  by("compare").hidden = false;
  for (const c of data.comparisons) {
    const place = add(by("changes"), "div");
    add(place, "h3", `${data.results[0].label} \u2192 ${c.label}: ${c.changes.length} points in both`);
    const plot = add(place, "div", "", "plot");
    const most = [...c.changes].filter((x) => x.ours).sort((a, b) => Math.abs(b.percent) - Math.abs(a.percent)).slice(0, 25).sort((a, b) => b.percent - a.percent);
    const colour = {slower: "#b3261e", faster: "#1a7f37", same: "#9aa7b4"};
    if (most.length) {
      bars({querySelector: () => plot}, most.map((x) => pointNamed(x.name)), [{label: "change", values: most.map((x) => x.percent), colours: most.map((x) => colour[x.verdict])}],
        "change of the median time, % (the 25 largest of ours; grey: within noise or threshold)", {mark: 0, text: (v) => short(v) + " %"});
    }
    table(add(place, "div", "", "scroll tall"), [
      {title: "point", value: (r) => pointNamed(r.name)},
      {title: "before", number: true, value: (r) => r.before, text: (r) => time(r.before)},
      {title: "after", number: true, value: (r) => r.after, text: (r) => time(r.after)},
      {title: "change, %", number: true, value: (r) => r.percent, text: (r) => (r.percent > 0 ? "+" : "") + r.percent.toFixed(1)},
      {title: "noise, %", number: true, value: (r) => r.noise, text: (r) => r.noise.toFixed(1)},
      {title: "verdict", value: (r) => r.verdict}], c.changes, (r) => r.verdict);
  }
}

const axisNames = {n: "n (elements of a slice)", k: "k", threads: "threads", input_bytes: "bytes of input", piece: "bytes of a piece", parts: "parts",
  rows: "rows", inner: "inner size", element: "bytes of an element", offset: "offset, bytes"};
const metrics = {
  speed: {title: "GB/s of input (log scale)", of: (p, ns) => p.input_bytes / ns},
  time: {title: "time, \u00b5s (log scale)", of: (p, ns) => ns / 1e3},
  element: {title: "ns an element (log scale)", of: (p, ns) => (p.op === "topk" ? ns / (p.rows * p.n * p.inner) : ns / (p.input_bytes / p.element))},
  limit: {title: "% of the limit (log scale)", of: (p, ns) => (p.limit ? 100 * p.limit * p.ns / ns : NaN)},
};
const facets = ["op", "shape", "rows", "n", "k", "inner", "type", "values", "select", "order", "parts", "piece", "element", "offset", "way", "isa", "threads", "pool", "result"];

// What else moves with an axis, and so tells no line from another.
function moving(axis) {
  if (axis === "threads") return ["threads", "pool"];
  return ["shape", axis].concat(axis === "input_bytes" ? ["n", "rows"] : axis === "piece" || axis === "parts" ? ["rows"] : []);
}

function axes() {
  const section = by("axes"), box = section.querySelector(".controls");
  const all = data.results.flatMap((r) => r.points.map((p) => ({...p, shape: named(p), result: r.label})));
  const candidates = (axis) => all.filter((p) => p[axis] !== undefined && (axis === "threads" || !p.workload));
  const usable = Object.keys(axisNames).filter((axis) => unique(candidates(axis).map((p) => p[axis])).length > 1);
  if (!usable.length) return;
  section.hidden = false;
  const state = {axis: usable[0], metric: "speed", chosen: {}};
  const redraw = () => {
    box.replaceChildren();
    select(box, "against", usable.map((a) => [a, axisNames[a]]), state.axis, (v) => { state.axis = v; state.chosen = {}; redraw(); });
    select(box, "show", Object.entries(metrics).map(([k, m]) => [k, m.title.replace(" (log scale)", "")]), state.metric, (v) => { state.metric = v; redraw(); });
    let points = candidates(state.axis);
    const names = facets.filter((f) => !moving(state.axis).includes(f) && (f !== "shape" || state.axis === "threads"));
    const several = (f, most) => unique(points.map((p) => p[f])).length <= most;
    const free = ["way", "isa", "result", "pool"].concat(state.axis === "threads" ? ["shape"] : several("way", 2) ? ["k", "threads"] : []);
    for (const f of names) {
      const values = ascending(points.filter((p) => p[f] !== undefined).map((p) => p[f]));
      if (values.length < 2) continue;
      const chosen = state.chosen[f] ?? (free.includes(f) ? "all" : String(values[0]));
      select(box, f, [["all", "all"], ...values.map((v) => [String(v), String(v) || "-"])], chosen, (v) => { state.chosen[f] = v; redraw(); });
      if (chosen !== "all") points = points.filter((p) => p[f] === undefined || p[f] === "" || String(p[f]) === chosen);
    }
    lines(section, points, state, names);
  };
  redraw();
}

function lines(section, points, state, names) {
  const metric = metrics[state.metric];
  const varied = names.filter((f) => unique(points.map((p) => String(p[f]))).length > 1);
  const label = (p) => varied.filter((f) => p[f] !== undefined && p[f] !== "").map((f) => (["n", "k", "rows", "inner", "parts", "piece", "element", "offset", "threads"].includes(f) ? `${f}=${p[f]}` : p[f])).join(" ") || p.way;
  const series = {};
  for (const p of points) {
    if (Number.isFinite(metric.of(p, p.ns))) (series[label(p)] ??= []).push({x: p[state.axis], y: metric.of(p, p.ns), low: metric.of(p, p.most_ns), high: metric.of(p, p.least_ns), point: p});
  }
  const most = 12, all = Object.entries(series).filter(([, s]) => s.length > 1);
  const isLimit = (s) => s[0].point.way === "read" || s[0].point.way === "copy";
  const rank = (s) => (ours(s[0].point) ? 0 : isLimit(s) ? 2 : 1);
  all.sort((a, b) => rank(a[1]) - rank(b[1]));
  const colour = (s, i) => (isLimit(s) ? "#7b8794" : colours[i % colours.length]);
  const first = points[0] ?? {};
  const fixed = facets.filter((f) => !moving(state.axis).includes(f) && !varied.includes(f) && (first[f] ?? "") !== "");
  const same = fixed.map((f) => (typeof first[f] === "number" ? `${f}=${first[f]}` : first[f])).join(", ");
  draw(section, 480, {
    type: "line",
    plugins: [whiskers],
    data: {datasets: all.slice(0, most).map(([name, s], i) => ({label: name, data: s.sort((a, b) => a.x - b.x), borderColor: colour(s, i), backgroundColor: colour(s, i),
      borderDash: isLimit(s) ? [6, 4] : [], pointRadius: 3.5, borderWidth: 2}))},
    options: {
      parsing: true,
      scales: {
        x: {type: ["threads", "offset", "parts"].includes(state.axis) ? "linear" : "logarithmic", title: title(axisNames[state.axis]), ticks: {callback: (v) => (Number.isInteger(Math.log10(v)) || ["threads", "offset", "parts"].includes(state.axis) ? count(v) : "")}, grid: {color: "#eef1f4"}},
        y: {type: "logarithmic", title: title(metric.title), ticks: {autoSkip: false, callback: (v) => (/^[125]/.test(v.toExponential()) && /^\de/.test(v.toExponential()) ? count(v) : "")}, grid: {color: "#eef1f4"}},
      },
      plugins: {
        legend: {position: "bottom", labels: {usePointStyle: true}},
        title: {display: true, text: `${metric.title.replace(" (log scale)", "")} against ${axisNames[state.axis]}`, font: {size: 15}},
        subtitle: {display: true, text: same + (all.length > most ? `: ${most} of ${all.length} lines, choose above` : ""), padding: {bottom: 8}},
        tooltip: {callbacks: {label: (c) => `${c.dataset.label}: ${short(c.parsed.y)} (${short(c.raw.low)} to ${short(c.raw.high)})${c.raw.point.algorithm ? ", " + c.raw.point.algorithm : ""}`}},
      },
    },
  });
}

function plans() {
  const section = by("plans"), map = last.plans;
  const types = Object.keys(map.types || {});
  if (!types.length) return;
  section.hidden = false;
  const grid = (type) => map.types[type].map((row) => row.split(" ").map((a) => (a === "-" ? "" : a)));
  const algorithms = unique(types.flatMap((t) => grid(t).flat())).filter(Boolean).sort();
  const colour = (a) => colours[algorithms.indexOf(a) % colours.length];
  for (const a of algorithms) {
    const item = add(section.querySelector(".legend"), "span");
    add(item, "i").style.background = colour(a);
    item.append(a);
  }
  const binary = (v) => (v >= 1 << 20 ? (v >> 20) + "M" : v >= 1024 ? (v >> 10) + "K" : String(v));
  const show = (type) => {
    const place = section.querySelector(".heat");
    place.replaceChildren();
    const made = add(place, "table"), rows = grid(type);
    for (let i = map.k.length - 1; i >= 0; --i) {
      const line = add(made, "tr");
      add(line, "th", "k = " + binary(map.k[i]));
      rows[i].forEach((a, j) => {
        const cell = add(line, "td", "", a ? "" : "none");
        cell.title = a ? `n = ${map.n[j]}, k = ${map.k[i]}: ${a}` : "k above n";
        if (a) cell.style.background = colour(a);
      });
    }
    const foot = add(made, "tr");
    add(foot, "th", "n =");
    for (const n of map.n) add(foot, "th", binary(n));
  };
  select(section.querySelector(".controls"), `ISA ${map.isa}, type`, types.map((t) => [t, t]), types[0], show);
  show(types[0]);
}

function allPoints() {
  const section = by("points");
  const rows = data.results.flatMap((r) => r.points.map((p) => ({...p, result: r.label})));
  const columns = [
    {title: "shape", value: named},
    {title: "way", value: wayOf},
    {title: "median", number: true, value: (p) => p.ns, text: (p) => time(p.ns)},
    {title: "spread, %", number: true, value: (p) => 100 * (p.most_ns - p.least_ns) / p.ns, text: (p) => (100 * (p.most_ns - p.least_ns) / p.ns).toFixed(1)},
    {title: "GB/s", number: true, value: (p) => p.input_bytes / p.ns, text: (p) => short(p.input_bytes / p.ns)},
    {title: "% of limit", number: true, value: (p) => p.limit, text: (p) => (p.limit ? short(100 * p.limit) : "")},
    {title: "input", number: true, value: (p) => p.input_bytes, text: (p) => count(p.input_bytes) + "B"},
    {title: "algorithm", value: (p) => p.algorithm},
    {title: "check", value: (p) => p.check}];
  if (data.results.length > 1) columns.unshift({title: "result", value: (p) => p.result});
  const show = table(section.querySelector(".scroll"), columns, rows);
  const text = rows.map((p) => `${p.result} ${named(p)} ${p.name} ${wayOf(p)} ${p.algorithm} ${p.check} ${p.op} ${p.type}`.toLowerCase());
  section.querySelector("input").addEventListener("input", (event) => {
    const words = event.target.value.toLowerCase().split(/\s+/);
    show(rows.filter((p, i) => words.every((w) => text[i].includes(w))));
  });
}

for (const part of [overview, changes, limits, peers, isas, axes, plans, allPoints]) part();
document.body.dataset.ready = "true";
