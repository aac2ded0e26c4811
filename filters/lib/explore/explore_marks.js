/* SPDX-License-Identifier: Apache-2.0 */
/* The marks of programs: points and regions over the time, and a table of them by name. */
const markStrip = at("marks"), markRows = at("markrows"), MARK_ROW = 14, NARROW = 3;
let regions = null;    /* the answer "regions" */
let markTable = null;  /* the answer "marks" */
let markSaid = "", tableSaid = "", markHere = null, markCount = 0;
const [B_START, B_END, B_NAME, B_NTH, B_COUNT, B_OPEN] = [0, 1, 2, 3, 4, 5];
const MARK_COLUMNS = ["name", "kind", "count", "open", "stray", "cycles", "self", "away", "min", "median", "p99", "max"];

const hasMarks = () => Boolean(run && run.marks);
const isMarksOpen = () => state.marks === "1";
/* The mark that the address has: its name, and which of them it is. */
function markChosen() {
  const at = state.mark.lastIndexOf("#");
  return at < 0 ? [state.mark, 0] : [state.mark.slice(0, at), Number(state.mark.slice(at + 1))];
}

/* Those of the zoom are asked for, as many as there are pixels. */
function askMarks() {
  if (!hasMarks() || !overview) return;
  const [a, b] = shownSlices(), L = overview.length;
  const part = `from=${a * L}&to=${b * L}&width=${Math.max(1, Math.round(stripWidth()))}`;
  const wanted = () => "/regions?" + [query(["process", "thread"]), part].filter(Boolean).join("&");
  const said = wanted() + run.marks + run.done;
  if (said !== markSaid) {
    markSaid = said;
    ask("regions", wanted, (data) => {
      regions = data;
      markHere = null;
      drawMarks();
      drawMarkPane();
    });
  }
  const keys = ["from", "to", "process", "thread"], table = query(keys) + run.marks + run.done;
  if (!isMarksOpen() || table === tableSaid) return;
  tableSaid = table;
  ask("marks", () => "/marks?" + query(keys), (data) => {
    markTable = data;
    drawMarkPane();
  });
}

/* ------------------------------------------------------------ over time */

const xOfCycle = (cycle) => xOf(cycle / overview.length);

function markLabel(i) {
  const [, name, depth] = regions.rows[i], isFirst = !i || regions.rows[i - 1][1] !== name;
  return isFirst ? name : depth ? "" : "points";
}

const markTone = (name) => onRamp(name < 0 ? OTHER_BINARY : BINARIES[name % BINARIES.length], 2);

/* What all boxes of a drawing have in common: there are thousands. */
function brushes() {
  const ink = getComputedStyle(document.documentElement), [name, nth] = markChosen(), width = strip.clientWidth;
  const [a, b] = shownSlices(), scale = stripWidth() / ((b - a) * overview.length), first = a * overview.length;
  const tones = regions.names.map((_, i) => css(markTone(i)));
  return {width, nth, chosen: name ? regions.names.indexOf(name) : -1, isDim: name !== "", tones,
    whites: regions.names.map((_, i) => needsWhite(markTone(i)) ? "#fff" : "#111"),
    x: (cycle) => GUTTER + (cycle - first) * scale, rest: ink.getPropertyValue("--rest"),
    ink: ink.getPropertyValue("--ink"), accent: ink.getPropertyValue("--accent")};
}

function drawBox(pen, box, y, by) {
  const left = Math.max(GUTTER, by.x(box[B_START])), right = Math.min(by.width, by.x(box[B_END]));
  const name = box[B_NAME], isChosen = name >= 0 && by.chosen === name, width = Math.max(NARROW, right - left);
  if (right < GUTTER || left > by.width) return;
  pen.fillStyle = name < 0 ? by.rest : by.tones[name];
  if (by.isDim && !isChosen) pen.globalAlpha = 0.45;
  pen.fillRect(left, y, width, MARK_ROW - 2);
  pen.globalAlpha = 1;
  if ((isChosen && by.nth === box[B_NTH]) || box === markHere) {
    pen.strokeStyle = box === markHere ? by.accent : by.ink;
    pen.lineWidth = 2;
    pen.strokeRect(left + 1, y + 1, Math.max(1, width - 2), MARK_ROW - 4);
  }
  if (width < 26 || box[B_COUNT] > 1 || name < 0) return;
  pen.fillStyle = by.isDim && !isChosen ? by.ink : by.whites[name];
  pen.fillText(fitText(pen, regions.names[name], width - 6), left + 4, y + MARK_ROW / 2);
}

/* The panes below have another place then; the flame graph stays at its root. */
function relay(act) {
  const wasAtRoot = view && isAtRoot();
  act();
  if (!view) return;
  drawFlame();
  if (wasAtRoot) stage.scrollTop = stage.scrollHeight;
  drawFlame();
  drawRows();
}

function placeMarks(height) {
  const now = height + "px";
  if (markStrip.hidden === !height && (!height || markStrip.style.height === now)) return;
  relay(() => {
    markStrip.hidden = !height;
    markStrip.style.height = now;
  });
}

function drawMarks() {
  const isShown = hasMarks() && regions && overview && regions.rows.length > 0;
  at("marksopen").hidden = !hasMarks();
  if (!isShown) return placeMarks(0);
  const ink = getComputedStyle(document.documentElement), more = regions.all_rows - regions.rows.length;
  const height = regions.rows.length * MARK_ROW + 4 + (more ? MARK_ROW : 0);
  placeMarks(height);
  const pen = penOf(markStrip, markStrip.parentElement.clientWidth - 20, height);
  pen.font = FONT;
  pen.textBaseline = "middle";
  const by = brushes();
  regions.rows.forEach(([, , , boxes], i) => {
    pen.fillStyle = ink.getPropertyValue("--ink");
    pen.fillText(fitText(pen, markLabel(i), GUTTER - 8), 0, i * MARK_ROW + MARK_ROW / 2);
    for (const box of boxes) drawBox(pen, box, i * MARK_ROW, by);
  });
  drawSelection(pen, height, ink);
  pen.fillStyle = ink.getPropertyValue("--quiet");
  if (more) pen.fillText(`${more} more rows of marks: choose a thread`, GUTTER, height - MARK_ROW / 2 - 2);
}

/* Returns the box at a place, those that are narrow with some room around them. */
function boxAt(x, y) {
  const row = regions && regions.rows[Math.floor(y / MARK_ROW)];
  let best = null, least = 4;
  for (const box of row ? row[3] : []) {
    const left = xOfCycle(box[B_START]), right = Math.max(left + NARROW, xOfCycle(box[B_END]));
    const away = x < left ? left - x : x > right ? x - right : 0;
    if (away < least) [best, least] = [box, away];
    if (!away) break;
  }
  return best;
}

function markTip(box) {
  const name = box[B_NAME] < 0 ? "several marks" : regions.names[box[B_NAME]], cycles = box[B_END] - box[B_START];
  const where = `cycle ${digits(box[B_START])}` + (cycles ? ` to ${digits(box[B_END])}: ${digits(cycles)} cycles` : "");
  if (box[B_COUNT] > 1) return `${digits(box[B_COUNT])} of ${name}, too narrow to tell apart\n${where}`;
  return `${name}#${box[B_NTH]}\n${where}${box[B_OPEN] ? "; it has no end of its own" : ""}`;
}

/* Selects the time of a region, or of several. A point has no time of its own. */
function selectBox(box) {
  const L = overview.length, isOne = box[B_COUNT] === 1 && box[B_NAME] >= 0, n = overview.cycles.length;
  const more = isOne ? {mark: regions.names[box[B_NAME]] + "#" + box[B_NTH]} : {mark: ""};
  if (box[B_END] > box[B_START]) {
    more.from = String(Math.min(n - 1, Math.floor(box[B_START] / L)) * L);
    more.to = String(Math.ceil(box[B_END] / L) * L);
  }
  change(more);
}

function markPointed(event) {
  const box = markStrip.getBoundingClientRect(), [x, y] = [event.clientX - box.left, event.clientY - box.top];
  return x < GUTTER ? null : boxAt(x, y);
}

function pointMark(box, x, y) {
  if (box !== markHere) {
    markHere = box;
    drawMarks();
  }
  at("tip").hidden = !box;
  if (!box) return;
  at("tip").textContent = markTip(box);
  placeTip(x, y);
}

/* The tip stays within the page. */
function placeTip(x, y) {
  const tip = at("tip"), room = document.documentElement.clientWidth - tip.offsetWidth - 8;
  tip.style.left = Math.max(4, Math.min(x + 12, room)) + "px";
  tip.style.top = y + 16 + "px";
}

/* The next box in the row, or that in another row which is nearest. */
function nextBox(key) {
  const rowOf = regions.rows.findIndex(([, , , boxes]) => boxes.includes(markHere));
  if (rowOf < 0) return regions.rows[0][3][0];
  const boxes = regions.rows[rowOf][3], at = boxes.indexOf(markHere);
  if (key === "ArrowRight" || key === "ArrowLeft") return boxes[at + (key === "ArrowRight" ? 1 : -1)] || markHere;
  const other = regions.rows[rowOf + (key === "ArrowDown" ? 1 : -1)];
  if (!other) return markHere;
  const far = (box) => Math.abs(box[B_START] + box[B_END] - markHere[B_START] - markHere[B_END]);
  return other[3].reduce((best, box) => far(box) < far(best) ? box : best);
}

function markStripKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !regions) return;
  if (/^Arrow/.test(event.key)) {
    const found = nextBox(event.key), box = markStrip.getBoundingClientRect();
    const row = regions.rows.findIndex(([, , , boxes]) => boxes.includes(found));
    if (found) pointMark(found, box.left + Math.max(GUTTER, xOfCycle(found[B_START])), box.top + row * MARK_ROW);
  } else if (event.key === "Enter" && markHere) selectBox(markHere);
  else if (event.key === "Escape") {
    pointMark(null);
    change({from: "", to: "", mark: ""});
  } else return;
  event.preventDefault();
}

/* ------------------------------------------------------------ by name */

function markLine(row) {
  const made = document.createElement("div"), [, name, kind, ...cells] = row;
  made.className = "mark";
  made.setAttribute("role", "option");
  made.setAttribute("aria-selected", String(markChosen()[0] === name));
  made.dataset.mark = name;
  made.append(span(name), span(kind));
  for (let i = 0; i < 10; i++) made.append(span(kind === "point" && i || cells[i] === undefined ? "" : digits(cells[i])));
  made.title = name;
  return made;
}

function drawMarkPane() {
  const pane = at("markpane"), [name, nth] = markChosen(), isHidden = !isMarksOpen() || !hasMarks();
  if (pane.hidden !== isHidden) relay(() => { pane.hidden = isHidden; });
  at("marksopen").setAttribute("aria-pressed", String(isMarksOpen()));
  if (pane.hidden || !markTable) return;
  const isAll = markTable.from === 0 && markTable.to >= run.end;
  at("markpart").textContent = (isAll ? "the whole run" : `cycles ${digits(markTable.from)} to ${digits(markTable.to)}; what begins or ends outside is open or stray`) +
    (state.hart === "" ? "" : ", of all harts") + (state.root === "0" ? "" : ", of all callers") +
    (markTable.left_out ? `; without the last ${digits(markTable.left_out)} marks` : "") +
    (markTable.deep ? `; without ${digits(markTable.deep)} regions that are nested too deep` : "");
  at("markstep").hidden = !name;
  at("marknth").textContent = nth ? `${name}#${nth}` + (markCount ? ` of ${digits(markCount)}` : "") : name;
  at("markback").disabled = nth <= 1;
  at("marknext").disabled = markCount > 0 && nth >= markCount;
  markRows.replaceChildren(...markTable.rows.map(markLine));
  if (!markTable.rows.length) markRows.append(Object.assign(document.createElement("p"), {textContent: "No marks in this part of the run."}));
}

/* Selects the nth region or point of the name that is chosen; the longest for 0. */
function stepMark(name, nth) {
  const id = regions ? regions.names.indexOf(name) : -1;
  if (id < 0) return;
  ask("region", () => `/region?mark=${id}&nth=${nth}&` + query(["process", "thread"]), (data) => {
    markCount = data.count;
    if (data.region) selectBox(data.region);
    else change({mark: name}, false);
    drawMarkPane();
  });
}

function markPaneKey(event) {
  const [name, nth] = markChosen(), list = markTable ? [...new Set(markTable.rows.map((row) => row[1]))] : [];
  const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (step && list.length) stepMark(list[Math.max(0, Math.min(list.length - 1, list.indexOf(name) + step))], 1);
  else if (event.key === "n" && name) stepMark(name, nth + 1);
  else if (event.key === "p" && nth > 1) stepMark(name, nth - 1);
  else if (event.key === "Escape") toggleMarks(false);
  else return;
  event.preventDefault();
}

function toggleMarks(isOpen) {
  change({marks: isOpen ? "1" : ""}, false);
  (isOpen ? markRows : markStrip).focus();
}

function startMarks() {
  at("markhead").append(...MARK_COLUMNS.map((name) => span(name)));
  markStrip.addEventListener("pointermove", (event) => pointMark(markPointed(event), event.clientX, event.clientY));
  markStrip.addEventListener("pointerleave", () => pointMark(null));
  markStrip.addEventListener("blur", () => pointMark(null));
  markStrip.addEventListener("click", (event) => {
    const box = markPointed(event);
    if (box) selectBox(box);
  });
  markStrip.addEventListener("keydown", markStripKey);
  markRows.addEventListener("click", (event) => {
    const line = event.target.closest(".mark");
    if (line) stepMark(line.dataset.mark, 1);
  });
  at("markpane").addEventListener("keydown", markPaneKey);
  at("marksopen").addEventListener("click", () => toggleMarks(!isMarksOpen()));
  at("markclose").addEventListener("click", () => toggleMarks(false));
  at("markback").addEventListener("click", () => stepMark(markChosen()[0], markChosen()[1] - 1));
  at("marknext").addEventListener("click", () => stepMark(markChosen()[0], markChosen()[1] + 1));
  at("marklongest").addEventListener("click", () => stepMark(markChosen()[0], 0));
  window.addEventListener("resize", () => {
    askMarks();
    drawMarks();
  });
  /* The view is asked for first. */
  listeners.push((what) => {
    if (what !== "asked") askMarks();
    if (what === "view") return;
    drawMarks();
    if (what === "state" || what === "asked") drawMarkPane();
  });
}
