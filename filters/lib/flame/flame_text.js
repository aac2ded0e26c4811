/* SPDX-License-Identifier: Apache-2.0 */
/* Numbers, widths and descriptions. */
const LEVELS = {0: "U-mode", 1: "S-mode", 3: "M-mode", 4: "VU-mode", 5: "VS-mode"};
const digits = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, " ");
const signed = (n) => (n < 0 ? "-" : "+") + digits(Math.abs(n));
const share = (n, of) => (of ? (100 * n / of).toFixed(2) : "0.00") + " %";
const width = (c) => widths[c.codePointAt(0) - 32] || 1000;
const escaped = (text) => text.replace(/[&<>"]/g, (c) => "&#" + c.charCodeAt(0) + ";");

/* The pixels of a text in a font of `size` pixels. */
function measure(text, size) {
  let used = 0;
  for (const c of text) used += width(c);
  return used * size / 1000;
}

/* The beginning of a text that fits in `room` pixels. */
function fit(text, room, size = FONT) {
  let used = 0, cut = 0;
  for (const c of text) {
    used += width(c) * size;
    if (used > room * 1000) return cut ? text.slice(0, cut) + ".." : "";
    if (used + 2 * width(".") * size <= room * 1000) cut += c.length;
  }
  return text;
}

/* Lines of at most `room` pixels. */
function wrap(text, room) {
  const lines = [""];
  for (const word of text.split(" ")) {
    const last = lines[lines.length - 1], longer = last ? last + " " + word : word;
    if (last && measure(longer, FONT) > room) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
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

/* Shares of the whole, and of the zoomed frame. */
function shares(n) {
  return share(n, all.total) +
    (focus === all ? "" : ", " + share(n, focus.total) + " of " + focus.name);
}

/* Where the code of a frame is; "" if that is not known. */
function origin(frame) {
  const binary = model.binaries[info(frame, 1)], at = info(frame, 2);
  const kind = info(frame, 3), priv = info(frame, 4), parts = [];
  if (kind === SOURCE_LINE && frame.below) parts.push("source line of " + frame.below.name);
  if (kind === INLINED && frame.below) parts.push("inlined in " + frame.below.name);
  if (binary) parts.push("in " + binary + (at && kind !== SOURCE_LINE ? " at 0x" + at : ""));
  if (priv >= 0) parts.push(LEVELS[priv] || "debug mode");
  return parts.join(", ");
}

/* Where the instructions of a frame's function are listed; "" if they are not. */
function annotation(frame) {
  while (frame && info(frame, 3) >= INLINED) frame = frame.below;
  const binary = frame && model.binaries[info(frame, 1)], at = frame && info(frame, 2);
  if (!model.annotated || !binary || !at || info(frame, 3) !== 0) return "";
  return model.annotated + "#f-" + (binary + "-" + at).replace(/[^A-Za-z0-9._-]/g, "_");
}

/* Of a sampled run */
const isDoubtful = (frame) => frame.bar !== undefined && frame.bar.windows < model.few;
const errorOf = (frame) => (frame.bar && frame.bar.error >= 0
  ? " \u00b1 " + digits(frame.bar.error) : "");
const restsOn = (frame) => "rests on " + digits(frame.bar.windows) + " window" +
  (frame.bar.windows === 1 ? "" : "s") + (isDoubtful(frame) ? ": too few" : "");

function describe(frame) {
  const lines = [frame.name, digits(frame.total) + errorOf(frame) + " " + model.unit + ", " +
    shares(frame.total)];
  if (frame.bar) lines.push(restsOn(frame));
  if (model.difference) {
    lines.push("before " + digits(frame.other) + " " + model.otherUnit +
      ", change " + signed(frame.total - frame.other));
    lines.push("own change " + signed(frame.self));
  } else {
    lines.push("self " + digits(frame.self) + " " + model.unit + ", " +
      share(frame.self, all.total));
    if (frame.lost) lines.push(...classLines(frame));
    else lines.push(digits(frame.other) + " " + model.otherUnit);
  }
  const where = origin(frame);
  if (where) lines.push(where);
  if (annotation(frame)) lines.push("Shift-click or a: its instructions");
  return lines;
}
