/* SPDX-License-Identifier: Apache-2.0 */
/* Controls, keys and the address. */
const controls = {};
let pointed = null; /* the last event of the pointer */

function control(kind, name, properties, children = []) {
  const made = document.createElementNS("http://www.w3.org/1999/xhtml", kind);
  Object.assign(made, properties);
  made.append(...children);
  made.classList.add(name);
  controls[name] = made;
  return made;
}

function choice(name, label, values) {
  const made = control("select", name, {});
  made.setAttribute("aria-label", label);
  offer(made, values);
  return made;
}

/* Makes the options of a choice. */
function offer(select, values) {
  select.replaceChildren(...values.map(([value, text]) => {
    const option = control("option", "option", {value, textContent: text});
    option.setAttribute("value", value);
    return option;
  }));
}

/* The model tells what colours may show. */
function offerColours() {
  offer(controls.colours, model.modes.map(([name]) => [name, "colours: " + name]));
  controls.colours.hidden = model.modes.length < 2;
}

/* A row of controls above the picture. */
function makeTools() {
  const colours = choice("colours", "colours show", []);
  const field = control("input", "field", {type: "search", placeholder: "search (regular expression)"});
  field.setAttribute("aria-label", "search for a regular expression");
  field.setAttribute("aria-describedby", "found");
  const found = control("output", "found", {id: "found"});
  tools = add(svg, "foreignObject", {x: 0, y: -60, width: 1200, height: 60});
  tools.append(control("div", "tools", {}, [
    control("button", "reset", {type: "button", textContent: "Reset zoom"}),
    choice("order", "order", [["flame", "flame"], ["icicle", "icicle"]]), colours, field,
    found]));
  found.setAttribute("role", "status");
  offerColours();
  controls.reset.addEventListener("click", () => zoom(all));
  controls.order.addEventListener("change", () => change(() => { order = controls.order.value; }));
  colours.addEventListener("change", () => change(() => { mode = modeNamed(colours.value); }));
  field.addEventListener("input", () => search(field.value));
}

/* Shows the state in the controls. */
function refresh() {
  controls.reset.disabled = focus === all;
  controls.order.value = order;
  controls.colours.value = mode[0];
  if (controls.field.value !== sought) controls.field.value = sought;
}

/* The state as a fragment of an address: what differs from the state at the beginning. */
function address() {
  const state = new URLSearchParams();
  if (focus !== all) state.set("zoom", (focus.key >>> 0).toString(16));
  if (sought) state.set("search", sought);
  if (order !== "flame") state.set("order", order);
  if (mode[0] !== model.mode) state.set("colours", mode[0]);
  return state.toString();
}

/* Keeps the state in the address; a zoom can be left by the browser's way back. */
function remember(isStep) {
  const text = address(), to = location.pathname + location.search + (text ? "#" + text : "");
  if (!keeps || text === location.hash.slice(1)) return;
  try {
    history[isStep ? "pushState" : "replaceState"](null, "", to);
  } catch (error) {
    location.replace("#" + text); /* a document without an address of its own */
  }
}

/* Takes the state from the address. */
function recall() {
  const state = new URLSearchParams(keeps ? location.hash.slice(1) : "");
  const key = state.get("zoom");
  focus = (key && find(parseInt(key, 16) | 0)) || all;
  complaint = key && focus === all ? "the zoomed frame is not in this picture" : "";
  order = state.get("order") === "icicle" ? "icicle" : "flame";
  mode = modeNamed(state.get("colours")) || modeNamed(model.mode);
  here = null;
  take(state.get("search") || "");
  refresh();
  layOut();
}

function zoom(frame) {
  focus = frame;
  complaint = "";
  if (here && !stands(here, focus)) here = focus;
  refresh();
  count();
  draw();
  remember(true);
}

function change(act) {
  const former = order;
  act();
  layOut();
  if (order !== former) showRoots();
  remember(false);
}

/* Search for a regular expression. */
function take(text) {
  let pattern = null, reason = "";
  sought = text;
  hits = null;
  try {
    if (text) pattern = new RegExp(text, "i");
  } catch (error) {
    reason = error.message.split(": ").pop();
  }
  controls.found.textContent = reason ? "not a regular expression: " + reason : "";
  controls.found.classList.toggle("bad", reason !== "");
  controls.field.setAttribute("aria-invalid", reason !== "");
  if (!pattern) return;
  hits = [];
  for (let f = 0; f < model.functions.length; f += FUNCTION)
    hits.push(pattern.test(model.functions[f]));
  count();
}

/* Tells how much was found; each cycle of the matches counts once. */
function count() {
  let sum = 0;
  if (!hits) return;
  for (let i = focus.number; i < focus.next;) {
    if (hits[frames[i].f]) sum += frames[i].total;
    i = hits[frames[i].f] ? frames[i].next : i + 1;
  }
  controls.found.textContent = "matched " + digits(sum) + " " + model.unit + ", " + shares(sum);
}

function search(text) {
  take(text);
  draw();
  remember(false);
}

function openSearch() {
  controls.field.focus();
  controls.field.select();
}

function closeSearch() {
  controls.field.value = "";
  controls.field.blur();
  search("");
}

/* Keys: arrows move, Enter zooms, Escape ends the search or the zoom. Up and down are
 * as in the picture. */
function neighbour(key) {
  if (!here) return focus;
  const away = order === "flame" ? "ArrowUp" : "ArrowDown";
  if (key === "Home") return all;
  if (key === "ArrowUp" || key === "ArrowDown") {
    if (key !== away) return here.below || here;
    return here.number + 1 < here.next ? frames[here.number + 1] : here;
  }
  if (!here.below || here === focus || stands(focus, here)) return here;
  const row = callees(here.below), at = row.indexOf(here) + (key === "ArrowRight" ? 1 : -1);
  return row[at] || here;
}

function move(key) {
  const low = lowest;
  here = neighbour(key);
  scrollRows();
  if (lowest === low) drawHere();
  else draw();
  tell(here);
  stage.focus({preventScroll: true});
  if (alone) part("here").scrollIntoView({block: "nearest", inline: "nearest"});
}

function leave(typing) {
  if (sought || typing) closeSearch();
  else zoom(all);
}

function pressed(event) {
  const inTools = event.target instanceof Element && event.target.closest(".tools") !== null;
  const typing = event.target === controls.field;
  if (event.key === "f" && (event.ctrlKey || event.metaKey)) openSearch();
  else if (event.altKey || event.ctrlKey || event.metaKey) return;
  else if (event.key === "Escape") leave(typing);
  else if (inTools) return;
  else if (event.key === "/") openSearch();
  else if (event.key === "Enter") zoom(here || focus);
  else if (event.key === "a" && openAnnotation(here || focus)) event.preventDefault();
  else if (/^(Arrow(Up|Down|Left|Right)|Home)$/.test(event.key)) move(event.key);
  else return;
  event.preventDefault();
}

/* The frame under the pointer. */
function frameOf(event) {
  const matrix = svg.getScreenCTM();
  if (!matrix || event.target.closest(".tools")) return null;
  const {x, y} = new DOMPoint(event.clientX, event.clientY).matrixTransform(matrix.inverse());
  const row = rowOf(y);
  if (x < PAD || x >= PAD + WIDTH || row < 0 || row >= model.rows) return null;
  const frame = frameAt(row + lowest, focus.start + focus.total * (x - PAD) / WIDTH);
  return frame && place(frame)[1] >= 0.1 ? frame : null;
}

/* Opens the listing of a frame's function. Returns false if there is none. */
function openAnnotation(frame) {
  const link = annotation(frame);
  if (link) window.open(link, "_blank", "noopener");
  return link !== "";
}

function clicked(event) {
  const frame = frameOf(event);
  if (!frame || (event.shiftKey && openAnnotation(frame))) return;
  here = null;
  zoom(frame);
}

/* Shows another model, of the same run: what is zoomed and found stays. */
function update(data, styles) {
  const [zoomed, at, name] = [focus.key, here && here.key, mode[0]];
  load(data);
  focus = find(zoomed) || all;
  here = at === null ? null : find(at) || null;
  mode = modeNamed(name) || modeNamed(model.mode);
  if (styles) part("tones").textContent = styles;
  if (model.modes.length !== controls.colours.options.length) offerColours();
  if (complaint) {
    recall(); /* the zoomed frame may be there now */
    return;
  }
  take(sought);
  refresh();
  layOut();
  if (pointed) point(frameOf(pointed));
}

function listen() {
  svg.addEventListener("click", clicked);
  svg.addEventListener("mousemove", (event) => {
    pointed = event;
    point(frameOf(event));
  });
  svg.addEventListener("mouseleave", () => {
    pointed = null;
    point(null);
  });
  stage.addEventListener("focus", () => {
    here = here || focus;
    drawHere();
    tell(here);
  });
  (keeps ? window : svg).addEventListener("keydown", pressed);
  window.addEventListener("resize", layOut);
  if (keeps) window.addEventListener("scroll", stick);
  window.addEventListener("popstate", recall);
}

function start(data) {
  load(data);
  svg.setAttribute("role", "group");
  stage.setAttribute("role", "tree");
  stage.setAttribute("tabindex", "0");
  stage.setAttribute("aria-label", "flame graph: arrow keys move, Enter zooms, Escape goes back");
  makeTools();
  svg.update = update;
  listen();
  recall();
  showRoots();
}
