/* SPDX-License-Identifier: Apache-2.0 */
/* Steps in a flame graph that is deeper than the picture is high: f0 calls f1 calls f2
 * and so on to f299, and half of the cycles are in f0. */
const top = () => [...svg.querySelectorAll(".frame rect")]
  .reduce((least, rect) => Math.min(least, Number(rect.getAttribute("y"))), 1e9);

step("the picture ends some rows above what is wide", () =>
  frame("f10") && !frame("f200"));
const height = top();
mouse("click", bar("f10"));
step("a zoom goes up", () => near(width("f10"), 1180) && frame("f25") && !frame("all"));
step("within the picture", () => top() === height);
step("three frames below stay to go back by", () => frame("f7") && !frame("f6"));
for (let i = 25; i < 299; i += 10) mouse("click", bar("f" + Math.min(i, 299)));
step("up to the last", () => frame("f299"));
mouse("click", part("reset"));
step("and back", () => frame("all") && !frame("f200"));
