/* SPDX-License-Identifier: Apache-2.0 */
const svg = document.currentScript.closest("svg");
const part = (name) => svg.querySelector("." + name);
const stage = part("stage"), info = part("info"), found = part("found");
const SCALE = 1000 / FONT, ARROWS = {ArrowUp: 1, ArrowDown: 1, ArrowLeft: 1, ArrowRight: 1};

/* Frames in depth-first order; next is the first one that is not above the frame. */
const frames = [], path = [];
for (let i = 0; i < data.length; i += 7) {
  const depth = data[i], below = path[depth - 1], number = frames.length;
  path.splice(depth).forEach((frame) => { frame.next = number; });
  const start = (below ? below.edge : 0) + data[i + 3], total = data[i + 4];
  const frame = {number, depth, below, start, total, edge: start,
    name: names[data[i + 1]], tone: data[i + 2], other: data[i + 5], self: data[i + 6]};
  if (below) below.edge = start + total;
  path.push(frame);
  frames.push(frame);
}
path.forEach((frame) => { frame.next = frames.length; });
if (classes.length) {
  let at = 0;
  frames.forEach((frame) => {
    frame.lost = [];
    for (let n = lost[at++]; n; n--, at += 2) frame.lost.push([classes[lost[at]], lost[at + 1]]);
  });
}
const all = frames[0], levels = frames.reduce((d, f) => Math.max(d, f.depth + 1), 0);
let WIDTH = 0, lowest = 0, focus = all, here = null, pattern = null, field = null;

/* Text. */
const digits = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, " ");
const signed = (n) => (n < 0 ? "-" : "+") + digits(Math.abs(n));
const share = (n, of) => (of ? (100 * n / of).toFixed(2) : "0.00") + " %";
const width = (c) => widths[c.codePointAt(0) - 32] || 1000;

function fit(text, room) {
  let used = 0, cut = 0;
  for (const c of text) {
    used += width(c);
    if (used > room) return cut ? text.slice(0, cut) + ".." : "";
    if (used + 2 * width(".") <= room) cut += c.length;
  }
  return text;
}

/* Lost cycles: a line for each group of classes. */
function classLines(frame) {
  const groups = new Map([["retiring", [["", frame.other]]]]);
  let rest = frame.total - frame.other;
  frame.lost.forEach(([[group, leaf], n]) => {
    groups.set(group, (groups.get(group) || []).concat([[leaf, n]]));
    rest -= n;
  });
  if (rest) groups.set("not traced", [["", rest]]);
  return [...groups].map(([group, parts]) => {
    const sum = parts.reduce((all, [, n]) => all + n, 0);
    const leaves = parts.filter(([leaf]) => leaf).map(([leaf, n]) => leaf + " " + digits(n));
    return group + " " + digits(sum) + ", " + share(sum, frame.total) +
      (leaves.length ? ": " + leaves.join(", ") : "");
  });
}

function describe(frame) {
  const lines = [frame.name,
    digits(frame.total) + " " + unit + ", " + share(frame.total, all.total)];
  if (difference) {
    lines.push("before " + digits(frame.other) + " " + otherUnit +
      ", change " + signed(frame.total - frame.other));
    lines.push("own change " + signed(frame.self));
  } else {
    lines.push("self " + digits(frame.self) + " " + unit + ", " +
      share(frame.self, all.total));
    if (frame.lost) lines.push(...classLines(frame));
    else lines.push(digits(frame.other) + " " + otherUnit);
  }
  return lines;
}

/* Drawing. */
function add(to, kind, attributes, text) {
  const made = document.createElementNS(svg.namespaceURI, kind);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  return to.appendChild(made);
}

function drawFrame(to, frame, x, w) {
  const y = BOTTOM - (frame.depth - lowest + 1) * ROW;
  const label = fit(frame.name, (w - 6) * SCALE);
  let kind = "frame";
  if (focus.number > frame.number) kind += " faded";
  if (pattern && pattern.test(frame.name)) kind += " match";
  if (frame === here) kind += " here";
  const group = add(to, "g", {"class": kind, "data-frame": frame.number});
  add(group, "title", {}, describe(frame).join("\n"));
  add(group, "rect", {"class": "c" + frame.tone, x: x.toFixed(2), y,
    width: (w > 2 ? w - 0.5 : w).toFixed(2), height: BAR});
  if (label && w > FONT + 6) add(group, "text", {x: (x + 3).toFixed(2), y: y + 12}, label);
}

function stands(frame, on) {
  return frame.number >= on.number && frame.number < on.next;
}

function place(frame) {
  if (stands(focus, frame)) return [PAD, WIDTH];
  if (!stands(frame, focus)) return [PAD, 0];
  return [PAD + WIDTH * (frame.start - focus.start) / focus.total,
    WIDTH * frame.total / focus.total];
}

/* A zoom into a deep stack keeps three rows below the frame. */
function draw() {
  const fresh = stage.cloneNode(false);
  lowest = levels > ROWS ? Math.max(0, focus.depth - 3) : 0;
  for (let i = 0; i < frames.length;) {
    const frame = frames[i], [x, w] = place(frame), row = frame.depth - lowest;
    const visible = w >= 0.1 && row < ROWS;
    if (visible && row >= 0) drawFrame(fresh, frame, x, w);
    i = visible ? i + 1 : frame.next;
  }
  stage.replaceChildren(...fresh.childNodes);
  part("reset").classList.toggle("off", focus === all);
  tell(here);
}

/* Describes the frame that is pointed at, or else the zoomed one. */
function tell(frame) {
  const room = (WIDTH - 260) * SCALE;
  const of = frame || (focus === all ? null : focus);
  info.textContent = of ? fit(describe(of).join(", "), room) : " ";
}

function zoom(frame) {
  focus = frame;
  if (here && !stands(here, focus)) here = focus;
  draw();
}

/* Fits the picture to the window. A note wider than that is set closer. */
function fitNote(note) {
  note.removeAttribute("textLength");
  if (note.getComputedTextLength() <= WIDTH) return;
  note.setAttribute("textLength", WIDTH);
  note.setAttribute("lengthAdjust", "spacingAndGlyphs");
}

function resize() {
  const home = document.documentElement === svg ? svg : svg.parentElement;
  const wide = Math.max(LEAST, home.clientWidth || window.innerWidth);
  const move = (name, key, value) => svg.querySelectorAll("." + name)
    .forEach((one) => one.setAttribute(key, value));
  WIDTH = wide - 2 * PAD;
  svg.setAttribute("width", wide);
  svg.setAttribute("viewBox", [0, 0, wide, svg.viewBox.baseVal.height].join(" "));
  move("paper", "width", wide);
  move("middle", "x", wide / 2);
  move("right", "x", wide - PAD);
  move("box", "x", wide - PAD - 250);
  svg.querySelectorAll(".note").forEach(fitNote);
  draw();
}

/* Search for a regular expression; each cycle of the matches counts once. */
function matched() {
  let sum = 0;
  for (let i = focus.number; i < focus.next;) {
    const hit = pattern.test(frames[i].name);
    if (hit) sum += frames[i].total;
    i = hit ? frames[i].next : i + 1;
  }
  return sum;
}

function search(text) {
  pattern = null;
  found.textContent = " ";
  try {
    if (text) pattern = new RegExp(text, "i");
  } catch (error) {
    found.textContent = "not a regular expression";
  }
  draw();
  if (!pattern) return;
  const sum = matched();
  found.textContent = "matched " + digits(sum) + " " + unit + ", " +
    share(sum, focus.total);
}

function openSearch() {
  if (!field) {
    const box = add(svg, "foreignObject", {"class": "box", x: PAD + WIDTH - 250, y: 28,
      width: 250, height: 26});
    field = document.createElementNS("http://www.w3.org/1999/xhtml", "input");
    field.setAttribute("title", "regular expression");
    field.setAttribute("style", "width:240px;font:12px sans-serif");
    field.addEventListener("input", () => search(field.value));
    box.appendChild(field);
  }
  part("box").classList.remove("off");
  field.focus();
  field.select();
}

function closeSearch() {
  field.value = "";
  field.blur();
  part("box").classList.add("off");
  search("");
}

/* Keys: arrows move, Enter zooms, Escape ends the search or the zoom. */
function neighbour(key) {
  if (!here) return focus;
  if (key === "ArrowDown") return here.below || here;
  if (key === "ArrowUp") return here.number + 1 < here.next ? frames[here.number + 1] : here;
  const row = frames.filter((f) => f.below === here.below && stands(f, focus));
  const at = row.indexOf(here) + (key === "ArrowRight" ? 1 : -1);
  return row[at] || here;
}

function pressed(event) {
  const typing = event.target === field;
  if ((event.key === "f" && (event.ctrlKey || event.metaKey)) ||
      (event.key === "/" && !typing)) {
    openSearch();
  } else if (event.key === "Escape") {
    if (pattern || typing) closeSearch();
    else zoom(all);
  } else if (typing) {
    return;
  } else if (event.key === "Enter") {
    zoom(here || focus);
  } else if (ARROWS[event.key]) {
    here = neighbour(event.key);
    draw();
  } else {
    return;
  }
  event.preventDefault();
}

function frameOf(event) {
  const group = event.target.closest && event.target.closest(".frame");
  return group ? frames[group.getAttribute("data-frame")] : null;
}

svg.addEventListener("click", (event) => {
  const frame = frameOf(event);
  if (frame) {
    here = null;
    zoom(frame);
  }
});
svg.addEventListener("mouseover", (event) => tell(frameOf(event) || here));
part("reset").addEventListener("click", () => zoom(all));
part("search").addEventListener("click", openSearch);
part("search").classList.remove("off");
(document.documentElement === svg ? window : svg).addEventListener("keydown", pressed);
window.addEventListener("resize", resize);
resize();
