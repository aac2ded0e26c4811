// SPDX-License-Identifier: Apache-2.0
// What a picture shows: boxes and pixels.
"use strict";
const {contrast, parse} = require("./colours.js");

// Runs in the page. Boxes of texts and controls, and of the frames; what the controls cover
// is left out, since they stay in view.
function survey() {
  const box = (one) => {
    const {left, top, right, bottom} = one.getBoundingClientRect();
    return {left, top, right, bottom};
  };
  const all = (selector) => [...document.querySelectorAll(selector)].filter((one) =>
    one.getClientRects().length && getComputedStyle(one).visibility === "visible");
  const fill = (one) => getComputedStyle(one).fill;
  const ground = (one) => fill(one.closest(".frame") ? one.closest(".frame").querySelector("rect")
    : document.querySelector(".paper"));
  const tools = document.querySelector(".tools");
  const end = tools && tools.classList.contains("stuck") ? tools.getBoundingClientRect().bottom : -1e9;
  const isClear = (one) => one.getBoundingClientRect().top >= end;
  return {
    width: innerWidth, height: innerHeight,
    texts: all("svg text").filter((one) => one.textContent.trim() && isClear(one)).map((one) =>
      ({...box(one), text: one.textContent, fill: fill(one), ground: ground(one),
        faded: one.closest(".faded") !== null})),
    controls: all("button, select, input").map((one) => ({...box(one), text: one.className})),
    frames: all(".frame").filter(isClear).map((one) => ({...box(one.querySelector("rect")),
      text: one.getAttribute("aria-label") || "", fill: fill(one.querySelector("rect")),
      faded: one.classList.contains("faded")})),
  };
}

const SURVEY = `(${survey})()`;
const overlap = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 0.6 &&
  Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2.6;
const isIn = (a, b) => a.left >= b.left - 1 && a.right <= b.right + 1 && a.top >= b.top - 2 &&
  a.bottom <= b.bottom + 2;
const close = (a, b) => a.every((c, i) => Math.abs(c - b[i]) <= 3);

// The first pair that overlaps, or true.
function apart(boxes) {
  for (let i = 0; i < boxes.length; i++)
    for (let k = 0; k < i; k++)
      if (overlap(boxes[i], boxes[k])) return [boxes[i], boxes[k]];
  return true;
}

// The first text that is hard to read or leaves its place, or true.
function readable(seen, pixels) {
  for (const text of seen.texts) {
    const fill = parse(text.fill), ground = parse(text.ground);
    if (contrast(fill, ground) < 4.5) return ["contrast", contrast(fill, ground), text];
    if (text.left < 0 || text.right > seen.width + 1) return ["beyond the window", text];
    if (text.faded || text.top < 0 || text.bottom > seen.height) continue;
    let ink = 0;
    for (let y = Math.ceil(text.top); y < text.bottom; y++)
      for (let x = Math.ceil(text.left); x < text.right; x++)
        ink += contrast(pixels.at(x, y), ground) > contrast(fill, ground) / 2;
    if (ink < 3 * text.text.replace(/\W/g, "").length) return ["no ink", ink, text];
  }
  return true;
}

// The first frame in the window whose pixels are not of its colour, or true.
function drawn(seen, pixels) {
  let count = 0;
  for (const frame of seen.frames) {
    if (frame.faded || frame.top < 0 || frame.bottom > seen.height) continue;
    const at = pixels.at(Math.ceil(frame.left) + 1, Math.ceil(frame.top) + 1);
    if (!close(at, parse(frame.fill))) return [at, frame];
    count++;
  }
  return count > 0 || "no frame";
}

// The first label that leaves its frame, or true.
function labelled(seen) {
  const labels = seen.texts.filter((text) => text.ground !== undefined &&
    seen.frames.some((frame) => overlap(text, frame)));
  return labels.find((label) => !seen.frames.some((frame) => isIn(label, frame))) || true;
}

module.exports = {SURVEY, apart, readable, drawn, labelled, close};
