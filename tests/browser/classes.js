/* SPDX-License-Identifier: Apache-2.0 */
/* Steps in a flame graph coloured by class of lost cycles. */
const hsl = (name) => {
  const [r, g, b] = getComputedStyle(bar(name)).fill.match(/\d+/g).map((n) => n / 255);
  const high = Math.max(r, g, b), low = Math.min(r, g, b), d = high - low || 1;
  const hue = high === r ? (g - b) / d + 6 : high === g ? (b - r) / d + 2 : (r - g) / d + 4;
  return {hue: Math.round(60 * hue) % 360, light: (high + low) / 2, grey: high - low < 0.01};
};
// Colours are rounded to whole channels.
const isHue = (name, hue) => Math.abs((hsl(name).hue - hue + 540) % 360 - 180) < 8;
step("the tooltip has the cycles of each class, callees included", () =>
  title("main") === "main\n9 000 cycles, 90.00 %\nself 1 000 cycles, 10.00 %\n" +
  "retiring 3 801, 42.23 %\nfrontend 850, 9.44 %: icache 750, itlb 100\n" +
  "backend memory 2 850, 31.67 %: dram 2 850\nidle 999, 11.10 %\nother 500, 5.56 %: thing 500\nin p");
step("what was not traced has no class", () =>
  title("[reset]").endsWith("\nretiring 0, 0.00 %\nnot traced 1 000, 100.00 %"));
step("the hue is that of the group that lost most", () => isHue("walk", 359) &&
  isHue("main", 359) && isHue("sleep", 209));
step("a group that is not known has one, too", () => isHue("odd", 95));
step("the more it lost, the stronger", () => hsl("walk").light < hsl("main").light - 0.05);
step("what retires is green", () => isHue("steady", 115));
step("what was not traced is grey", () => hsl("[reset]").grey);
const notes = [...svg.querySelectorAll(".note")].map((note) => note.textContent);
step("the legend has the shares of the whole", () => ["retiring 38.01 %",
  "frontend 8.50 %", "backend memory 28.50 %", "idle 9.99 %", "other 5.00 %",
  "not traced 10.00 %"].every((text) => notes.includes(text)));
mouse("click", bar("walk"));
step("a zoom keeps the colour", () => isHue("walk", 359) && near(width("walk"), 1180));
