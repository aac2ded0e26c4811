/* SPDX-License-Identifier: Apache-2.0 */
/* Shared by the test steps, which run inside a flame graph: simulated user input, and one
 * line per step in the document. */
"use strict";
const svg = document.documentElement, results = [];
const part = (name) => svg.querySelector("." + name);
const frame = (name) => [...svg.querySelectorAll(".frame[aria-label]")]
  .find((group) => group.getAttribute("aria-label").replace(/, [\d.]+ %$/, "") === name);
const bar = (name) => frame(name).querySelector("rect");
const width = (name) => Number(bar(name).getAttribute("width"));
const near = (a, b) => Math.abs(a - b) < 1;

function step(name, check) {
  let good = false, why = "";
  try {
    good = check();
  } catch (error) {
    why = ": " + error;
  }
  results.push((good ? "PASS " : "FAIL ") + name + why);
}

/* Sends an event to the topmost element at the middle of `element`. */
function mouse(kind, element) {
  const box = element.getBoundingClientRect();
  const x = box.x + box.width / 2, y = box.y + box.height / 2;
  const target = document.elementFromPoint(x, y);
  target.dispatchEvent(new MouseEvent(kind,
    {bubbles: true, cancelable: true, view: window, clientX: x, clientY: y}));
}

/* The tooltip of a frame. */
function title(name) {
  mouse("mousemove", bar(name));
  return part("pointer").querySelector("title").textContent;
}

function key(name, more, target) {
  const event = new KeyboardEvent("keydown",
    {key: name, bubbles: true, cancelable: true, ...more});
  (target || document.documentElement).dispatchEvent(event);
  return event;
}

function type(text) {
  const field = svg.querySelector("input");
  field.value = text;
  field.dispatchEvent(new Event("input", {bubbles: true}));
  return field;
}

function finish() {
  const out = document.createElementNS(svg.namespaceURI, "desc");
  out.textContent = "\n" + results.join("\n") + "\nDONE " + results.length + "\n";
  svg.appendChild(out);
}
