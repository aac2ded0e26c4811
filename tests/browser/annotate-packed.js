/* SPDX-License-Identifier: Apache-2.0 */
/* Steps on a large page, which has expanded itself. */
step("the function is there", () => document.getElementById("f-many-10000") && !document.getElementById("unpacking"));
step("with all its instructions", () => document.querySelectorAll("tr[data-a]").length === 8000);
step("its jumps are drawn", () => document.querySelectorAll("svg.arrows path").length === 4000 - 1);
step("code that never ran can be hidden", () => {
  const box = document.querySelector('.tools input[name="no-idle"]'), idle = document.querySelector("tr.n");
  box.click();
  return !box.parentElement.hidden && !idle.offsetParent;
});
