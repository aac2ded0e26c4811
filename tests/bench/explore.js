// SPDX-License-Identifier: Apache-2.0
// How long the page of tr-explore takes from input to what is painted then, in milliseconds:
// explore.js TR-EXPLORE FOLDER. Prints lines: KIND MEDIAN WORST COUNT.
"use strict";
const {spawn} = require("child_process");
const {Chromium} = require("../browser/chromium.js");

const [tool, folder] = process.argv.slice(2), COUNT = 30;
const browser = new Chromium();
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
const page = (expression) => browser.eval(expression);

// The time of the last input and, once what follows from it was drawn, that of the frame after.
const CLOCK = `(() => {
  window.clock = {input: 0, painted: 0};
  for (const kind of ["pointerup", "click", "pointermove"])
    window.addEventListener(kind, (event) => {
      clock.painted = 0;
      clock.input = event.timeStamp;
    }, true);
  listeners.push((what) => {
    if (what === "view") requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => { clock.painted = performance.now(); };
      channel.port2.postMessage(0);
    });
  });
})()`;

async function until(expression) {
  for (let i = 0; i < 600; i++) {
    const found = await page(expression);
    if (found) return found;
    await sleep(20);
  }
  throw new Error("not in time: " + expression);
}

const send = (type, [x, y], buttons) =>
  browser.send("Input.dispatchMouseEvent", {type, x, y, button: "left", buttons, clickCount: 1});
const painted = () => until("clock.painted && !asking.view.busy ? clock.painted - clock.input : 0");

let seed = 7;
function random(n) {
  seed = seed * 16807 % 2147483647;
  return seed % n;
}

// Selects a stretch of slices: one drag, of which the last move is measured.
async function select() {
  const n = await page("overview.cycles.length"), a = random(n - 2), b = a + 1 + random(n - a - 1);
  const [x, y, x2] = await page(`(() => {
    const box = strip.getBoundingClientRect();
    return [box.left + xOf(${a} + 0.5), box.top + 20, box.left + xOf(${b} + 0.5)];
  })()`);
  await send("mouseMoved", [x, y], 0);
  await send("mousePressed", [x, y], 1);
  await send("mouseMoved", [x < x2 ? x2 - 3 : x2 + 3, y], 1);
  await until("!asking.view.busy && !asking.overview.busy");
  await page("clock.painted = 0");
  const before = await page("state.from + state.to");
  await send("mouseMoved", [x2, y], 1);
  const isNew = await page("state.from + state.to") !== before;
  const time = isNew ? await painted() : 0;
  await send("mouseReleased", [x2, y], 0);
  return time;
}

// Zooms to a frame that is wide enough to be clicked.
async function zoom() {
  await page("reset()");
  await sleep(50);
  await until("!asking.view.busy");
  const places = await page(`frames.filter((f) => f.func >= 0 && f.total > 0.004 * view.cycles && topOf(f.depth) > 0)
    .map((f) => [stage.getBoundingClientRect().left + stage.clientWidth * (f.start + f.total / 2) / view.cycles,
      stage.getBoundingClientRect().top + topOf(f.depth) + 8])`);
  const place = places[random(places.length)];
  await send("mouseMoved", place, 0);
  await page("clock.painted = 0");
  await send("mousePressed", place, 1);
  await send("mouseReleased", place, 0);
  return painted();
}

// Shows one process, as its list does.
async function choose() {
  const n = await page("overview.processes.length");
  await page(`clock.painted = 0; clock.input = performance.now();
    change({process: String(overview.processes[${random(Math.min(n, 100))}][0])})`);
  const time = await painted();
  await page("change({process: ''})");
  await until("!asking.view.busy && !asking.overview.busy");
  return time;
}

// Shows the instructions of a function, in a part of the run.
async function read() {
  const n = await page("overview.cycles.length"), a = random(n - 2), b = a + 1 + random(n - a - 1);
  await page(`change({from: String(${a} * overview.length), to: String(${b} * overview.length), func: ""})`);
  await until("!asking.view.busy && !(asking.code && asking.code.busy)");
  const count = await page("view.functions.filter((f) => f[1]).length");
  if (!count) return 0;
  return page(`new Promise((done) => {
    const before = code, input = performance.now(), channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now() - input);
    const look = () => {
      if (code === before) setTimeout(look, 1);
      else requestAnimationFrame(() => channel.port2.postMessage(0));
    };
    change({func: String(view.functions[${random(Math.min(count, 300))}][0])});
    look();
  })`);
}

// Goes to a region of a mark, whose time is selected: from the key to what is painted then.
async function step() {
  await page("reset()");
  await until("!asking.view.busy && !asking.overview.busy && !asking.marks.busy && !asking.regions.busy");
  const found = await page("markTable.rows.filter(([, , kind]) => kind === 'region').map(([, name]) => name)");
  await page(`clock.painted = 0; clock.input = performance.now(); stepMark(${JSON.stringify(found[random(found.length)])}, ${1 + random(1000)})`);
  return painted();
}

// Shows the rows of marks of a thread.
async function rowsOf() {
  const n = await page("overview.threads.length");
  const time = await page(`new Promise((done) => {
    const before = regions, input = performance.now(), channel = new MessageChannel();
    channel.port1.onmessage = () => done(performance.now() - input);
    const look = () => {
      if (regions === before) setTimeout(look, 1);
      else requestAnimationFrame(() => channel.port2.postMessage(0));
    };
    change({thread: String(overview.threads[${random(n)}][0])});
    look();
  })`);
  await page("reset()");
  await until("!asking.view.busy && !asking.overview.busy && !asking.regions.busy");
  return time;
}

async function measure(kind, act) {
  const times = [];
  for (let i = 0; i < COUNT; i++) {
    const time = await act();
    if (time) times.push(time);
  }
  times.sort((a, b) => a - b);
  console.log(kind, times[times.length >> 1].toFixed(1), times[times.length - 1].toFixed(1), times.length);
}

(async () => {
  const child = spawn(tool, [folder], {stdio: ["ignore", "ignore", "pipe"]});
  let said = "";
  child.stderr.on("data", (more) => { said += more; });
  try {
    while (!/http:\S+/.test(said)) await sleep(20);
    await browser.open(said.match(/http:\S+/)[0], 1400, 900);
    await until("view !== null && overview !== null && run.done && !asking.view.busy");
    await page(CLOCK);
    await measure("window", select);
    await page("change({from: '', to: ''})");
    await measure("zoom", zoom);
    await page("reset()");
    await measure("process", choose);
    if (await page(`fetchJson("/code?func=0").then((code) => !/no counts/.test(code.none || ""))`)) {
      await page("change({code: '1'})");
      await measure("code", read);
    }
    if (await page("run.marks")) {
      await page("reset(); change({marks: '1', code: ''})");
      await until("regions !== null && markTable !== null && !asking.view.busy && !asking.marks.busy");
      await measure("mark", step);
      await page("reset()");
      await until("!asking.view.busy && !asking.regions.busy && !asking.marks.busy");
      await measure("mark_rows", rowsOf);
    }
    if (browser.problems.length) throw new Error(browser.problems.join("\n"));
  } finally {
    await browser.close();
    child.kill();
  }
})().catch((error) => {
  console.error(String(error));
  process.exitCode = 1;
});
