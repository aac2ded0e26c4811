/* SPDX-License-Identifier: Apache-2.0 */
/* The instructions of the chosen function, with source lines, in the part of the run that is
 * selected. Only the lines in view are elements. */
const codeRows = at("coderows"), codeBox = codeRows.parentElement, CODE_LINE = 19, CODE_HEAD = 24;
let code = null;      /* the answer "code", or null */
let codeAsked = "";   /* what it was asked for */
let codeLines = [];   /* {row} or {place}, in order */
let codeMost = 0, codeAt = -1, codeFunc = "";

const isCodeOpen = () => state.code === "1";
const [C_ADDRESS, C_TEXT, C_PLACE, C_FLAGS, C_EXECUTIONS, C_CYCLES, C_TRAPS, C_LOST] = [0, 1, 2, 3, 4, 5, 6, 7];
const DIFFERS = 8;

const CODE_ASKED = ["func", "from", "to", "hart", "process", "thread"];
function askCode() {
  if (!isCodeOpen() || !run || state.func === "" || !names[state.func]) return;
  const wanted = [query(CODE_ASKED), run.cycles, run.done].join();
  if (wanted === codeAsked) return;
  codeAsked = wanted;
  ask("code", () => "/code?" + query(CODE_ASKED), (data) => {
    code = data;
    layCode();
    drawCode();
  });
}

/* Lines of source stand above the first instruction that is of them. */
function layCode() {
  const isOther = codeFunc !== state.func;
  let before = -1;
  codeLines = [];
  codeMost = 0;
  for (const row of code.rows || []) {
    if (row[C_PLACE] !== before && row[C_PLACE] >= 0) codeLines.push({place: code.places[row[C_PLACE]]});
    before = row[C_PLACE];
    codeMost = Math.max(codeMost, row[C_CYCLES]);
    codeLines.push({row});
  }
  codeFunc = state.func;
  if (!isOther && codeAt < codeLines.length) return;
  codeAt = codeLines.findIndex(({row}) => row && row[C_CYCLES] === codeMost);
  codeBox.scrollTop = Math.max(0, codeAt * CODE_LINE - codeBox.clientHeight / 3);
}

function span(text, name) {
  const made = document.createElement("span");
  made.textContent = text;
  if (name) made.className = name;
  return made;
}

/* What the slots of a row were lost to: [class, slots], most first. */
function lostOf(row) {
  const pairs = [];
  for (let i = 0; i < row[C_LOST].length; i += 2) pairs.push([row[C_LOST][i], row[C_LOST][i + 1]]);
  return pairs.sort((a, b) => b[1] - a[1]);
}

function lostCell(row, lost) {
  const made = span("", "lost"), all = lost.reduce((sum, [, n]) => sum + n, 0);
  const most = Math.max(1, codeMost * run.width);
  for (const [c, n] of lost) {
    const bar = span("");
    bar.style.cssText = `width:${80 * n / most}px;background:${c ? css(run.groups[run.group_of[c - 1]][1]) : "var(--rest)"}`;
    made.append(bar);
  }
  if (lost.length) made.append(span(code.classes[lost[0][0]] + (lost.length > 1 ? " " + percent(lost[0][1], all) : ""), "top"));
  return made;
}

function titleOf(row, lost) {
  return ["0x" + row[C_ADDRESS] + "  " + row[C_TEXT], digits(row[C_EXECUTIONS]) + " executions, " +
    digits(row[C_CYCLES]) + " cycles" + (row[C_TRAPS] ? ", " + digits(row[C_TRAPS]) + " traps before it" : ""),
  ...lost.map(([c, n]) => code.classes[c] + " " + digits(n)),
  ...(row[C_FLAGS] & DIFFERS ? ["other code ran at this address as well"] : [])].join("\n");
}

function instructionOf(row) {
  const lost = lostOf(row), executions = row[C_EXECUTIONS], made = document.createElement("div");
  const [mnemonic, ...operands] = row[C_TEXT].split(/\s+/), sum = code.rows.reduce((n, one) => n + one[C_CYCLES], 0);
  made.className = "insn" + (executions || row[C_TRAPS] ? "" : " never");
  made.title = titleOf(row, lost);
  const share = span(row[C_CYCLES] ? percent(row[C_CYCLES], sum) : "", "share");
  share.style.setProperty("--w", codeMost ? 100 * row[C_CYCLES] / codeMost + "%" : "0");
  made.append(span(executions ? digits(executions) : row[C_TRAPS] ? "trap" : ""), span(row[C_CYCLES] ? digits(row[C_CYCLES]) : ""),
    share, span(executions ? ratio(row[C_CYCLES] / executions) : ""));
  if (run.classes.length) made.append(lostCell(row, lost));
  made.append(span(row[C_ADDRESS], "address"), span(mnemonic.padEnd(8) + operands.join(" "), "text"));
  return made;
}

function sourceOf([file, line, text, calls]) {
  const made = document.createElement("div");
  made.className = "source";
  made.append(span(file ? file + ":" + line : "no line", "where"), span(text.trimEnd()));
  if (calls.length) made.append(span("inlined " + calls.join(" in "), "where"));
  made.title = made.textContent;
  return made;
}

function drawCodeLines() {
  const first = Math.max(0, Math.floor(codeBox.scrollTop / CODE_LINE) - SPARE);
  const last = Math.min(codeLines.length, first + Math.ceil(codeBox.clientHeight / CODE_LINE) + 2 * SPARE);
  const made = [];
  for (let i = first; i < last; i++) {
    const {row, place} = codeLines[i], line = row ? instructionOf(row) : sourceOf(place);
    line.style.top = i * CODE_LINE + "px";
    line.id = "code" + i;
    line.setAttribute("role", "option");
    line.setAttribute("aria-selected", String(i === codeAt));
    made.push(line);
  }
  codeRows.style.height = codeLines.length * CODE_LINE + "px";
  codeRows.replaceChildren(...made);
  if (codeAt >= 0) codeRows.setAttribute("aria-activedescendant", "code" + codeAt);
}

/* The name of the process or thread that is chosen. */
function nameOfPart(key) {
  const found = overview && overview[key === "process" ? "processes" : "threads"].find(([id]) => String(id) === state[key]);
  return !found ? state[key] : found[1] === "-" ? "none" : found[1];
}

/* Which part of the run it is, and which filters it does not know. */
function partOfCode() {
  const end = Math.min(code.to, run.end);
  const isAll = code.from === 0 && end >= run.end;
  const isRounded = (state.from !== "" || state.to !== "") && (code.from !== view.from || end !== Math.min(view.to, run.end));
  const chosen = ["process", "thread"].filter((key) => state[key] !== "");
  const others = code.is_by_context ? [] : chosen.map((key) => key === "process" ? "processes" : "threads");
  if (state.root !== "0") others.push("callers");
  const sum = code.rows.reduce((n, row) => n + row[C_CYCLES], 0);
  const f = isAll && state.hart === "" && !others.length && view.functions.find(([one]) => String(one) === state.func);
  return (isAll ? "the whole run" : `cycles ${digits(code.from)} to ${digits(end)}`) +
    (isRounded ? `, rounded outwards to slices of ${digits(code.length)}` : "") +
    (state.hart === "" ? "" : ", hart " + state.hart) +
    (code.is_by_context ? chosen.map((key) => `, ${key} ${nameOfPart(key)}`).join("") : "") +
    (others.length ? ", of all " + others.join(" and ") : "") + `: ${digits(sum)} cycles` +
    (!f || f[1] === sum ? "" : f[1] > sum ? `; ${digits(f[1] - sum)} of its cycles are on no instruction`
      : `, of which the table charges ${digits(sum - f[1])} to interpreted functions`);
}

function drawCode() {
  const pane = at("code"), isChosen = state.func !== "" && names[state.func];
  pane.hidden = !isCodeOpen();
  if (pane.hidden || !run || !view) return;
  const isHere = isChosen && code && code.rows && codeFunc === state.func;
  at("codename").textContent = isChosen ? names[state.func][0] : "Instructions";
  at("codepart").textContent = isHere ? partOfCode() : "";
  const note = isChosen ? (code && code.none) || (isHere ? "" : "…")
    : "Choose a function: in the table, or by a right-click in the flame graph.";
  at("codenote").textContent = isHere && !codeMost ? "It did not run in this part of the run." : note;
  at("codenote").hidden = !at("codenote").textContent;
  codeBox.hidden = !isHere;
  pane.classList.toggle("untop", !run.classes.length);
  if (isHere) drawCodeLines();
}

/* The other panes have less room then, or more; the flame graph stays at its root. */
function toggleCode(isOpen) {
  const wasAtRoot = isAtRoot();
  change({code: isOpen ? "1" : ""}, false);
  if (!view) return;
  drawFlame();
  if (wasAtRoot) stage.scrollTop = stage.scrollHeight;
  drawFlame();
  drawRows();
}

function codeKey(event) {
  const steps = {ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20, Home: -1e9, End: 1e9};
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  if (steps[event.key] && codeLines.length) {
    codeAt = Math.max(0, Math.min(codeLines.length - 1, codeAt + steps[event.key]));
    const y = codeAt * CODE_LINE, room = codeBox.clientHeight - CODE_HEAD;
    if (y < codeBox.scrollTop) codeBox.scrollTop = y;
    if (y + CODE_LINE > codeBox.scrollTop + room) codeBox.scrollTop = y + CODE_LINE - room;
    drawCodeLines();
  } else if (event.key === "Escape") {
    toggleCode(false);
    rows.focus();
  } else return;
  event.preventDefault();
}

/* The key that leads there opens it as well. */
function showCode() {
  if (!isCodeOpen()) toggleCode(true);
  (codeBox.hidden ? at("code") : codeRows).focus();
}

function startCode() {
  codeBox.addEventListener("scroll", () => { if (code && code.rows) drawCodeLines(); });
  codeRows.addEventListener("click", (event) => {
    const line = event.target.closest("[id]");
    codeAt = line && line !== codeRows ? Number(line.id.slice(4)) : codeAt;
    drawCodeLines();
  });
  at("code").addEventListener("keydown", codeKey);
  at("codeclose").addEventListener("click", () => toggleCode(false));
  window.addEventListener("resize", drawCode);
  listeners.push((what) => {
    if (what === "overview") return;
    askCode();
    drawCode();
  });
}
