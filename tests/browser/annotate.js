/* SPDX-License-Identifier: Apache-2.0 */
/* Steps on the page of all functions: jumps as arrows, rows that are hidden, links. */
const section = [...document.querySelectorAll("section")]
  .find((part) => part.querySelector("h2").id === "f-work-1000e");
const row = (address) => section.querySelector(`tr[data-a="${address}"]`);
const arrows = () => [...section.querySelectorAll("svg.arrows path")];
const box = (name) => document.querySelector(`.tools input[name="${name}"]`);
const ends = (path) => {
  const [x, y] = path.getAttribute("d").match(/-?[\d.]+/g).map(Number);
  return {x, y, end: Number(path.getAttribute("d").match(/Q[\d.]+ ([\d.]+) [\d.]+ [\d.]+H[\d.]+m/)[1])};
};
const top_of = (part) => part.getBoundingClientRect().top;

step("one jump in the function", () => arrows().length === 1 && arrows()[0].classList.contains("taken"));
step("it begins at its row and ends at its target", () => {
  const {y, end} = ends(arrows()[0]), zero = top_of(section.querySelector("svg.arrows"));
  const from = row("10016").getBoundingClientRect(), to = row("10010").getBoundingClientRect();
  return near(y + zero, from.top + from.height / 2) && near(end + zero, to.top + to.height / 2) && end < y;
});
step("left of the address", () => {
  const {x} = ends(arrows()[0]), left = section.querySelector("svg.arrows").getBoundingClientRect().left;
  return x + left < row("10016").cells[6].getBoundingClientRect().left + 12 &&
    x + left > row("10016").cells[4].getBoundingClientRect().right;
});
step("the row under the pointer marks it", () => {
  row("10016").cells[7].dispatchEvent(new MouseEvent("mouseover", {bubbles: true}));
  const on = arrows()[0].classList.contains("on");
  row("10016").cells[7].dispatchEvent(new MouseEvent("mouseout", {bubbles: true}));
  return on && !arrows()[0].classList.contains("on");
});
step("the hottest row is the darkest", () =>
  [...section.querySelectorAll("td.h")].every((cell) =>
    Number(cell.style.getPropertyValue("--h")) <= Number(row("10010").cells[0].style.getPropertyValue("--h"))));
step("without source lines the arrow follows the rows", () => {
  const before = ends(arrows()[0]);
  box("no-source").click();
  const after = ends(arrows()[0]), zero = top_of(section.querySelector("svg.arrows"));
  const from = row("10016").getBoundingClientRect();
  return !section.querySelector("tr.s").offsetParent && after.y < before.y - 20 &&
    near(after.y + zero, from.top + from.height / 2);
});
step("code that never ran is hidden", () => {
  box("no-idle").click();
  return !row("1001a").offsetParent && row("10018").offsetParent;
});
step("a call leads to its function", () =>
  document.querySelector('a.quiet[href="#f-work-1000e"]') && document.getElementById("f-work-1000e"));
step("a link to what is not on the page is told", () => {
  const missing = document.getElementById("missing"), before = missing.offsetParent;
  location.hash = "#f-work-9999";
  dispatchEvent(new HashChangeEvent("hashchange"));
  const told = missing.offsetParent;
  location.hash = "#f-work-1000e";
  dispatchEvent(new HashChangeEvent("hashchange"));
  return !before && told && !missing.offsetParent;
});
step("no row is wider than the window", () => document.documentElement.scrollWidth <= innerWidth);
