// SPDX-License-Identifier: Apache-2.0
// The page of tr-explore in a browser: explore.js TR-EXPLORE FOLDER BIG-FOLDER
// GROWING-STREAM CODE-FOLDER CROWDED-FOLDER
"use strict";
const {spawn} = require("child_process");
const fs = require("fs"), os = require("os"), path = require("path");
const {Chromium, Steps} = require("./chromium.js");
const {contrast, parse} = require("./colours.js");

const [tool, folder, big, stream, coded, crowded, marked] = process.argv.slice(2);
const browser = new Chromium(), steps = new Steps("explore");
const step = (what, act) => steps.step(what, act);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const page = (expression) => browser.eval(expression);
const WIDTH = 1200, HEIGHT = 800;

async function until(check) {
  for (let i = 0; i < 200; i++) {
    const found = await check();
    if (found) return found;
    await sleep(50);
  }
  return false;
}

// Starts tr-explore: {child, url, said, ended}.
async function serve(of) {
  const run = {child: spawn(tool, [of], {stdio: ["ignore", "ignore", "pipe"]}), said: ""};
  run.ended = new Promise((done) => run.child.on("close", done));
  run.child.stderr.on("data", (more) => { run.said += more; });
  run.url = await until(() => (run.said.match(/http:\S+/) || [])[0]);
  return run;
}

// Until all that was asked for is drawn.
const settled = () => until(() => page(`view !== null && overview !== null && run.done &&
  !Object.values(asking).some((one) => one.busy)`));
async function open(url, width = WIDTH, height = HEIGHT) {
  await browser.open(url, width, height);
  await settled();
  await sleep(50);
}

const hash = () => page("location.hash");
const frame = (name) => page(`(() => {
  const frame = frames.find((one) => nameOf(one) === ${JSON.stringify(name)});
  const box = stage.getBoundingClientRect(), scale = stage.clientWidth / view.cycles;
  return frame && {x: box.left + (frame.start + frame.total / 2) * scale, y: box.top + topOf(frame.depth) + BAR / 2,
    left: box.left + frame.start * scale, width: frame.total * scale, colour: css(colourOf(frame)), total: frame.total};
})()`);
const row = (name) => page(`(() => {
  const f = view.functions.find(([f]) => names[f][0] === ${JSON.stringify(name)});
  return f ? f.slice(1, 4).join() : "";
})()`);
async function click(x, y, button = "left") {
  await browser.send("Input.dispatchMouseEvent", {type: "mouseMoved", x, y});
  for (const type of ["mousePressed", "mouseReleased"])
    await browser.send("Input.dispatchMouseEvent", {type, x, y, button, clickCount: 1});
  await settled();
}
async function drag(from, to) {
  const send = (type, [x, y], buttons) =>
    browser.send("Input.dispatchMouseEvent", {type, x, y, button: "left", buttons, clickCount: 1});
  await send("mouseMoved", from, 0);
  await send("mousePressed", from, 1);
  for (let i = 1; i <= 4; i++) await send("mouseMoved", from.map((a, k) => a + (to[k] - a) * i / 4), 1);
  await send("mouseReleased", to, 0);
  await settled();
}
async function type(text) {
  for (const letter of text)
    await browser.send("Input.dispatchKeyEvent", {type: "char", text: letter});
  await settled();
}
async function press(key, text) {
  await browser.key(key, text);
  await settled();
}
// The middle of slice i of the strip.
const slice = (i) => page(`(() => {
  const box = strip.getBoundingClientRect();
  return [box.left + xOf(${i} + 0.5), box.top + 20];
})()`);

const close = (a, b, by = 4) => a.every((c, i) => Math.abs(c - b[i]) <= by);
function rgb(colour) {
  const [, h, s, l] = colour.match(/hsl\((\d+),(\d+)%,([\d.]+)%\)/).map(Number);
  const a = s / 100 * Math.min(l / 100, 1 - l / 100);
  return [0, 8, 4].map((n) => {
    const k = (n + h / 30) % 12;
    return Math.round(255 * (l / 100 - a * Math.max(-1, Math.min(k - 3, 9 - k, 1))));
  });
}

// Frames, strip and texts, in a colour scheme.
async function looks(scheme) {
  await browser.scheme(scheme);
  await page(`change({...DEFAULTS}, false)`);
  await settled();
  await browser.mouse(5, 5);
  await sleep(100);
  const pixels = await browser.pixels();
  await step(`${scheme}: frames have their colours`, async () => {
    for (const name of ["main", "work", "rest"]) {
      const seen = await frame(name);
      if (!close(pixels.at(seen.left + seen.width - 4, seen.y), rgb(seen.colour)))
        return [name, seen, pixels.at(seen.left + seen.width - 4, seen.y)];
    }
    return true;
  });
  await step(`${scheme}: a frame ends where its cycles do`, async () => {
    const seen = await frame("work"), out = pixels.at(seen.left - 2, seen.y);
    return !close(out, rgb(seen.colour), 12) || out;
  });
  await step(`${scheme}: frames have a readable name`, async () => {
    const seen = await frame("work");
    let ink = 0;
    for (let x = seen.left + 3; x < seen.left + 40; x++)
      for (let y = seen.y - 6; y < seen.y + 6; y++)
        ink += contrast(pixels.at(x, y), rgb(seen.colour)) > 4.5;
    return ink > 20 || ink;
  });
  await step(`${scheme}: the time has its classes`, async () => {
    const top = await page("strip.getBoundingClientRect().top"), found = new Set();
    for (const [x] of [await slice(100), await slice(900)])
      for (let k = top; k < top + 60; k++) found.add(pixels.at(x, k).join());
    const wanted = await page("stackedParts(getComputedStyle(document.documentElement)).map((one) => one.colour)");
    return wanted.length > 1 && wanted.every((colour) =>
      [...found].some((seen) => close(seen.split(",").map(Number), rgb(colour)))) || [wanted, [...found]];
  });
  await step(`${scheme}: texts are readable`, async () => {
    const texts = await page(`[...document.querySelectorAll("h1, #phase, label, button:not(:disabled), #rows span, #time, #info, small")]
      .filter((one) => one.textContent && one.getClientRects().length).map((one) => {
        let ground = one;
        while (ground && /, 0\\)$|transparent/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
        return [one.textContent.slice(0, 20), getComputedStyle(one).color, getComputedStyle(ground || document.body).backgroundColor];
      })`);
    const bad = texts.filter(([, ink, ground]) => contrast(parse(ink), parse(ground)) < 4.5);
    return texts.length > 20 && bad.length === 0 || bad;
  });
}

async function linked() {
  const whole = await row("work");
  await step("a part of the time filters the functions", async () => {
    const n = await page("overview.cycles.length");
    await drag(await slice(n / 4), await slice(n / 2));
    const [from, to] = await page("[view.from, view.to]");
    const direct = await page(`fetchJson("/view?from=${from}&to=${to}").then((v) => v.functions.map(String).join())`);
    return await row("work") !== whole && to > from && direct === await page("view.functions.map(String).join()") &&
      (await hash()).includes("from=" + from) || [from, to, await hash()];
  });
  await step("the back button takes it back", async () => {
    await page("history.back()");
    await until(async () => await row("work") === whole);
    return await row("work") === whole && !(await hash()).includes("from") || await hash();
  });
  await step("and forth", async () => {
    await page("history.forward()");
    return await until(async () => await row("work") !== whole);
  });
  await step("a link shows the same", async () => {
    const before = await row("work"), url = await page("location.href");
    await open(url);
    return await row("work") === before || [before, await row("work")];
  });
  await step("a click on the time ends it", async () => {
    await click(...await slice(3));
    return await row("work") === whole && await page("at('clear').disabled");
  });
  await step("a click on a frame zooms", async () => {
    const {x, y, total} = await frame("main");
    await click(x, y);
    return (await page("view.cycles")) === total && /main/.test(await page("at('path').textContent")) &&
      (await hash()).includes("root=") || await hash();
  });
  await step("the lowest frame zooms out", async () => {
    const {x, y} = await frame("main");
    await click(x, y);
    return page("view.path.length").then((n) => n < 3 || n);
  });
  await page("reset()");
  await settled();
  await step("a right-click chooses the function", async () => {
    const {x, y} = await frame("rest");
    await click(x, y, "right");
    return /^rest /.test(await page("at('detail').querySelector('h2').textContent")) &&
      (await hash()).includes("func=") || await hash();
  });
  await step("whose frames are marked", async () => {
    const {left, width, y} = await frame("rest");
    await browser.mouse(5, 5);
    await sleep(100);
    const seen = (await browser.pixels()).at(left + width - 4, y);
    return close(seen, [0xa6, 0x4a, 0xc9]) || seen;
  });
  await step("a process filters all", async () => {
    await page("change({process: String(overview.processes[1][0])})");
    await settled();
    const wanted = await page("overview.processes[1][2]");
    return await page("view.cycles") === wanted && await page("overview.cycles.reduce((a, b) => a + b)") === wanted;
  });
  await step("a sorted table", async () => {
    await page("reset()");
    await settled();
    await page(`document.querySelector("[data-sort=calls]").click()`);
    const calls = await page("listed.map((f) => f[3])");
    return calls.every((n, i) => !i || calls[i - 1] >= n) && (await hash()).includes("sort=calls") || calls;
  });
  await step("what this run does not have is told", async () => {
    await open((await page("location.origin")) + "/#root=4000000&process=99");
    return until(async () => /does not have/.test(await page("at('phase').textContent")) &&
      await page("view.cycles === run.cycles"));
  });
}

async function keys() {
  await open((await page("location.origin")) + "/");
  await step("/ searches", async () => {
    await press("/");
    await type("^wor");
    return await page("sought.size") === 1 && /%/.test(await page("at('found').textContent")) &&
      await page("listed.length") === 1 && (await hash()).includes("search=");
  });
  await step("Escape ends it", async () => {
    await press("Escape");
    return await page("sought === null && document.activeElement !== at('search')");
  });
  await step("? shows the keys", async () => {
    await press("?");
    const is = await page("at('help').open");
    await press("Escape");
    return is && await page("!at('help').open");
  });
  await step("arrows and Enter in the flame graph", async () => {
    await press("2");
    for (const key of ["ArrowUp", "ArrowUp", "ArrowUp"]) await press(key);
    const name = await page("nameOf(here)");
    await press("Enter");
    const is = await page("nameOf(frames[0])") === name && await page("view.path.length") === 2;
    await press("Escape");
    return is && await page("view.path.length") === 1 || name;
  });
  await step("arrows in the table", async () => {
    await press("r");
    await press("3");
    await press("ArrowDown");
    await press("ArrowDown");
    return await page("chosen === 1 && state.func === String(listed[1][0]) && !at('detail').hidden");
  });
  await step("arrows in the time", async () => {
    await press("1");
    await press("ArrowRight");
    const first = await page("selection().join()");
    await press("ArrowRight");
    const second = await page("selection().join()");
    await press("z");
    const is = await page("shownSlices().join()") === second;
    await press("Escape");
    return is && first !== second && await page("selection() === null") || [first, second];
  });
  await step("d changes the colours", async () => {
    const before = await page("getComputedStyle(document.body).backgroundColor");
    await press("d");
    return await page("getComputedStyle(document.body).backgroundColor") !== before && (await hash()).includes("theme=");
  });
}

async function narrow(url) {
  for (const width of [420, 700, 1000, 2400]) {
    await open(url, width, 700);
    await step(`nothing is beyond ${width} pixels`, async () => {
      const wide = await page("document.documentElement.scrollWidth");
      return wide <= width || wide;
    });
    await step(`the graph is as wide as its pane of ${width}`, () =>
      page("Math.abs(canvas.getBoundingClientRect().width - stage.clientWidth) < 2"));
  }
}

// The lines of the panel in view.
const lines = () => page("[...codeRows.children].map((one) => [...one.children].map((part) => part.textContent))");
async function instructions() {
  const run = await serve(coded);
  await open(run.url);
  await step("the panel without a function", async () => {
    await press("4");
    return /Choose a function/.test(await page("at('codenote').textContent")) && (await hash()).includes("code=1");
  });
  await step("the instructions of a function that is chosen", async () => {
    await page(`change({func: String(names.findIndex(([name]) => name === "sum"))})`);
    await settled();
    const seen = await lines();
    const load = seen.find((one) => one[6] && one[6].startsWith("ld"));
    const source = seen.find((one) => one[0] === "work.s:11");
    return load && load.slice(0, 4).join() === "4,35,64.81 %,8.75" && /^memory.dram/.test(load[4]) && load[5] === "10010" &&
      source && /ld *a2/.test(source[1]) && await page("at('codepart').textContent") === "the whole run: 54 cycles" || seen;
  });
  await step("the hottest one is in view and marked", () =>
    page("codeLines[codeAt].row[C_CYCLES] === codeMost && document.getElementById('code' + codeAt) !== null"));
  await step("its bar has the colour of the class", async () => {
    const box = await page(`(() => {
      const bar = document.getElementById("code" + codeAt).querySelector(".lost span").getBoundingClientRect();
      return [bar.left + bar.width / 2, bar.top + bar.height / 2];
    })()`);
    const seen = (await browser.pixels()).at(...box), wanted = await page("css(run.groups[run.group_of[3]][1])");
    return close(seen, rgb(wanted), 12) || [seen, wanted];
  });
  await step("of a part of the time", async () => {
    await page("select(4, 30)");
    await settled();
    await sleep(50);
    const load = (await lines()).find((one) => one[6] && one[6].startsWith("ld"));
    return load[0] === "3" && load[1] === "12" && /^cycles 4 to 30: 19 cycles$/.test(await page("at('codepart').textContent")) ||
      [load, await page("at('codepart').textContent")];
  });
  await step("of a process and a thread", async () => {
    await page(`change({process: "0", thread: "0"})`);
    await settled();
    await sleep(50);
    const load = (await lines()).find((one) => one[6] && one[6].startsWith("ld"));
    return load[0] === "3" && /^cycles 4 to 30, process work#0, thread work#1: 19 cycles$/.test(await page("at('codepart').textContent")) ||
      [load, await page("at('codepart').textContent")];
  });
  await step("and of one that did not run there", async () => {
    await page(`change({process: "1", thread: ""})`);
    await settled();
    await sleep(50);
    return /did not run in this part/.test(await page("at('codenote').textContent")) && (await lines()).some((one) => one[0] === "") ||
      [await page("at('codenote').textContent"), await page("JSON.stringify(overview.processes)")];
  });
  await step("filters that it does not know are told", async () => {
    await page(`change({root: String(view.frames[11]), process: "0"})`);
    await settled();
    await sleep(50);
    const callers = await page("at('codepart').textContent");
    await page("code.is_by_context = 0; drawCode()");
    const all = await page("at('codepart').textContent");
    await page("code.is_by_context = 1; drawCode()");
    return /, process work#0, of all callers: /.test(callers) && /, of all processes and callers: /.test(all) || [callers, all];
  });
  await step("a link shows the same", async () => {
    const before = (await lines()).join();
    await open(await page("location.href"));
    await sleep(100);
    return before === (await lines()).join();
  });
  await step("arrows in it", async () => {
    await press("4");
    const before = await page("codeAt");
    await press("ArrowDown");
    return await page("codeAt") === before + 1 && await page("document.activeElement === codeRows");
  });
  await step("what has none says so", async () => {
    await page(`change({func: String(names.findIndex(([name]) => name === "[ecall]")), root: "0", from: "", to: ""})`);
    await settled();
    return /no instructions/.test(await page("at('codenote').textContent"));
  });
  await step("Escape closes it", async () => {
    await press("4");
    await press("Escape");
    return await page("at('code').hidden && document.activeElement === rows") && !(await hash()).includes("code");
  });
  for (const scheme of ["light", "dark"]) {
    await browser.scheme(scheme);
    await page(`change({...DEFAULTS, code: "1", func: String(names.findIndex(([name]) => name === "sum"))})`);
    await settled();
    await step(`${scheme}: its texts are readable`, async () => {
      const texts = await page(`[...document.querySelectorAll("#code span, #code strong")].filter((one) => one.textContent)
        .map((one) => {
          let ground = one;
          while (ground && /^rgba|transparent/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
          return [one.textContent.slice(0, 20), getComputedStyle(one).color, getComputedStyle(ground || document.body).backgroundColor];
        })`);
      const bad = texts.filter(([, ink, ground]) => contrast(parse(ink), parse(ground)) < 4.5);
      return texts.length > 40 && bad.length === 0 || bad;
    });
  }
  await browser.scheme("light");
  for (const width of [420, 800])
    await step(`nothing is beyond ${width} pixels with it`, async () => {
      await open(run.url + "#code=1&func=2", width, 700);
      const wide = await page("document.documentElement.scrollWidth");
      return wide <= width || wide;
    });
  run.child.kill();
  await run.ended;
}

async function crowd() {
  const run = await serve(crowded);
  await open(run.url);
  await step("a list of processes tells how many it leaves out", async () => {
    for (const id of ["process", "thread"]) {
      const last = await page(`[at("${id}").length, at("${id}").lastChild.textContent, at("${id}").lastChild.disabled, at("${id}").title]`);
      if (last.join("|") !== "502|100 more, with fewer cycles|true|the 500 of 600 that have most cycles") return last;
    }
    return true;
  });
  await step("the time begins with the run", async () => {
    const [first, last] = await page("shownSlices()"), L = await page("overview.length");
    return first === Math.floor(900000 / L) && last === await page("overview.cycles.length") &&
      (await page("at('time').textContent")).startsWith("the whole run from cycle") || [first, last, L];
  });
  await step("arrows select its first part", async () => {
    await press("1");
    await press("ArrowRight");
    return await page("selection()[0] >= overview.first && view.cycles > 0");
  });
  run.child.kill();
  await run.ended;
}

// Three threads with a hundred thousand marks.
async function marks() {
  const run = await serve(marked);
  await open(run.url);
  const region = (test) => page(`(() => {
    const box = markStrip.getBoundingClientRect();
    for (let i = 0; i < regions.rows.length; i++) for (const one of regions.rows[i][3])
      if (${test}) return {x: box.left + (xOfCycle(one[0]) + xOfCycle(one[1])) / 2, y: box.top + i * MARK_ROW + 6, one, name: regions.names[one[2]]};
  })()`);
  const wide = "one[4] === 1 && one[1] - one[0] > 30000 && one[2] >= 0";
  await until(() => page("regions !== null"));
  await step("marks stand above the time", async () => {
    const found = await region(wide), seen = (await browser.pixels()).at(found.x, found.y + 4);
    return close(seen, rgb(await page(`css(markTone(${found.one[2]}))`)), 12) &&
      await page("regions.rows.length === 8 && regions.all_rows > 8") || [found, seen];
  });
  await step("no more than there are pixels", () => page("regions.rows.every(([, , , boxes]) => boxes.length <= 2 * stripWidth() + 2)"));
  await step("a pointed region tells what it is", async () => {
    const {x, y, one, name} = await region(wide);
    await browser.mouse(x, y);
    await sleep(50);
    const tip = await page("at('tip').hidden ? '' : at('tip').textContent");
    return tip.startsWith(`${name}#${one[3]}\ncycle`) && tip.endsWith(await page(`digits(${one[1] - one[0]}) + " cycles"`)) || tip;
  });
  await step("a click selects its time", async () => {
    const {x, y, one, name} = await region(wide), L = await page("overview.length");
    await click(x, y);
    return await page("state.from") === String(Math.floor(one[0] / L) * L) && await page("state.to") === String(Math.ceil(one[1] / L) * L) &&
      await page("state.mark") === `${name}#${one[3]}` && (await hash()).includes("mark=") || await hash();
  });
  await step("which the back button takes back", async () => {
    await page("history.back()");
    return until(async () => await page("state.mark === '' && state.from === ''"));
  });
  await step("a table of them by name", async () => {
    await press("5");
    await until(() => page("markTable !== null && !at('markpane').hidden"));
    const shown = await page(`[...markRows.children].map((one) => [...one.children].map((cell) => cell.textContent))`);
    const wanted = await page(`fetchJson("/marks").then(({rows}) => rows.map(([, name, kind, ...n]) => [name, kind,
      ...[0, 1, 2, 3, 4, 5, 6, 7, 8, 9].map((i) => kind === "point" && i || n[i] === undefined ? "" : digits(n[i]))]))`);
    return shown.length === 10 && String(shown) === String(wanted) && (await hash()).includes("marks=1") || [shown, wanted];
  });
  await step("arrows, n and p in it", async () => {
    await press("ArrowDown");
    await settled();
    const first = await page("[state.mark, state.from, at('marknth').textContent].join()");
    await press("n");
    await settled();
    const second = await page("[state.mark, state.from, at('marknth').textContent].join()");
    await press("p");
    await settled();
    const name = await page("markTable.rows.length && markChosen()[0]");
    return first.startsWith(name + "#1,") && second.startsWith(name + "#2,") && / of /.test(second) &&
      await page("[state.mark, state.from, at('marknth').textContent].join()") === first || [first, second];
  });
  await step("the longest", async () => {
    await page("at('marklongest').click()");
    await settled();
    const most = await page("fetchJson('/marks').then(({rows}) => rows.find(([, name]) => name === markChosen()[0])[12])");
    const found = await page("fetchJson('/region?mark=' + regions.names.indexOf(markChosen()[0]) + '&nth=' + markChosen()[1])");
    return found.region[1] - found.region[0] === most || [found, most];
  });
  await step("the table is of the time that is selected", async () => {
    await until(() => page(`markTable.from === Number(state.from) && markTable.to === Number(state.to)`));
    return /^cycles/.test(await page("at('markpart').textContent"));
  });
  await step("a link shows the same", async () => {
    const before = await page("[state.mark, state.from, state.to].join()");
    await open(await page("location.href"));
    await until(() => page("markTable !== null && !at('markpane').hidden"));
    return await page("[state.mark, state.from, state.to].join()") === before &&
      await page("markRows.querySelector('[aria-selected=true]').dataset.mark === markChosen()[0]");
  });
  await step("a thread alone has its rows", async () => {
    await page("change({thread: '1'})");
    await until(() => page("regions.rows.length && regions.rows.every(([thread]) => thread === 1)"));
    return page("regions.all_rows === regions.rows.length && regions.rows.some(([, , depth]) => depth === 5)");
  });
  await step("arrows and Enter in the rows", async () => {
    await page("reset()");
    await settled();
    await page("markStrip.focus()");
    for (const key of ["ArrowDown", "ArrowDown", "ArrowRight"]) await press(key);
    const here = await page("JSON.stringify(markHere)");
    await press("Enter");
    await settled();
    const is = await page("Number(state.from) <= " + JSON.parse(here)[0] + " && state.to !== ''");
    await press("Escape");
    return is && await page("state.from === '' && state.mark === ''") || here;
  });
  await step("Escape closes the table", async () => {
    await press("5");
    await press("Escape");
    return await page("at('markpane').hidden") && !(await hash()).includes("marks");
  });
  await step("the flame graph stays at its root", () => page("isAtRoot()"));
  for (const scheme of ["light", "dark"]) {
    await browser.scheme(scheme);
    await page("change({marks: '1', mark: 'r3#1'})");
    await settled();
    await step(`${scheme}: texts of marks are readable`, async () => {
      const texts = await page(`[...document.querySelectorAll("#markpane span, #markpane strong, #markpane button:not(:disabled)")]
        .filter((one) => one.textContent && one.getClientRects().length).map((one) => {
          let ground = one;
          while (ground && /, 0\\)$|^rgba|transparent/.test(getComputedStyle(ground).backgroundColor)) ground = ground.parentElement;
          return [one.textContent.slice(0, 20), getComputedStyle(one).color, getComputedStyle(ground || document.body).backgroundColor];
        })`);
      const bad = texts.filter(([, ink, ground]) => contrast(parse(ink), parse(ground)) < 4.5);
      return texts.length > 40 && bad.length === 0 || bad;
    });
  }
  await browser.scheme("light");
  for (const width of [420, 800])
    await step(`nothing is beyond ${width} pixels with marks`, async () => {
      await open(run.url + "#marks=1&mark=r3%231", width, 700);
      const wide = await page("document.documentElement.scrollWidth");
      return wide <= width || wide;
    });
  run.child.kill();
  await run.ended;
}

async function many() {
  const run = await serve(big);
  await open(run.url);
  await step("a hundred thousand stacks", () => page("run.stacks === 99950 && view.left_out[0] > 1000 && frames.some(isNarrow)"));
  await step("which are told", () => page("/narrower than half a pixel/.test(at('info').textContent)"));
  run.child.kill();
  await run.ended;
}

async function growing() {
  const data = fs.readFileSync(stream), dir = fs.mkdtempSync(path.join(os.tmpdir(), "explore-"));
  const lock = spawn("flock", ["-x", dir, "sleep", "300"], {detached: true});
  await sleep(300);
  const run = await serve(dir);
  await browser.open(run.url, WIDTH, HEIGHT);
  await step("a folder without stacks", () => until(() => page("at('phase').textContent === 'waiting for the first stacks'")));
  const half = Math.floor(data.length / 2);
  fs.writeFileSync(path.join(dir, "stacks.tr"), data.subarray(0, half));
  await step("a run that grows", () => until(() => page("/^growing/.test(at('phase').textContent) && view !== null && view.cycles > 0")));
  const before = await page("view.cycles");
  fs.appendFileSync(path.join(dir, "stacks.tr"), data.subarray(half));
  await step("its page renews itself", () => until(() => page(`view.cycles > ${before}`)));
  process.kill(-lock.pid);
  await step("the end is told", () => until(() => page("run.done && !/growing/.test(at('phase').textContent)")));
  await step("with all of it", () => until(() => page("view.cycles === 4000000")));
  run.child.kill();
  await step("the server ends", async () => await run.ended === 0);
  await step("which is told", () => until(() => page("at('phase').textContent === 'tr-explore has ended'")));
  fs.rmSync(dir, {recursive: true});
}

(async () => {
  try {
    const run = await serve(folder);
    await open(run.url);
    await looks("light");
    await looks("dark");
    await browser.scheme("light");
    await linked();
    await keys();
    await step("nothing is fetched elsewhere", () => page(`performance.getEntriesByType("resource")
      .every((one) => new URL(one.name).origin === location.origin)`));
    await narrow(run.url);
    run.child.kill();
    await run.ended;
    await many();
    await instructions();
    await crowd();
    await marks();
    await growing();
    await step("no error in a script", () => browser.problems.length === 0 || browser.problems);
  } finally {
    await browser.close();
  }
  steps.end();
})();
