// SPDX-License-Identifier: Apache-2.0
// Imports files in speedscope: node speedscope.js INDEX.html NAME...
// NAME.json is a file, NAME.folded the stacks and sums of tr-fold that it must have: the
// first frame is the name of a profile, unless the profile has the name of the next one.
"use strict";
const fs = require("fs"), os = require("os"), path = require("path");
const {Chromium, Steps} = require("../browser/chromium.js");

const [index, ...names] = process.argv.slice(2);
const page = new Chromium();
const work = fs.mkdtempSync(path.join(os.tmpdir(), "speedscope-"));
const steps = new Steps("speedscope");

// The value of an expression in the page as soon as it is true; null after 30 seconds.
async function wait(expression) {
  for (let i = 0; i < 300; i++) {
    const value = await page.eval(expression);
    if (value) return value;
    if (page.alerts.length) return null;
    await new Promise((done) => setTimeout(done, 100));
  }
  return null;
}

// Opens a file as the program `speedscope FILE` does. Returns null, or what went wrong.
async function open(text) {
  const script = path.join(work, "open.js"), base64 = Buffer.from(text).toString("base64");
  fs.writeFileSync(script, `speedscope.loadFileFromBase64("file.json", "${base64}")`);
  page.alerts = [];
  await page.open(`file://${path.resolve(index)}#localProfilePath=${script}`, 1200, 800);
  const shown = await wait(`document.body.innerText.match("Something went wrong|Export")?.[0]`);
  return page.alerts[0] || (shown === "Export" ? null : shown || "nothing happened");
}

// The profiles that speedscope has read, as it exports them.
async function exported() {
  await page.eval(`window.URL.createObjectURL = (blob) => {
    blob.text().then((text) => { window.saved = text; });
    return "blob:none";
  }`);
  await page.send("Input.dispatchKeyEvent",
    {type: "keyDown", key: "s", code: "KeyS", modifiers: 2, windowsVirtualKeyCode: 83});
  return JSON.parse(await wait("window.saved"));
}

// The sums of the stacks of a profile: [frames, cycles].
function stacks(profile) {
  if (profile.type === "sampled") return profile.samples.map((at, i) => [at, profile.weights[i]]);
  const open = [], sums = [];
  let last = profile.startValue;
  for (const {type, frame, at} of profile.events) {
    if (open.length && at > last) sums.push([open.slice(), at - last]);
    last = at;
    if (type === "O") open.push(frame);
    else if (open.pop() !== frame) throw new Error("the events do not nest");
  }
  return sums;
}

function add(sums, key, value) {
  sums.set(key, (sums.get(key) || 0) + value);
}

function sorted(sums) {
  return [...sums].map(([key, value]) => `${key} ${value}`).sort();
}

// The same as lines of tr-fold.
function folded({profiles, shared}) {
  const sums = new Map();
  for (const profile of profiles)
    for (const [frames, value] of stacks(profile)) {
      const words = frames.map((frame) => shared.frames[frame].name);
      if (words[0] !== profile.name) words.unshift(profile.name);
      add(sums, words.join(";"), value);
    }
  return sorted(sums);
}

// The first line that differs, or true.
function same(got, want) {
  const i = got.findIndex((line, k) => line !== want[k]);
  if (i >= 0) return `${got[i]}, not ${want[i]}`;
  return got.length === want.length || `${got.length} lines, not ${want.length}`;
}

// The tables: the profiles with their cycles, and the frames of the one that is shown with
// their own, both "name cycles"; of the latter the rows in view.
async function tables() {
  await page.send("Input.dispatchKeyEvent",
    {type: "keyDown", key: "3", code: "Digit3", text: "3", windowsVirtualKeyCode: 51});
  const rows = await wait(`(() => {
    const rows = [...document.querySelectorAll("tr")].map((row) =>
      [...row.children].map((cell) => cell.innerText.trim()));
    return rows.length && rows[rows.length - 1][2] !== "Symbol Name" && rows;
  })()`);
  const number = (text) => text.replace(/ .*/, "").replaceAll(",", "");
  const at = rows.findIndex((row) => row[2] === "Symbol Name");
  return {frames: rows.slice(at + 1).map((row) => `${row[2]} ${number(row[1])}`),
    profiles: rows.slice(1, Math.max(at, 1)).map((row) => `${row[1]} ${number(row[2])}`)};
}

// What the tables must have: the cycles of each frame of a profile, and of each profile.
// Frames of one name are several rows. A list of one profile is not shown.
function frames(profile, {shared}) {
  const sums = new Map();
  for (const [stack, value] of stacks(profile)) {
    for (const frame of stack) add(sums, frame, 0);
    add(sums, stack[stack.length - 1], value);
  }
  return [...sums].map(([frame, value]) => `${shared.frames[frame].name} ${value}`);
}

function totals(profiles) {
  const sum = (profile) => stacks(profile).reduce((all, [, value]) => all + value, 0);
  return profiles.length > 1 ? profiles.map((profile) => `${profile.name} ${sum(profile)}`) : [];
}

async function imports(name) {
  const text = fs.readFileSync(`${name}.json`, "utf8"), ours = JSON.parse(text);
  const want = fs.readFileSync(`${name}.folded`, "utf8").trimEnd().split("\n").sort();
  const what = path.basename(name);
  const problem = await open(text);
  await steps.step(`${what}: is imported`, () => problem || true);
  if (problem) return {text, want};
  await steps.step(`${what}: the title is shown`, async () =>
    await wait(`document.title.startsWith(${JSON.stringify(ours.name)})`));
  await steps.step(`${what}: frames are drawn in colours`, async () => {
    const pixels = await page.pixels(process.env.KEEP && `${process.env.KEEP}/${what}.png`);
    let coloured = 0;
    for (let x = 0; x < pixels.width; x += 3)
      for (let y = 140; y < pixels.height; y += 3) {
        const colour = pixels.at(x, y);
        coloured += Math.max(...colour) - Math.min(...colour) > 20;
      }
    return coloured > 100 || coloured;
  });
  const saved = await exported();
  await steps.step(`${what}: the profiles and their names`, async () =>
    same(saved.profiles.map((profile) => profile.name), ours.profiles.map((profile) => profile.name)));
  await steps.step(`${what}: the cycles of stacks are those of tr-fold`, async () =>
    same(folded(saved), want));
  const shown = await tables();
  await steps.step(`${what}: the list of profiles has their cycles`, async () =>
    same(shown.profiles, totals(ours.profiles)));
  await steps.step(`${what}: the first view is of the profile with the most cycles`, async () => {
    const all = totals(ours.profiles).map((line) => +line.replace(/.* /, ""));
    return !all.length || all[ours.activeProfileIndex] === Math.max(...all) &&
      saved.activeProfileIndex === ours.activeProfileIndex;
  });
  await steps.step(`${what}: the table has the cycles of its frames`, async () => {
    const all = frames(ours.profiles[ours.activeProfileIndex], ours);
    const wrong = shown.frames.find((row) => !all.includes(row));
    return shown.frames.length > 0 && !wrong || wrong;
  });
  return {text, want};
}

// Damaged files are refused, and a change of one cycle is noticed.
async function refuses({text, want}) {
  const close = text.lastIndexOf('{"type":"C"'), end = text.indexOf("}", close) + 1;
  await steps.step("a file that is cut is refused", async () =>
    await open(text.slice(0, text.length >> 1)) !== null);
  await steps.step("a slice that does not nest is refused", async () =>
    await open(text.slice(0, close) +
      text.slice(close, end).replace(/"frame":\d+/, '"frame":0') + text.slice(end)) !== null);
  await steps.step("a cycle too many is noticed", async () => {
    const more = text.slice(close, end).replace(/\d+}/, (at) => `${parseInt(at, 10) + 1}}`);
    const problem = await open(text.slice(0, close) + more + text.slice(end));
    return problem || same(folded(await exported()), want) !== true;
  });
}

(async () => {
  const all = [];
  for (const name of names) all.push(await imports(name));
  await refuses(all[0]);
  await page.close();
  fs.rmSync(work, {recursive: true});
  steps.end();
})();
