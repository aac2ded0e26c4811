/* SPDX-License-Identifier: Apache-2.0 */
/* The flame graph: what the picture of tr-fold --svg does, on a canvas. */
const ROW = 17, BAR = 16, FRAME = 9, LABEL = 22;
const stage = at("flame"), canvas = stage.querySelector("canvas"), room = stage.querySelector(".room");
const FONT = "11px Verdana, 'DejaVu Sans', sans-serif";
let frames = [];      /* depth, func, node, start, total, self, instructions, group, slots */
let levels = 0, highest = 0, pointed = null, here = null;
let sought = null;    /* functions that match the search */

const flameWidth = () => Math.max(100, Math.min(8000, Math.round(stage.clientWidth)));

const isAtRoot = () => stage.scrollTop >= stage.scrollHeight - stage.clientHeight - 4;

function loadFrames() {
  const flat = view.frames;
  const wasAtRoot = isAtRoot();
  frames = [];
  levels = 0;
  for (let i = 0; i < flat.length; i += FRAME) {
    const [depth, func, node, start, total, self, instructions, group, slots] = flat.slice(i, i + FRAME);
    frames.push({depth, func, node, start, total, self, instructions, group, slots, number: frames.length});
    levels = Math.max(levels, depth + 1);
  }
  /* In a narrow window the graph is as high as it needs, and keeps this height. */
  highest = Math.max(highest, levels);
  stage.style.setProperty("--high", highest * ROW + 4 + "px");
  const key = here && here.func > -2 && here.node;
  here = here ? frames.find((frame) => frame.node === key && !isNarrow(frame)) || null : null;
  return wasAtRoot;
}

/* Several frames that are too narrow; `node` is their number. */
const isNarrow = (frame) => frame.func === -2;
const nameOf = (frame) => isNarrow(frame)
  ? digits(frame.node) + " narrow frame" + (frame.node === 1 ? "" : "s")
  : frame.func < 0 ? "all" : names[frame.func][0];
const bottom = () => Math.max(levels * ROW, canvas.clientHeight);
const topOf = (depth) => bottom() - (depth + 1) * ROW - stage.scrollTop;

function colourOf(frame) {
  if (isNarrow(frame)) return isDark() ? [240, 6, 34] : [240, 6, 88];
  if (frame.func < 0) return state.colours === "class" ? classColour(frame.group, frame.slots, frame.total * run.width)
    : ROLES[4];
  return state.colours === "class" ? classColour(frame.group, frame.slots, frame.total * run.width)
    : functionColour(frame.func);
}

/* Texts are cut as in the picture: two dots behind what fits. */
const letters = new Map();
function fitText(pen, text, space) {
  let used = 0, cut = 0;
  for (const letter of text) {
    if (!letters.has(letter)) letters.set(letter, pen.measureText(letter).width);
    used += letters.get(letter);
    if (used > space) return cut ? text.slice(0, cut) + ".." : "";
    if (used + 8 <= space) cut += letter.length;
  }
  return text;
}

/* A canvas as large as its box, cleared, in pixels of CSS. */
function penOf(of, width, height) {
  const scale = window.devicePixelRatio || 1;
  if (of.width !== Math.round(width * scale) || of.height !== Math.round(height * scale)) {
    of.width = Math.round(width * scale);
    of.height = Math.round(height * scale);
  }
  of.style.width = width + "px";
  of.style.height = height + "px";
  const pen = of.getContext("2d");
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width, height);
  return pen;
}

function drawFlame() {
  if (!view) return;
  const width = stage.clientWidth, height = stage.clientHeight;
  room.style.height = Math.max(0, levels * ROW - height) + "px";
  const pen = penOf(canvas, width, height), all = view.cycles || 1;
  const ink = getComputedStyle(document.documentElement);
  const match = ink.getPropertyValue("--match");
  pen.font = FONT;
  pen.textBaseline = "middle";
  for (const frame of frames) {
    const y = topOf(frame.depth);
    if (y > height || y < -ROW) continue;
    const x = width * frame.start / all, w = width * frame.total / all;
    const isHit = frame.func >= 0 && (sought ? sought.has(frame.func) : state.func === String(frame.func));
    const colour = colourOf(frame);
    pen.fillStyle = isHit ? match : css(colour);
    pen.fillRect(x, y, w > 2 ? w - 0.5 : w, BAR);
    if (w < LABEL) continue;
    const label = fitText(pen, nameOf(frame), w - 6);
    pen.fillStyle = isHit || needsWhite(colour) ? "#fff" : "#000";
    if (label) pen.fillText(label, x + 3, y + 8.5);
  }
  for (const frame of [here, pointed]) if (frame) outlineFrame(pen, frame, ink.getPropertyValue("--ink"));
}

function outlineFrame(pen, frame, ink) {
  const all = view.cycles || 1, width = stage.clientWidth;
  pen.strokeStyle = ink;
  pen.lineWidth = frame === here ? 2.5 : 1.5;
  pen.strokeRect(width * frame.start / all + 0.5, topOf(frame.depth) + 0.5,
    Math.max(2, width * frame.total / all - 1), BAR - 1);
}

/* ------------------------------------------------------------ texts */

function describe(frame) {
  const name = nameOf(frame), lines = [name];
  lines.push(digits(frame.total) + " cycles, " + percent(frame.total, run.cycles) + " of the run, " +
    percent(frame.total, view.cycles) + " of what is shown");
  if (isNarrow(frame)) return lines;
  lines.push("self " + digits(frame.self) + " cycles");
  lines.push(digits(frame.instructions) + " instructions" +
    (run.untimed || !frame.instructions ? "" : ", CPI " + (frame.total / frame.instructions).toFixed(2)));
  if (frame.group) lines.push("lost most to " + run.groups[frame.group][0] + ": " +
    percent(frame.slots, frame.total * run.width));
  if (frame.func >= 0 && names[frame.func][1]) {
    const [, binary, kind, , address] = names[frame.func];
    lines.push("in " + binary + (address !== "0" && kind !== SOURCE_LINE ? " at 0x" + address : ""));
  }
  return lines;
}

function tellInfo(frame) {
  at("info").textContent = frame ? describe(frame).join(", ") : sayLeftOut();
}

function sayLeftOut() {
  const [count, cycles] = view ? view.left_out : [0, 0];
  if (view && !view.cycles) return "nothing ran in what is shown";
  return count ? `${digits(count)} frame${count === 1 ? "" : "s"} narrower than half a pixel, with ${
    percent(cycles, view.cycles)} of the cycles: pale, and without callees; zoom to see them` : "";
}

function showTip(event, frame) {
  const tip = at("tip");
  tip.hidden = !frame;
  if (!frame) return;
  tip.textContent = describe(frame).join("\n");
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 6)) + "px";
  tip.style.top = Math.max(4, event.clientY + 18 + box.height > innerHeight
    ? event.clientY - box.height - 12 : event.clientY + 18) + "px";
}

function showPath() {
  const path = at("path"), parts = [];
  const button = (text, node) => {
    const made = document.createElement("button");
    made.textContent = text;
    made.addEventListener("click", () => change({root: String(node)}));
    return made;
  };
  if (view && view.path.length) {
    parts.push(button("all", 0));
    const shown = view.path.slice().reverse();
    const cut = shown.length > 4 ? shown.slice(-4) : shown;
    if (cut.length < shown.length) parts.push("…");
    cut.forEach(([node, func]) => parts.push(button(names[func][0], node)));
  }
  path.replaceChildren(...parts);
  path.hidden = !parts.length;
}

function showLegend() {
  at("legend").replaceChildren(...legend().map(([colour, text]) => {
    const one = document.createElement("span"), box = document.createElement("i");
    box.style.background = css(colour);
    one.append(box, text);
    return one;
  }));
}

/* ------------------------------------------------------------ search */

function findSought() {
  if (!state.search) sought = null;
  else {
    let wanted = null;
    try {
      wanted = new RegExp(state.search, "i");
    } catch (error) { /* what is typed may not be complete */ }
    sought = new Set();
    names.forEach(([name], f) => { if (wanted && wanted.test(name)) sought.add(f); });
    at("search").setAttribute("aria-invalid", String(!wanted));
  }
  at("found").textContent = sought && view ? percent(sumSought(), view.cycles) : "";
}

/* The cycles below which a match is, each once. */
function sumSought() {
  let sum = 0, depth = Infinity;
  for (const frame of frames) {
    if (frame.depth > depth) continue;
    depth = Infinity;
    if (frame.func >= 0 && sought.has(frame.func)) {
      sum += frame.total;
      depth = frame.depth;
    }
  }
  return sum;
}

/* ------------------------------------------------------------ pointer and keys */

function frameAt(event) {
  if (!view) return null;
  const box = stage.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
  const depth = Math.floor((bottom() - stage.scrollTop - y) / ROW), value = x / stage.clientWidth * view.cycles;
  return frames.find((frame) => frame.depth === depth && frame.start <= value &&
    value < frame.start + frame.total) || null;
}

function zoomTo(frame) {
  if (frame && frame.func >= 0) change({root: String(frame.node)});
  else if (frame && !isNarrow(frame)) zoomOut();
}

function zoomOut() {
  if (!view || !view.path.length) return;
  change({root: view.path.length > 1 ? String(view.path[1][0]) : "0"});
}

function callers(frame) {
  let i = frame.number;
  while (i >= 0 && frames[i].depth >= frame.depth) i--;
  return i < 0 ? null : frames[i];
}

function neighbour(key) {
  if (!here || key === "Home") return frames[0];
  const next = frames[here.number + 1];
  if (key === "ArrowUp") return next && next.depth > here.depth ? next : here;
  if (key === "ArrowDown") return callers(here) || here;
  const step = key === "ArrowRight" ? 1 : -1;
  for (let i = here.number + step; i > 0 && i < frames.length && frames[i].depth >= here.depth; i += step)
    if (frames[i].depth === here.depth) return frames[i];
  return here;
}

function flameKey(event) {
  if (event.ctrlKey || event.altKey || event.metaKey || !frames.length) return;
  if (/^(Arrow(Up|Down|Left|Right)|Home)$/.test(event.key)) {
    here = neighbour(event.key);
    const y = bottom() - (here.depth + 1) * ROW;
    if (y < stage.scrollTop) stage.scrollTop = y;
    if (y + ROW > stage.scrollTop + stage.clientHeight) stage.scrollTop = y + ROW - stage.clientHeight;
    stage.setAttribute("aria-label", "flame graph: " + describe(here).join(", "));
    tellInfo(here);
    drawFlame();
  } else if (event.key === "Enter") zoomTo(here);
  else if (event.key === "Escape") zoomOut();
  else if (event.key === " " && here && here.func >= 0) chooseFunction(here.func);
  else return;
  event.preventDefault();
}

function renewFlame() {
  const wasAtRoot = loadFrames();
  if (state.colours === "binary" || !binaryTones.size) {
    binaryTones.clear();
    rankBinaries();
  }
  functionColours.clear();
  findSought();
  showPath();
  showLegend();
  drawFlame();
  if (wasAtRoot) stage.scrollTop = stage.scrollHeight;
  pointed = null;
  at("tip").hidden = true;
  tellInfo(here);
}

function startFlame() {
  stage.addEventListener("scroll", drawFlame);
  stage.addEventListener("mousemove", (event) => {
    const frame = frameAt(event), isNew = frame !== pointed;
    pointed = frame;
    showTip(event, frame);
    if (isNew) drawFlame();
    tellInfo(frame || here);
  });
  stage.addEventListener("mouseleave", () => {
    pointed = null;
    at("tip").hidden = true;
    drawFlame();
    tellInfo(here);
  });
  stage.addEventListener("click", (event) => {
    const frame = frameAt(event);
    if (frame && frame.node === Number(state.root) && frame.number === 0) zoomOut();
    else zoomTo(frame);
  });
  stage.addEventListener("contextmenu", (event) => {
    const frame = frameAt(event);
    if (!frame || frame.func < 0) return;
    event.preventDefault();
    here = frame;
    chooseFunction(frame.func);
    stage.focus();
  });
  stage.addEventListener("keydown", flameKey);
  listeners.push((what) => {
    if (what === "view") renewFlame();
    if (what === "state" && view) {
      findSought();
      functionColours.clear();
      if (state.colours === "binary") rankBinaries();
      showLegend();
      drawFlame();
    }
  });
}
