/* SPDX-License-Identifier: Apache-2.0 */
/* The table of functions, of which only the rows in view are elements, and what is known
 * of the one that is chosen. */
const LINE = 22, SPARE = 8;
const rows = at("rows"), scroller = rows.parentElement;
const COLUMNS = {name: "function", self: "self", total: "total", calls: "calls", cpi: "CPI", top: "lost most to"};
let listed = [], chosen = -1, most = 0; /* own cycles of a function */

/* Columns that the source has. */
const kindOfRow = () => (run.classes.length ? "" : " untop") + (run.untimed ? " untimed" : "");

/* func, self, total, calls, instructions, all instructions, pairs of class and slots */
const cpiOf = (f) => f[4] ? f[1] / f[4] : 0;
const ratio = (n) => n < 100 ? n.toFixed(2) : short(n);

function groupsOf(f) {
  const sums = run.groups.map(() => 0);
  for (let i = 0; i < f[6].length; i += 2) sums[run.group_of[f[6][i]]] += f[6][i + 1];
  sums[0] = f[4];
  return sums;
}

function topOfFunction(f) {
  const sums = groupsOf(f);
  let top = 0;
  for (let i = 1; i < sums.length; i++) if (sums[i] && (!top || sums[i] > sums[top])) top = i;
  return [top, top ? sums[top] : 0];
}

function orderFunctions() {
  const key = state.sort.replace(/^-/, ""), sign = state.sort[0] === "-" ? -1 : 1;
  most = view.functions.reduce((max, f) => Math.max(max, f[1]), 0);
  const values = {self: (f) => f[1], total: (f) => f[2], calls: (f) => f[3], cpi: cpiOf,
    top: (f) => topOfFunction(f)[1]};
  const value = values[key];
  listed = view.functions.filter(([f]) => !sought || sought.has(f));
  if (value) {
    const keyed = listed.map((f) => [value(f), f]);
    keyed.sort((a, b) => sign * (b[0] - a[0]));
    listed = keyed.map(([, f]) => f);
  } else {
    listed.sort((a, b) => sign * (names[a[0]][0] < names[b[0]][0] ? -1 : names[a[0]][0] > names[b[0]][0] ? 1 : 0));
  }
  chosen = listed.findIndex(([f]) => String(f) === state.func);
}

function cell(text, width) {
  const made = document.createElement("span");
  made.textContent = text;
  if (width !== undefined) {
    made.className = "share";
    made.style.setProperty("--w", Math.min(100, 100 * width) + "%");
  }
  return made;
}

function rowOf(f, i) {
  const row = document.createElement("div");
  const [name, binary] = names[f[0]];
  row.className = "row" + kindOfRow();
  row.style.top = i * LINE + "px";
  row.id = "row" + i;
  row.setAttribute("role", "option");
  row.setAttribute("aria-selected", String(i === chosen));
  row.title = name + (binary ? " in " + binary : "") + "\nself " + digits(f[1]) + " cycles, total " + digits(f[2]) +
    " cycles, " + digits(f[3]) + " calls, " + digits(f[4]) + " instructions";
  const label = cell(name + " ");
  label.append(Object.assign(document.createElement("small"), {textContent: binary}));
  row.append(label, cell(percent(f[1], view.cycles), most ? f[1] / most : 0),
    cell(percent(f[2], view.cycles)), cell(f[3] ? short(f[3]) : ""));
  if (!run.untimed) row.append(cell(f[4] ? ratio(cpiOf(f)) : ""));
  if (run.classes.length) {
    const [top, slots] = topOfFunction(f), last = cell("");
    if (top) {
      const box = document.createElement("i");
      box.style.background = css(run.groups[top][1]);
      last.append(box, run.groups[top][0]);
      last.title = percent(slots, f[1] * run.width) + " of its own slots";
    }
    row.append(last);
  }
  return row;
}

function drawRows() {
  const first = Math.max(0, Math.floor(scroller.scrollTop / LINE) - SPARE);
  const last = Math.min(listed.length, first + Math.ceil(scroller.clientHeight / LINE) + 2 * SPARE);
  const made = [];
  for (let i = first; i < last; i++) made.push(rowOf(listed[i], i));
  rows.style.height = listed.length * LINE + "px";
  scroller.style.setProperty("--high", listed.length * LINE + 27 + "px");
  rows.replaceChildren(...made);
  if (chosen >= 0) rows.setAttribute("aria-activedescendant", "row" + chosen);
  else rows.removeAttribute("aria-activedescendant");
}

function drawHead() {
  const head = at("head"), key = state.sort.replace(/^-/, "");
  head.className = "row head" + kindOfRow();
  head.replaceChildren(...Object.entries(COLUMNS).filter(([name]) =>
    (name !== "top" || run.classes.length) && (name !== "cpi" || !run.untimed))
    .map(([name, text]) => {
      const button = document.createElement("button");
      button.textContent = text + (name !== key ? "" : (state.sort[0] === "-") !== (name === "name") ? " ▴" : " ▾");
      button.setAttribute("aria-pressed", String(name === key));
      button.dataset.sort = name;
      button.addEventListener("click", () =>
        change({sort: state.sort === name ? "-" + name : name}, false));
      return button;
    }));
  const [more, cycles] = view.more;
  at("count").textContent = digits(listed.length) + " function" + (listed.length === 1 ? "" : "s") +
    (more ? `, without ${digits(more)} that have ${percent(cycles, view.cycles)}` : "");
}

/* ------------------------------------------------------------ the chosen one */

function chooseFunction(f) {
  change({func: f === null || String(f) === state.func ? "" : String(f)});
}

function paragraph(text) {
  return Object.assign(document.createElement("p"), {textContent: text});
}

function showClasses(box, f) {
  const sums = groupsOf(f), all = f[1] * run.width;
  const bars = document.createElement("div"), keys = document.createElement("div");
  bars.className = "bars";
  keys.className = "keys";
  sums.forEach((n, i) => {
    if (!n) return;
    const part = document.createElement("span"), key = document.createElement("span");
    const mark = document.createElement("i");
    part.style.cssText = `width:${100 * n / all}%;background:${css(run.groups[i][1])}`;
    mark.style.background = css(run.groups[i][1]);
    key.append(mark, run.groups[i][0] + " " + percent(n, all));
    bars.append(part);
    keys.append(key);
  });
  const parts = [];
  for (let i = 0; i < f[6].length; i += 2) parts.push([f[6][i + 1], run.classes[f[6][i]]]);
  parts.sort((a, b) => b[0] - a[0]);
  box.append(bars, keys, paragraph(parts.map(([n, name]) => name + " " + digits(n)).join(", ")));
}

function showDetail() {
  const box = at("detail"), f = view && view.functions.find(([one]) => String(one) === state.func);
  box.hidden = state.func === "" || !names[state.func];
  if (box.hidden) return;
  const [name, binary, kind, , address] = names[state.func];
  const title = Object.assign(document.createElement("h2"), {textContent: name});
  box.replaceChildren(title);
  if (binary) title.append(" ", Object.assign(document.createElement("small"),
    {textContent: binary + (address === "0" ? "" : " at 0x" + address)}));
  if (!f) {
    box.append(paragraph("did not run in what is shown"));
    return;
  }
  box.append(paragraph(`self ${digits(f[1])} cycles (${percent(f[1], view.cycles)}), total ${digits(f[2])} (${
    percent(f[2], view.cycles)}), ${digits(f[3])} call${f[3] === 1 ? "" : "s"}, ${digits(f[4])} instructions` +
    (run.untimed || !f[4] ? "" : `, CPI ${cpiOf(f).toFixed(3)}`)));
  if (run.classes.length) showClasses(box, f);
  if (!isCodeOpen()) {
    const button = Object.assign(document.createElement("button"), {textContent: "Instructions", title: "show its instructions (4)"});
    button.addEventListener("click", showCode);
    box.append(button, " ");
  }
  if (hasAnnotation && kind === 0 && address !== "0") {
    const link = document.createElement("a");
    link.href = "/annotate.html#f-" + (binary + "-" + address).replace(/[^A-Za-z0-9._-]/g, "_");
    link.target = "_blank";
    link.rel = "noopener";
    link.textContent = "page of its instructions in the whole run";
    box.append(link);
  }
}

let hasAnnotation = false;
async function findAnnotation() {
  try {
    hasAnnotation = (await fetch("/annotate.html", {method: "HEAD"})).ok;
  } catch (error) {
    hasAnnotation = false;
  }
  if (view) showDetail();
}

/* ------------------------------------------------------------ */

function tableKey(event) {
  const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9};
  if (event.ctrlKey || event.altKey || event.metaKey || !listed.length) return;
  if (steps[event.key]) {
    const to = Math.max(0, Math.min(listed.length - 1, chosen + steps[event.key]));
    change({func: String(listed[to][0])}, false);
    const y = to * LINE;
    if (y < scroller.scrollTop) scroller.scrollTop = y;
    if (y + LINE + 25 > scroller.scrollTop + scroller.clientHeight) scroller.scrollTop = y + LINE + 25 - scroller.clientHeight;
  } else if (event.key === "Escape") change({func: ""});
  else return;
  event.preventDefault();
}

function renewTable() {
  orderFunctions();
  drawHead();
  drawRows();
  showDetail();
}

function startTable() {
  scroller.addEventListener("scroll", () => { if (view) drawRows(); });
  rows.addEventListener("click", (event) => {
    const row = event.target.closest(".row");
    if (row) chooseFunction(listed[Number(row.id.slice(3))][0]);
  });
  rows.addEventListener("keydown", tableKey);
  listeners.push((what) => {
    if ((what === "view" || what === "state") && view) renewTable();
  });
  findAnnotation();
}
