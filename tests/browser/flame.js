/* SPDX-License-Identifier: Apache-2.0 */
/* Steps in the flame graph of flame.txt. */
step("root is as wide as the picture", () => near(width("all"), 1180));
step("widths are shares", () => near(width("main"), 1180 * 0.9) &&
  near(width("needle_one"), 1180 * 0.2));
step("children stand on their parents", () =>
  Number(bar("main").getAttribute("y")) > Number(bar("needle_one").getAttribute("y")));
step("labels are cut to fit", () => {
  const label = frame("std::vector<std::pair<int, long>, std::allocator<std::pair<int, " +
    "long> > >::push_back(std::pair<int, long>&&)").querySelector("text");
  return label.textContent.endsWith("..") && label.getComputedTextLength() < 1180 * 0.3;
});
step("tooltip has cycles, share, self and instructions", () =>
  title("needle_one") ===
  "needle_one\n200 000 cycles, 20.00 %\nself 50 000 cycles, 5.00 %\n" +
  "100 000 instructions\nin demo at 0x300, U-mode");
step("pointing tells below the graph", () => {
  mouse("mousemove", bar("sbi_console"));
  return part("info").textContent.startsWith("sbi_console, 100 000 cycles, 10.00 %");
});
step("a narrow frame is drawn, one below a tenth of a pixel is not", () =>
  [...svg.querySelectorAll(".stage path")].map((path) => path.getAttribute("d")).join("")
    .match(/M/g).length === 1);

mouse("click", bar("needle_one"));
step("a click zooms", () => near(width("needle_one"), 1180) &&
  near(width("needle_two"), 1180 * 0.75));
step("below the graph stands what it zoomed into", () =>
  part("info").textContent.startsWith("needle_one, 200 000 cycles, 20.00 %"));
step("shares are also those of the zoomed frame", () => title("needle_two").split("\n")[1] ===
  "150 000 cycles, 15.00 %, 75.00 % of needle_one");
step("ancestors stay, faded and full", () => near(width("main"), 1180) &&
  frame("main").classList.contains("faded"));
step("others are gone", () => !frame("sys_write") && !frame("[reset]"));
step("the way back is offered", () => !part("reset").disabled);
mouse("click", part("reset"));
step("reset goes back", () => near(width("needle_one"), 1180 * 0.2) &&
  frame("sys_write") && part("reset").disabled);
svg.dispatchEvent(new MouseEvent("mouseleave"));
step("and nothing after that", () => part("info").textContent.trim() === "");
mouse("click", bar("needle_two"));
mouse("click", bar("main"));
step("a click on an ancestor zooms out to it", () =>
  near(width("main"), 1180) && near(width("sys_write"), 1180 / 3));
key("Escape");
step("Escape goes back", () => near(width("main"), 1180 * 0.9));

type("^needle");
step("the search marks what it finds", () =>
  svg.querySelectorAll("rect.match").length === 2 &&
  bar("needle_two").classList.contains("match"));
step("each cycle is found once", () =>
  part("found").textContent === "matched 200 000 cycles, 20.00 %");
type("NEEDLE_(two|three)|sys_");
step("it is a regular expression, without regard to case", () =>
  part("found").textContent === "matched 450 000 cycles, 45.00 %");
mouse("click", bar("main"));
step("marks stay in a zoom", () => bar("needle_two").classList.contains("match"));
step("the share found is also that of the zoomed frame", () => part("found").textContent ===
  "matched 450 000 cycles, 45.00 %, 50.00 % of main");
type("(");
step("a bad expression is told", () =>
  part("found").textContent === "not a regular expression: Unterminated group" &&
  part("field").getAttribute("aria-invalid") === "true" &&
  svg.querySelectorAll(".match").length === 0);
key("Escape", {}, type("needle"));
step("Escape ends the search first", () => svg.querySelectorAll(".match").length === 0 &&
  part("found").textContent.trim() === "" && near(width("main"), 1180));
key("Escape");
step("and then the zoom", () => near(width("main"), 1180 * 0.9));
step("Ctrl-F is taken", () => key("f", {ctrlKey: true}).defaultPrevented &&
  document.activeElement === part("field"));
key("Escape", {}, svg.querySelector("input"));
step("other keys are left alone", () => !key("f").defaultPrevented);

key("ArrowUp");
key("ArrowUp");
step("arrows walk up", () => part("here").getAttribute("aria-label").startsWith("[reset], "));
key("ArrowRight");
step("and sideways", () => part("here").getAttribute("aria-label").startsWith("demo, ") &&
  part("here").getAttribute("aria-posinset") === "2");
step("the graph has the focus, and says which frame it is on", () =>
  document.activeElement === part("stage") &&
  part("stage").getAttribute("aria-activedescendant") === part("here").id);
key("Enter");
step("Enter zooms", () => near(width("demo"), 1180) && !frame("[reset]"));
key("Escape");
step("nothing is fetched", () => performance.getEntriesByType("resource").length === 0);
