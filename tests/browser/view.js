// SPDX-License-Identifier: Apache-2.0
// Looks at pictures, and uses flame graphs with real input:
// view.js FLAME CLASSES DIFFERENCE BIG TALL HISTOGRAM BARS
"use strict";
const {Chromium, Steps} = require("./chromium.js");
const {SURVEY, apart, readable, drawn, labelled} = require("./look.js");
const {VISIONS, distance} = require("./colours.js");

const [FLAME, CLASSES, DIFFERENCE, BIG, TALL, HISTOGRAM, BARS] =
  process.argv.slice(2).map((name) => "file://" + name);
const browser = new Chromium(), steps = new Steps("view");
const step = (what, act) => steps.step(what, act);
const labels = () => browser.eval(`[...document.querySelectorAll(".frame[aria-label]")]
  .map((one) => one.getAttribute("aria-label"))`);
const hash = () => browser.eval("location.hash");
const has = async (name) => (await labels()).some((label) => label.startsWith(name + ","));
const found = () => browser.eval(`document.querySelector(".found").textContent`);

// Moves the pointer to a frame, and perhaps clicks.
async function on(name, click) {
  const {x, y} = await browser.eval(`(() => { const {x, y, width, height} =
    [...document.querySelectorAll(".frame[aria-label]")].find((one) => one.getAttribute("aria-label")
      .startsWith(${JSON.stringify(name + ",")})).getBoundingClientRect();
    return {x: x + width / 2, y: y + height / 2}; })()`);
  await browser.mouse(x, y, click);
}

async function choose(control, value) {
  await browser.eval(`(() => { const one = document.querySelector(".${control}");
    one.value = ${JSON.stringify(value)}; one.dispatchEvent(new Event("change")); })()`);
}

async function type(text) {
  await browser.eval(`document.querySelector(".field").select()`);
  await browser.send("Input.insertText", {text});
}

async function state() {
  await browser.open(FLAME, 1200, 900);
  await step("without a choice the address has no state", async () => await hash() === "");
  await on("needle_one", true);
  await type("^needle");
  await choose("order", "icicle");
  await choose("colours", "binary");
  const kept = async () => {
    const seen = [await hash(), await found(), await labels(), await browser.eval(`
      ["order", "colours", "field"].map((name) => document.querySelector("." + name).value)`)];
    return JSON.stringify(seen);
  };
  const before = await kept();
  await step("zoom, search, order and colours are in the address", async () =>
    /^#zoom=[0-9a-f]+&search=%5Eneedle&order=icicle&colours=binary$/.test(await hash()) || hash());
  await browser.reload();
  await step("they survive a reload", async () => await kept() === before || kept());
  const address = FLAME + await hash();
  await browser.open(address, 1200, 900);
  await step("and are there for whoever gets the address", async () => await kept() === before || kept());
  await browser.open(FLAME, 1200, 900);
  await on("needle_one", true);
  await browser.eval("new Promise((done) => { addEventListener('popstate', () => setTimeout(done)); history.back(); })");
  await step("the way back leaves a zoom", async () => await has("sys_write") && await hash() === "");
  await browser.open(FLAME + "#zoom=1234&search=(&order=x&colours=y", 1200, 900);
  await step("an address of another picture is told", async () => await has("sys_write") &&
    (await browser.eval(`document.querySelector(".info").textContent`)) ===
      "the zoomed frame is not in this picture" &&
    (await found()).startsWith("not a regular expression: "));
}

async function keys() {
  await browser.open(FLAME, 1200, 900);
  const focused = () => browser.eval(
    `document.activeElement && document.activeElement.getAttribute("class")`);
  const at = async () => {
    const {nodes} = await browser.send("Accessibility.getFullAXTree");
    const tree = nodes.find((node) => node.role && node.role.value === "tree");
    const active = tree.properties.find((one) => one.name === "activedescendant");
    const id = active && active.value.relatedNodes[0].backendDOMNodeId;
    const item = nodes.find((node) => node.backendDOMNodeId === id);
    return [tree.name.value.split(":")[0], item && item.role.value, item && item.name.value];
  };
  const order = [];
  for (let i = 0; i < 5; i++) {
    await browser.key("Tab");
    order.push(await focused());
  }
  await step("Tab goes through the graph and its controls", () =>
    ["stage", "order", "colours", "field"].every((name) => order.includes(name)) || order);
  await browser.eval(`document.querySelector(".stage").focus()`);
  await step("a screen reader gets a tree and the frame", async () =>
    JSON.stringify(await at()) === JSON.stringify(["flame graph", "treeitem",
      "all, 1 000 000 cycles, 100.00 %, self 0 cycles, 0.00 %, 500 000 instructions"]) || at());
  await browser.key("ArrowUp");
  await browser.key("ArrowRight");
  await browser.key("ArrowUp");
  await step("arrows go to callees and neighbours", async () =>
    (await at())[2].startsWith("main, 900 000 cycles, 90.00 %") || at());
  await browser.key("Enter", "\r");
  await step("Enter zooms", async () => !await has("[reset]") && await has("sys_write"));
  await browser.key("ArrowDown");
  await step("and keeps the frame", async () => (await at())[2].startsWith("demo, ") || at());
  await browser.key("Escape");
  await step("Escape goes back", async () => has("[reset]"));
  await choose("order", "icicle");
  await browser.eval(`document.querySelector(".stage").focus()`);
  await browser.key("ArrowDown");
  await step("in the other order the way to callees is down", async () =>
    (await at())[2].startsWith("main, ") || at());
}

// Every width, order and colour scheme: what is drawn is whole, apart and readable.
async function look(name, file, colours) {
  for (const scheme of ["light", "dark"]) {
    await browser.scheme(scheme);
    for (const [width, height, order] of [[1200, 900, "flame"], [1200, 900, "icicle"],
      [700, 400, "flame"], [360, 640, "icicle"], [320, 200, "flame"]]) {
      await browser.open(file + `#order=${order}&colours=${colours}`, width, height);
      const what = `${name}, ${scheme}, ${order}, ${width} pixels: `;
      const seen = await browser.eval(SURVEY), pixels = await browser.pixels();
      const root = seen.frames.find((frame) => frame.text.startsWith("all,"));
      await step(what + "the root is in view", () => root.top >= 0 && root.bottom <= height || root);
      await step(what + "the ground is of the scheme", () =>
        (pixels.at(2, height - 2)[0] > 128) === (scheme === "light"));
      await step(what + "frames are drawn", () => drawn(seen, pixels));
      await step(what + "frames are apart", () => apart(seen.frames));
      await step(what + "texts and controls are apart", () => apart(seen.texts.concat(seen.controls)));
      await step(what + "labels are in their frames", () => labelled(seen));
      await step(what + "texts are readable", () => readable(seen, pixels));
    }
  }
  await browser.scheme("light");
}

// In a picture that is higher than the window the controls stay in view, above the frames.
async function tall() {
  const box = (name) => browser.eval(`(() => {
    const {left, top, right, bottom} = document.querySelector(".${name}").getBoundingClientRect();
    return {left, top, right, bottom}; })()`);
  const next = () => browser.eval("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))");
  const click = async (name) => {
    const {left, top, right, bottom} = await box(name);
    await browser.mouse((left + right) / 2, (top + bottom) / 2, true);
  };
  for (const scheme of ["light", "dark"]) {
    await browser.scheme(scheme);
    for (const [width, height, order] of [[1200, 700, "flame"], [1200, 700, "icicle"], [340, 420, "flame"]]) {
      await browser.open(TALL + "#order=" + order, width, height);
      const what = `tall, ${scheme}, ${order}, ${width} pixels: `;
      const end = await browser.eval("document.documentElement.getBoundingClientRect().height - innerHeight");
      await step(what + "the picture is higher than the window", () => end > height / 2 || end);
      for (const at of [1, 0.6, 0.3, 0]) {
        await browser.eval(`scrollTo(0, ${Math.round(at * end)})`);
        await next();
        const there = what + `at ${at}: `, tools = await box("tools");
        await step(there + "the page stays where it was scrolled", async () =>
          Math.abs(await browser.eval("scrollY") - at * end) < 2 || browser.eval("scrollY"));
        await step(there + "the controls are in view", () => tools.top >= -0.5 && tools.top < 1 &&
          tools.left < 1 && tools.right > width - 20 || tools);
        const seen = await browser.eval(SURVEY), pixels = await browser.pixels();
        await step(there + "no frame shows through", () => {
          for (let x = 1; x < width - 20; x++)
            if ((Math.max(...pixels.at(x, 1)) > 128) !== (scheme === "light")) return [x, pixels.at(x, 1)];
          return true;
        });
        await step(there + "frames are drawn", () => drawn(seen, pixels));
        await step(there + "texts and controls are apart", () => apart(seen.texts.concat(seen.controls)));
        await step(there + "texts are readable", () => readable(seen, pixels));
      }
      await browser.eval(`scrollTo(0, ${order === "flame" ? end : 0})`);
      await on("function_2", true);
      await browser.eval(`scrollTo(0, ${Math.round(end / 2)})`);
      await next();
      await click("reset");
      await step(what + "the zoom is left from the middle", async () => await hash() === "#order=icicle" ||
        await hash() === "" || hash());
      await click("field");
      await browser.send("Input.insertText", {text: "^function_1$"});
      await step(what + "a search is typed there", async () => (await found()).startsWith("matched "));
    }
  }
  await browser.scheme("light");
  await browser.open(TALL + "#order=icicle", 1200, 700);
  await browser.eval(`document.querySelector(".stage").focus()`);
  await browser.eval("scrollTo(0, 500)");
  await browser.key("ArrowDown");
  await next();
  await step("the frame of the keys is not behind the controls", async () =>
    (await box("here")).top >= (await box("tools")).bottom - 1 || [await box("here"), await box("tools")]);
  await browser.open(TALL, 1200, 100);
  await browser.eval("scrollTo(0, 500)");
  await next();
  await step("in a low window they leave the room to the frames", async () =>
    (await box("tools")).bottom < 0 || box("tools"));
}

// The colours of a legend are distinct in each vision.
async function colours(name, file, mode, least) {
  for (const scheme of ["light", "dark"]) {
    await browser.scheme(scheme);
    await browser.open(file + "#order=icicle&colours=" + mode, 1200, 900);
    await browser.eval("scrollTo(0, 1e6)");
    const keys = await browser.eval(`[...document.querySelectorAll(".foot rect")].map((one) => {
      const {x, y} = one.getBoundingClientRect();
      return {x: x + 5, y: y + 5, label: one.nextSibling.textContent}; })`);
    const pixels = await browser.pixels();
    for (const vision of Object.keys(VISIONS))
      await step(`${name}, ${scheme}, ${vision}: colours are distinct`, () => {
        let worst = [Infinity];
        keys.forEach((a, i) => keys.slice(0, i).forEach((b) => {
          const d = distance(pixels.at(a.x, a.y), pixels.at(b.x, b.y), vision);
          if (d < worst[0]) worst = [d, a.label, b.label];
        }));
        return keys.length > 1 && worst[0] >= least || worst;
      });
  }
  await browser.scheme("light");
}

// Histograms and figures fit the window; their ground is that of the scheme.
async function figure(name, file) {
  for (const scheme of ["light", "dark"]) {
    await browser.scheme(scheme);
    for (const width of [600, 900, 1200, 1900]) {
      await browser.open(file, width, 800);
      const what = `${name}, ${scheme}, ${width} pixels: `;
      const seen = await browser.eval(SURVEY), pixels = await browser.pixels();
      const end = await browser.eval(`Math.max(...[...document.querySelectorAll(".axis, .grid")]
        .map((one) => one.getBoundingClientRect().right))`);
      await step(what + "the axis reaches the window's end", () => end > 0.93 * width && end < width || end);
      await step(what + "texts are apart", () => seen.texts.length > 8 && apart(seen.texts));
      await step(what + "texts are within the window", () =>
        seen.texts.find((text) => text.left < 0 || text.right > width) || true);
      await step(what + "the ground is of the scheme", () =>
        (pixels.at(3, 3)[0] > 128) === (scheme === "light"));
    }
  }
  await browser.scheme("light");
}

// Without the script, the picture is the same.
async function still() {
  await browser.send("Emulation.setScriptExecutionDisabled", {value: true});
  for (const scheme of ["light", "dark"]) {
    await browser.scheme(scheme);
    await browser.open(FLAME, 1200, 400);
    const pixels = await browser.pixels(), colours = new Set();
    for (let y = 58; y < 200; y += 4)
      for (let x = 12; x < 1188; x += 4) colours.add(pixels.at(x, y).join());
    await step(`a still picture, ${scheme}`, () => colours.size > 6 || colours.size);
  }
  await browser.send("Emulation.setScriptExecutionDisabled", {value: false});
  await browser.scheme("light");
}

// The time is that of the page's own thread: the machine may be busy.
async function speed() {
  await browser.open("about:blank", 1200, 900);
  await browser.send("Performance.enable", {timeDomain: "threadTicks"});
  await browser.open(BIG, 1200, 900);
  const shown = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(1))))";
  await browser.eval(shown);
  const {metrics} = await browser.send("Performance.getMetrics");
  const seconds = metrics.find((one) => one.name === "TaskDuration").value;
  const drawn_ = await browser.eval(`[...document.querySelectorAll(".stage path")]
    .reduce((n, path) => n + path.getAttribute("d").split("M").length - 1, 0) +
    document.querySelectorAll(".frame").length`);
  await step("100,000 frames are drawn within a second", () =>
    drawn_ > 99000 && seconds > 0 && seconds < 1 || [drawn_, seconds]);
}

(async () => {
  try {
    await state();
    await keys();
    await look("roles", FLAME, "role");
    await look("binaries", FLAME, "binary");
    await look("classes", CLASSES, "class");
    await look("changes", DIFFERENCE, "difference");
    await tall();
    await colours("roles", FLAME, "role", 12);
    await colours("binaries", FLAME, "binary", 12);
    await colours("privileges", FLAME, "privilege", 12);
    await colours("classes", CLASSES, "class", 12);
    await colours("changes", DIFFERENCE, "difference", 5);
    await figure("histogram", HISTOGRAM);
    await figure("bars", BARS);
    await still();
    await speed();
    await step("no error in a script", () => browser.problems.length === 0 || browser.problems);
  } finally {
    await browser.close();
  }
  steps.end();
})();
