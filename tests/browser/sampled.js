/* SPDX-License-Identifier: Apache-2.0 */
/* Steps in the flame graph of a sampled run: tests/cli/sampled.inc, 12 windows. */
const isHatched = (name) => frame(name).querySelector("rect.hatched") !== null;
const tip = (name) => title(name).split("\n");
step("the tooltip has the error and the windows", () => tip("f")[1].startsWith("22 300 ± 1 695 cycles, ") &&
  tip("f")[2] === "rests on 12 windows");
step("few windows are said to be", () => tip("g")[1].startsWith("10 000 ± 900 cycles, ") &&
  tip("g")[2] === "rests on 6 windows: too few");
step("what rests on few is hatched", () => isHatched("g") && !isHatched("f") &&
  !isHatched("t (inlined)") && !isHatched("all"));
step("the hatching is that of the document", () =>
  getComputedStyle(frame("g").querySelector(".hatched")).fill === 'url("#hatching")' &&
  svg.querySelector("#hatching rect") !== null);
step("the line below says what it means", () => [...svg.querySelectorAll(".foot .note")].some((note) =>
  note.textContent.endsWith("hatched: rests on fewer than 10 windows")));
step("a narrow frame is hatched as well", () => svg.querySelectorAll("path.hatched").length === 1);
mouse("click", bar("g"));
step("a zoom keeps it", () => near(width("g"), 1180) && isHatched("g"));
