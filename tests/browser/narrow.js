/* SPDX-License-Identifier: Apache-2.0 */
/* Steps in the flame graph of flame.txt, in a window of 700 pixels. */
const within = (one) => {
  const box = one.getBoundingClientRect();
  return box.left >= 0 && box.right <= 700;
};

step("the picture is as wide as the window", () => near(width("all"), 680));
step("widths are shares of it", () => near(width("main"), 680 * 0.9));
step("text keeps its size", () =>
  near(frame("main").querySelector("text").getBoundingClientRect().height, 13));
step("all text is within the window", () =>
  [...svg.querySelectorAll("text")].every(within));
step("the controls are within the window", () => ["reset", "order", "colours", "field", "found"]
  .every((name) => within(part(name))));
mouse("click", bar("main"));
step("a zoom fills the window", () => near(width("main"), 680));
