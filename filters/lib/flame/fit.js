/* SPDX-License-Identifier: Apache-2.0 */
/* Fits a figure to the window: positions right of LEFT are stretched, text keeps its size.
 * Below LEAST pixels the whole figure shrinks. */
const svg = document.currentScript.closest("svg"), LEAST = 900, FULL = 1200;
const marks = [...svg.querySelectorAll("rect, path, text")].map((one) => ({one,
  x: one.getAttribute("x"), width: one.getAttribute("width"), d: one.getAttribute("d"),
  isMiddle: one.classList.contains("middle"), isPaper: one.classList.contains("paper"),
  isFixed: one.classList.contains("fixed")}));
const height = svg.viewBox.baseVal.height;

function layOut() {
  const home = document.documentElement === svg ? svg : svg.parentElement;
  const wide = home.clientWidth || window.innerWidth, W = Math.max(LEAST, wide);
  const factor = (W - LEFT - RIGHT) / (FULL - LEFT - RIGHT);
  const moved = (x) => x <= LEFT ? x : Math.round(10 * (LEFT + (x - LEFT) * factor)) / 10;
  for (const {one, x, width, d, isMiddle, isPaper, isFixed} of marks) {
    if (isFixed) continue;
    if (isPaper) one.setAttribute("width", W);
    else if (isMiddle) one.setAttribute("x", W / 2);
    else if (x !== null) one.setAttribute("x", moved(Number(x)));
    if (width !== null && !isPaper)
      one.setAttribute("width", Math.max(0.5, moved(Number(x) + Number(width)) - moved(Number(x))));
    if (d !== null) one.setAttribute("d", d.replace(/([MH])([\d.]+)/g, (_, c, at) => c + moved(Number(at))));
  }
  svg.setAttribute("viewBox", [0, 0, W, height].join(" "));
  svg.setAttribute("width", wide);
  svg.setAttribute("height", height * wide / W);
}

window.addEventListener("resize", layOut);
layOut();
