/* SPDX-License-Identifier: Apache-2.0 */
/* The run over time: cycles by class or instructions, and a lane for each process and each
 * hart; dragging selects a part. */
const strip = at("overview"), GRAPH = 62, LANE = 13, GUTTER = 104, MOST_LANES = 7;
let drag = null, pointedSlice = null;

/* The slices in view: all from the first one that has cycles, or those of the zoom. */
function shownSlices() {
  const n = overview.cycles.length, [a, b] = state.zoom.split("-").map(Number);
  return state.zoom && b > a ? [Math.min(a, n - 1), Math.min(b, n)] : [overview.first, Math.max(1, n)];
}

/* The selection in slices, or null. */
function selection() {
  if (state.from === "" && state.to === "") return null;
  const n = overview.cycles.length, L = overview.length;
  return [Math.max(0, Math.floor(Number(state.from || 0) / L)),
    Math.min(n, state.to === "" ? n : Math.ceil(Number(state.to) / L))];
}

function select(a, b, isStep = true) {
  const L = overview.length;
  const more = {from: String(a * L), to: String(b * L)};
  if (more.from !== state.from || more.to !== state.to) change(more, isStep);
}

const stripWidth = () => strip.clientWidth - GUTTER;
const xOf = (slice) => {
  const [a, b] = shownSlices();
  return GUTTER + stripWidth() * (slice - a) / (b - a);
};
function sliceAt(x) {
  const [a, b] = shownSlices();
  return Math.max(a, Math.min(b, a + (x - GUTTER) / stripWidth() * (b - a)));
}

function lanesShown() {
  const lanes = overview.lanes.slice(0, MOST_LANES).filter(([, series]) => series.some((n) => n));
  const named = new Map(overview.processes.map(([id, name]) => [id, name]));
  const list = lanes.map(([id, series], i) => ({key: "process", id: String(id), series,
    colour: css(onRamp(BINARIES[i % BINARIES.length], 2)),
    label: named.get(id) === "-" ? "no process" : named.get(id) || ""}));
  if (overview.harts.length > 1) for (const [id, series] of overview.harts)
    list.push({key: "hart", id: String(id), series, label: "hart " + id});
  return list.length > 1 ? list : [];
}

/* Sums of a series over the slices of each pixel. */
function columns(series, take) {
  const [a, b] = shownSlices(), width = Math.max(1, Math.round(stripWidth()));
  for (let x = 0; x < width; x++) {
    const first = a + x * (b - a) / width, last = a + (x + 1) * (b - a) / width;
    let sum = 0, count = 0;
    for (let i = Math.floor(first); i < Math.max(Math.ceil(last), Math.floor(first) + 1) && i < series.length; i++) {
      sum += series[i];
      count++;
    }
    take(x, count ? sum / count : 0);
  }
}

/* A height of 1 is all that the harts have: slots, or cycles. */
function fullScale() {
  return overview.length * Math.max(1, overview.harts.length) * run.width;
}

/* Without classes the processes are what is known of the time. */
function stackedProcesses(ink) {
  const lanes = lanesShown().filter(({key, id}) =>
    key === "process" && (state.process === "" || state.process === id));
  const rest = overview.cycles.map((n, i) => Math.max(0, n - lanes.reduce((sum, {series}) => sum + series[i], 0)));
  const isAll = state.thread === "" && state.hart === "";
  return (isAll ? lanes : []).concat({series: isAll ? rest : overview.cycles, label: lanes.length && isAll ? "others" : "cycles",
    colour: ink.getPropertyValue("--rest")}).filter(({series}) => series.some((n) => n));
}

function stackedParts(ink) {
  if (!run.classes.length) return stackedProcesses(ink);
  const parts = [{series: overview.instructions, colour: css(run.groups[0][1]), label: "retiring"}];
  run.groups.forEach(([name, colour], group) => {
    const of = overview.lost.filter((_, c) => run.group_of[c] === group);
    if (group && of.length) parts.push({colour: css(colour), label: name,
      series: of[0].map((_, i) => of.reduce((sum, one) => sum + one[i], 0))});
  });
  return parts.filter(({series}) => series.some((n) => n));
}

function drawParts(pen, parts) {
  const base = new Float64Array(Math.max(1, Math.round(stripWidth()))), full = fullScale();
  for (const {series, colour} of parts) {
    pen.fillStyle = colour;
    columns(series, (x, n) => {
      const h = Math.min(1, n / full) * (GRAPH - 4);
      if (h > 0) pen.fillRect(GUTTER + x, GRAPH - base[x] - h, 1, h);
      base[x] += h;
    });
  }
}

function drawLanes(pen, lanes, ink) {
  lanes.forEach(({key, id, series, label, colour}, i) => {
    const y = GRAPH + 4 + i * LANE, isOff = state[key] !== "" && state[key] !== id;
    pen.fillStyle = ink.getPropertyValue(isOff ? "--quiet" : "--ink");
    pen.fillText(fitText(pen, label, GUTTER - 8), 0, y + LANE / 2);
    pen.fillStyle = colour && !run.classes.length ? colour : ink.getPropertyValue("--accent");
    columns(series, (x, n) => {
      pen.globalAlpha = (isOff ? 0.3 : 1) * Math.min(1, n / overview.length);
      if (n) pen.fillRect(GUTTER + x, y, 1, LANE - 2);
    });
    pen.globalAlpha = 1;
  });
}

function drawSelection(pen, height, ink) {
  const chosen = selection();
  if (!chosen) return;
  const [a, b] = chosen.map((slice) => Math.max(GUTTER, Math.min(strip.clientWidth, xOf(slice))));
  pen.fillStyle = ink.getPropertyValue("--brush");
  pen.fillRect(a, 0, Math.max(1, b - a), height);
  pen.fillStyle = ink.getPropertyValue("--accent");
  pen.fillRect(a, 0, 1.5, height);
  pen.fillRect(b - 1.5, 0, 1.5, height);
}

function drawStrip() {
  if (!overview || !run) return;
  const ink = getComputedStyle(document.documentElement), lanes = lanesShown();
  const height = GRAPH + (lanes.length ? 8 + lanes.length * LANE : 4);
  strip.style.height = height + "px";
  const pen = penOf(strip, strip.parentElement.clientWidth - 20, height);
  pen.font = FONT;
  pen.textBaseline = "middle";
  pen.fillStyle = ink.getPropertyValue("--quiet");
  pen.fillText(run.classes.length ? "slots" : "cycles", 0, GRAPH / 2);
  pen.fillStyle = ink.getPropertyValue("--line");
  pen.fillRect(GUTTER, GRAPH, stripWidth(), 1);
  drawParts(pen, stackedParts(ink));
  drawLanes(pen, lanes, ink);
  drawSelection(pen, height, ink);
  tellTime(ink);
}

function tellTime(ink) {
  const chosen = selection(), time = at("time"), L = overview.length;
  at("clear").disabled = !chosen;
  at("zoomin").disabled = !chosen && !state.zoom;
  at("zoomin").textContent = state.zoom ? "Show all" : "Zoom";
  if (pointedSlice !== null) {
    const i = Math.min(overview.cycles.length - 1, Math.floor(pointedSlice));
    time.textContent = `from cycle ${digits(i * L)}: ${digits(overview.cycles[i])} cycles, ${
      digits(overview.instructions[i])} instructions`;
  } else if (chosen) {
    const [a, b] = chosen, end = Math.min(b * L, run.end);
    const isRounded = Number(state.from || 0) % L || (state.to !== "" && Number(state.to) < run.end && Number(state.to) % L);
    time.textContent = `cycles ${digits(a * L)} to ${digits(end)}` +
      (isRounded ? `, rounded outwards to slices of ${digits(L)}` : "");
  } else {
    time.textContent = `the whole run${overview.first ? " from cycle " + digits(overview.first * L) : ""}, in slices of ${digits(L)} cycle${L === 1 ? "" : "s"}; drag to select a part`;
  }
  at("parts").replaceChildren(...stackedParts(ink).map(({colour, label}) => {
    const one = document.createElement("span"), box = document.createElement("i");
    box.style.background = colour;
    one.append(box, label);
    return one;
  }));
}

/* ------------------------------------------------------------ pointer and keys */

function positionOf(event) {
  const box = strip.getBoundingClientRect();
  return [event.clientX - box.left, event.clientY - box.top];
}

function brushed(event) {
  const [x] = positionOf(event), from = drag.slice, to = sliceAt(x);
  if (Math.abs(x - drag.x) < GAP && !drag.moved) return;
  drag.moved = true;
  const a = Math.floor(Math.min(from, to)), b = Math.max(a + 1, Math.ceil(Math.max(from, to)));
  select(a, b, drag.isFirst);
  drag.isFirst = false;
}

/* A click on a lane's label shows it alone; elsewhere it ends the selection. */
function clickedStrip(x, y) {
  const lane = lanesShown()[Math.floor((y - GRAPH - 4) / LANE)];
  if (x < GUTTER && y > GRAPH && lane) change({[lane.key]: state[lane.key] === lane.id ? "" : lane.id});
  else if (x >= GUTTER) change({from: "", to: ""});
  for (const id of ["process", "hart"]) at(id).value = state[id];
}

function stripKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !overview) return;
  const n = overview.cycles.length, first = overview.first;
  const [a, b] = selection() || [first, first + Math.max(1, Math.round((n - first) / 10))];
  const step = event.key === "ArrowRight" ? 1 : -1, by = Math.max(1, Math.round((b - a) / 4));
  if (/^Arrow(Left|Right)$/.test(event.key)) {
    const to = Math.max(a + 1, Math.min(n, b + step * by));
    const shift = selection() ? Math.max(-a, Math.min(n - b, step * (b - a))) : 0;
    if (event.shiftKey) select(a, to, false);
    else select(a + shift, b + shift, false);
  } else if (event.key === "Escape") change({from: "", to: ""});
  else if (event.key === "Enter" || event.key === "z") zoomTime();
  else return;
  event.preventDefault();
}

function zoomTime() {
  const chosen = selection();
  if (state.zoom) change({zoom: ""});
  else if (chosen) change({zoom: chosen.join("-")});
}

function startTime() {
  strip.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !overview) return;
    const [x, y] = positionOf(event);
    drag = {x, y, slice: sliceAt(x), moved: false, isFirst: true, isLabel: x < GUTTER};
    strip.setPointerCapture(event.pointerId);
  });
  strip.addEventListener("pointermove", (event) => {
    if (!overview) return;
    const [x] = positionOf(event);
    pointedSlice = x >= GUTTER ? sliceAt(x) : null;
    if (drag && !drag.isLabel) brushed(event);
    else drawStrip();
  });
  strip.addEventListener("pointerup", () => {
    if (drag && !drag.moved) clickedStrip(drag.x, drag.y);
    drag = null;
  });
  strip.addEventListener("pointerleave", () => {
    pointedSlice = null;
    drawStrip();
  });
  strip.addEventListener("keydown", stripKey);
  at("clear").addEventListener("click", () => change({from: "", to: ""}));
  at("zoomin").addEventListener("click", zoomTime);
  listeners.push((what) => { if (what !== "view") drawStrip(); });
  let width = 0;
  window.addEventListener("resize", () => {
    drawStrip();
    drawFlame();
    if (view) drawRows();
    if (Math.abs(flameWidth() - width) > 50) {
      width = flameWidth();
      askView();
    }
  });
}

startFlame();
startTable();
startCode();
startMarks();
startTime();
startPage();
