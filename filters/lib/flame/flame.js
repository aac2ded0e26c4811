/* SPDX-License-Identifier: Apache-2.0 */
/* The frames, and what is shown of them. */
const svg = document.currentScript.closest("svg");
const part = (name) => svg.querySelector("." + name);
const stage = part("stage");
/* True if the picture is the whole document, whose address keeps the state. */
const alone = document.documentElement === svg;
/* True if the address keeps the state: also that of the page of a live graph. */
const keeps = alone || svg.parentElement.dataset.live !== undefined;
/* A function of the model: name, binary or -1, address, kind, privilege or -1, and tones
 * of the modes that colour functions. A frame: see load(). */
const FUNCTION = 8, TONES = {r: 5, b: 6, p: 7}, FRAME = 7;
const INLINED = 6, SOURCE_LINE = 7;
let model, frames, all, levels, focus, lowest = 0, here = null;
let mode, order = "flame", sought = "", hits = null, complaint = "";

/* A key of a name. */
function hash(text) {
  let key = 2166136261;
  for (let i = 0; i < text.length; i++) key = Math.imul(key ^ text.charCodeAt(i), 16777619);
  return key ^ key >>> 15;
}

/* Classes of lost cycles of each frame: pairs of class and cycles. */
function loadClasses() {
  const lost = model.lost;
  let at = 0;
  for (const frame of frames) {
    frame.lost = [];
    for (let n = lost[at++]; n; n--, at += 2)
      frame.lost.push([model.classes[lost[at]], lost[at + 1]]);
  }
}

/* Of a sampled run: the error of each frame, and the windows that it rests on. */
function loadBars() {
  frames.forEach((frame, i) => {
    const [error, windows] = model.bars.slice(2 * i, 2 * i + 2);
    if (windows >= 0) frame.bar = {error, windows};
  });
}

/* Frames are in depth-first order; `next` is the first one that is not above the frame.
 * `key` depends on the names from the root to the frame only. */
function load(data) {
  const flat = data.frames, of = data.functions, path = [], keys = [];
  for (let f = 0; f < of.length; f += FUNCTION) keys.push(hash(of[f]));
  model = data;
  frames = [];
  levels = 0;
  for (let i = 0; i < flat.length; i += FRAME) {
    const depth = flat[i], f = flat[i + 1], below = path[depth - 1], number = frames.length;
    while (path.length > depth) path.pop().next = number;
    const start = (below ? below.edge : 0) + flat[i + 3], total = flat[i + 4];
    const key = below ? Math.imul(below.key ^ keys[f], 0x9e3779b1) ^ below.key >>> 13 : 0;
    const frame = {number, depth, below, start, total, edge: start, next: 0, key, f,
      name: of[f * FUNCTION], tone: flat[i + 2], other: flat[i + 5], self: flat[i + 6]};
    if (below) below.edge = start + total;
    path.push(frame);
    frames.push(frame);
    levels = Math.max(levels, depth + 1);
  }
  path.forEach((frame) => { frame.next = frames.length; });
  if (model.classes.length) loadClasses();
  if (model.bars) loadBars();
  all = frames[0];
}

const find = (key) => frames.find((frame) => frame.key === key);
const modeNamed = (name) => model.modes.find((one) => one[0] === name);
const stands = (frame, on) => frame.number >= on.number && frame.number < on.next;
const info = (frame, at) => model.functions[frame.f * FUNCTION + at];
const hit = (frame) => hits !== null && hits[frame.f];

/* The style of a frame's colour. */
function style(frame) {
  const letter = mode[1];
  return letter + (TONES[letter] ? info(frame, TONES[letter]) : frame.tone);
}

/* The frames above `frame` that stand directly on it. */
function callees(frame) {
  const found = [];
  for (let i = frame.number + 1; i < frame.next; i = frames[i].next) found.push(frames[i]);
  return found;
}

/* The frame at a depth above the focus, or of its callers, at a value from the left. */
function frameAt(depth, value) {
  let frame = focus;
  while (frame.depth > depth) frame = frame.below;
  while (frame && frame.depth < depth) {
    let i = frame.number + 1;
    while (i < frame.next && frames[i].start + frames[i].total <= value) i = frames[i].next;
    frame = i < frame.next && frames[i].start <= value ? frames[i] : null;
  }
  return frame;
}
