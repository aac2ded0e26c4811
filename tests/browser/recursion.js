/* SPDX-License-Identifier: Apache-2.0 */
/* Steps in a flame graph of f0, which calls f1, which calls itself 300 deep. */
step("the base and a window's height of the recursion are shown", () =>
  frame("f0") && svg.querySelectorAll(".frame").length === 40);
