/* SPDX-License-Identifier: Apache-2.0 */
/* Drawing. Frames too narrow for a label are not elements: those of one colour are one
 * path. What is under the pointer is computed. */
const THIN = FONT + 6, LEAST = 300;
let WIDTH = 0, tools = null, toolsHeight = 0;

function add(to, kind, attributes, text) {
  const made = document.createElementNS(svg.namespaceURI, kind);
  for (const key in attributes) made.setAttribute(key, attributes[key]);
  if (text !== undefined) made.textContent = text;
  return to.appendChild(made);
}

const pointer = add(svg, "g", {"class": "pointer off"});
const tip = add(pointer, "title", {});
add(pointer, "rect", {"class": "outline"});
stage.after(pointer);
const line = add(svg, "text", {"class": "info", role: "status", x: PAD}, " ");
const foot = part("foot");

const rounded = (x) => Math.round(x * 100) / 100;
const rowOf = (y) => order === "flame" ? model.rows - 1 - Math.floor((y - TOP) / ROW)
  : Math.floor((y - TOP) / ROW);
const topOf = (row) => TOP + (order === "flame" ? model.rows - 1 - row : row) * ROW;
const bottom = () => TOP + model.rows * ROW;

/* Position and width of a frame; the width is 0 if it is not above the focus. */
function place(frame) {
  if (stands(focus, frame)) return [PAD, WIDTH];
  if (!stands(frame, focus)) return [PAD, 0];
  return [PAD + WIDTH * (frame.start - focus.start) / focus.total,
    WIDTH * frame.total / focus.total];
}

function element(frame, x, w, y) {
  const label = fit(frame.name, w - 6), kind = style(frame);
  const match = hit(frame) ? " match" : "";
  const tags = label ? ` role="treeitem" aria-level="${frame.depth + 1}" aria-label="${
    escaped(frame.name)}, ${share(frame.total, all.total)}"` : "";
  const box = `x="${rounded(x)}" y="${y}" width="${rounded(w - 0.5)}" height="${BAR}"`;
  return `<g class="frame${focus.number > frame.number ? " faded" : ""}"${tags} data-frame="${
    frame.number}"><rect class="${kind}${match}" ${box}/>` +
    (isDoubtful(frame) ? `<rect class="hatched" ${box}/>` : "") + (label ? `<text class="l${kind}${match}" x="${
    rounded(x + 3)}" y="${y + 12}">${escaped(label)}</text></g>` : "</g>");
}

/* The rows that are visible begin three below the focus, and move with the frame that the
 * keys are on. */
function scrollRows() {
  const rows = model.rows;
  lowest = levels > rows ? Math.max(0, focus.depth - 3) : 0;
  if (here && here.depth >= lowest + rows) lowest = here.depth - rows + 1;
  if (here && here.depth < lowest) lowest = here.depth;
}

function draw() {
  const thin = new Map(), wide = [];
  let hatched = "";
  scrollRows();
  for (let i = 0; i < frames.length;) {
    const frame = frames[i], [x, w] = place(frame), row = frame.depth - lowest;
    const visible = w >= 0.1 && row < model.rows, y = topOf(row);
    const drawn = rounded(w > 2 ? w - 0.5 : w), d = `M${rounded(x)} ${y}h${drawn}v${BAR}h-${drawn}z`;
    if (visible && row >= 0 && w >= THIN) {
      wide.push(element(frame, x, w, y));
    } else if (visible && row >= 0) {
      const kind = hit(frame) ? "match" : style(frame);
      thin.set(kind, (thin.get(kind) || "") + d);
      if (isDoubtful(frame)) hatched += d;
    }
    i = visible ? i + 1 : frame.next;
  }
  stage.innerHTML = [...thin].map(([kind, d]) => `<path class="${kind}" d="${d}"/>`)
    .concat(hatched ? [`<path class="hatched" d="${hatched}"/>`] : [], wide).join("");
  pointer.classList.add("off");
  drawHere();
  tell(here);
}

function outline(box, frame) {
  const [x, w] = place(frame);
  const rect = box.querySelector("rect");
  rect.setAttribute("x", rounded(Math.min(x, PAD + WIDTH - 2)));
  rect.setAttribute("y", topOf(frame.depth - lowest));
  rect.setAttribute("width", rounded(Math.max(2, w)));
  rect.setAttribute("height", BAR);
}

/* The frame that the keys are on, which a screen reader reads. */
function drawHere() {
  stage.querySelectorAll(".here").forEach((old) => old.remove());
  if (!here) {
    stage.removeAttribute("aria-activedescendant");
    return;
  }
  const row = here.below ? callees(here.below) : [here];
  const box = add(stage, "g", {"class": "here", id: "here", role: "treeitem",
    "aria-selected": "true", "aria-level": here.depth + 1, "aria-setsize": row.length,
    "aria-posinset": row.indexOf(here) + 1, "aria-label": describe(here).join(", ")});
  add(box, "title", {}, describe(here).join("\n"));
  add(box, "rect", {"class": "outline"});
  outline(box, here);
  stage.setAttribute("aria-activedescendant", "here");
}

/* Describes the frame that is pointed at, or else the zoomed one. */
function tell(frame) {
  const of = frame || (focus === all ? null : focus);
  line.textContent = of ? fit(describe(of).join(", "), WIDTH) : complaint || " ";
}

function point(frame) {
  pointer.classList.toggle("off", !frame);
  if (frame) {
    outline(pointer, frame);
    tip.textContent = describe(frame).join("\n");
  }
  tell(frame || here);
}

/* The legend and the notes. Returns their lower end. */
function drawFoot(y) {
  const [, letter, note, keys] = mode;
  let x = PAD;
  foot.replaceChildren();
  for (const [tone, label] of keys) {
    const text = fit(label, WIDTH - 30), room = 34 + measure(text, FONT);
    if (x > PAD && x + room > WIDTH + 2 * PAD) {
      x = PAD;
      y += LINE;
    }
    add(foot, "rect", {"class": letter + tone, x, y: y - 9, width: 10, height: 10});
    add(foot, "text", {"class": "note", x: x + 14, y}, text);
    x += room;
  }
  y += LINE + 2;
  for (const text of (note ? [note] : []).concat(model.notes)) {
    for (const words of wrap(text, WIDTH)) {
      add(foot, "text", {"class": "note", x: PAD, y}, words);
      y += LINE;
    }
  }
  return y - 4;
}

/* Fits the picture to the window. */
function layOut() {
  const home = alone ? svg : svg.parentElement;
  const wide = Math.max(LEAST, home.clientWidth || window.innerWidth);
  const set = (one, values) => Object.entries(values).forEach(([k, v]) => one.setAttribute(k, v));
  WIDTH = wide - 2 * PAD;
  if (tools) {
    set(tools, {width: wide});
    toolsHeight = tools.firstChild.offsetHeight;
    set(tools, {height: toolsHeight});
  }
  part("title").textContent = fit(model.title, WIDTH, 17);
  part("subtitle").textContent = fit(model.subtitle, WIDTH);
  svg.querySelectorAll(".middle").forEach((one) => one.setAttribute("x", wide / 2));
  line.setAttribute("y", bottom() + 18);
  const height = drawFoot(bottom() + 40) + toolsHeight;
  set(svg, {width: wide, height, viewBox: [0, -toolsHeight, wide, height].join(" ")});
  set(part("paper"), {y: -toolsHeight, width: wide, height});
  if (tools) stick();
  draw();
}

/* Keeps the controls in view, below the head of a live page, unless the window is low. */
function stick() {
  const head = keeps && !alone ? document.querySelector("header") : null;
  const top = (head ? head.getBoundingClientRect().bottom : 0) - svg.getBoundingClientRect().top;
  const most = svg.getBoundingClientRect().height - toolsHeight;
  const sticks = keeps && toolsHeight * 4 <= window.innerHeight;
  const by = sticks ? Math.max(0, Math.min(top, most)) : 0;
  tools.setAttribute("y", by - toolsHeight);
  tools.firstChild.classList.toggle("stuck", by > 0);
  if (alone) svg.style.scrollPaddingTop = (sticks ? toolsHeight : 0) + "px";
}

/* Scrolls to the root of the picture. */
function showRoots() {
  const to = topOf(0), window_ = window.innerHeight;
  const end = svg.getBoundingClientRect().height - window_;
  if (alone) window.scrollTo(0, order === "flame" ? Math.max(0, Math.min(to, end)) : 0);
}
