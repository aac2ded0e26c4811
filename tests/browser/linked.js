/* SPDX-License-Identifier: Apache-2.0 */
/* Steps in the flame graph of flame.txt whose functions are links to a page. */
let opened = [];
window.open = (...words) => { opened.push(words.join(" ")); };
function shiftClick(name) {
  const box = bar(name).getBoundingClientRect();
  opened = [];
  svg.dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, view: window,
    shiftKey: true, clientX: box.x + box.width / 2, clientY: box.y + box.height / 2}));
  return opened.join();
}
step("the tooltip tells of the link", () => title("needle_one").endsWith("\nShift-click or a: its instructions"));
step("no link of a trap, of untraced time, of a program", () => ["[reset]", "[ecall]", "all"].every((name) =>
  !frame(name) || (!title(name).includes("Shift-click") && shiftClick(name) === "")));
step("Shift-click opens the function and does not zoom", () =>
  shiftClick("needle_one") === 'pages/all of "it".html#f-demo-300 _blank noopener' && near(width("needle_one"), 1180 * 0.2));
mouse("click", bar("needle_one"));
step("a opens what is zoomed", () => {
  opened = [];
  key("a");
  return opened.length === 1 && opened[0].includes("#f-demo-300 ");
});
step("other keys do not", () => { opened = []; key("b"); return opened.length === 0; });
