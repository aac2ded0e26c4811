// SPDX-License-Identifier: Apache-2.0
// Drives headless Chromium through its pipe: real input, screenshots as pixels.
"use strict";
const {spawn} = require("child_process");
const fs = require("fs"), os = require("os"), path = require("path"), zlib = require("zlib");

const FLAGS = ["--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
  "--disable-background-networking", "--disable-component-update", "--disable-sync",
  "--hide-scrollbars", "--force-device-scale-factor=1", "--remote-debugging-pipe"];

// Pixels of a PNG of 8 bits a channel, as Chromium writes it: {width, height, at(x, y)}.
function decode(png) {
  const data = [];
  let width = 0, height = 0, channels = 4;
  for (let at = 8; at < png.length;) {
    const size = png.readUInt32BE(at), kind = png.toString("latin1", at + 4, at + 8);
    const chunk = png.subarray(at + 8, at + 8 + size);
    if (kind === "IHDR") {
      width = chunk.readUInt32BE(0);
      height = chunk.readUInt32BE(4);
      channels = {2: 3, 6: 4}[chunk[9]];
    }
    if (kind === "IDAT") data.push(chunk);
    at += size + 12;
  }
  const raw = zlib.inflateSync(Buffer.concat(data)), stride = width * channels;
  const out = Buffer.alloc(stride * height);
  for (let y = 0; y < height; y++) {
    const filter = raw[y * (stride + 1)];
    for (let i = 0; i < stride; i++) {
      const left = i < channels ? 0 : out[y * stride + i - channels];
      const up = y ? out[(y - 1) * stride + i] : 0;
      const corner = y && i >= channels ? out[(y - 1) * stride + i - channels] : 0;
      const p = left + up - corner;
      const near = [left, up, corner].reduce((a, b) => Math.abs(p - b) < Math.abs(p - a) ? b : a);
      const guess = [0, left, up, left + up >> 1, near][filter];
      out[y * stride + i] = raw[y * (stride + 1) + 1 + i] + guess;
    }
  }
  return {width, height, at: (x, y) => {
    const i = Math.round(y) * stride + Math.round(x) * channels;
    return [out[i], out[i + 1], out[i + 2]];
  }};
}

class Chromium {
  constructor() {
    this.profile = fs.mkdtempSync(path.join(os.tmpdir(), "chromium-"));
    this.child = spawn("chromium", FLAGS.concat("--user-data-dir=" + this.profile),
      {stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"]});
    this.waiting = new Map();
    this.problems = [];
    this.alerts = []; // what the page told in dialogs
    this.loads = [];
    this.last = 0;
    let rest = "";
    this.child.stdio[4].setEncoding("utf8").on("data", (data) => {
      const parts = (rest + data).split("\0");
      rest = parts.pop();
      parts.forEach((text) => this.take(JSON.parse(text)));
    });
  }

  take(message) {
    const waiting = this.waiting.get(message.id);
    if (waiting && message.error) waiting.fail(new Error(message.error.message));
    else if (waiting) waiting.done(message.result);
    this.waiting.delete(message.id);
    if (message.method === "Page.loadEventFired") this.loads.splice(0).forEach((done) => done());
    if (message.method === "Runtime.exceptionThrown")
      this.problems.push(message.params.exceptionDetails.exception.description);
    if (message.method === "Page.javascriptDialogOpening") {
      this.alerts.push(message.params.message);
      this.send("Page.handleJavaScriptDialog", {accept: true});
    }
  }

  send(method, params = {}) {
    return new Promise((done, fail) => {
      this.waiting.set(++this.last, {done, fail});
      this.child.stdio[3].write(JSON.stringify(
        {id: this.last, method, params, sessionId: this.session}) + "\0");
    });
  }

  async open(url, width, height) {
    if (!this.session) {
      const {targetId} = await this.send("Target.createTarget", {url: "about:blank"});
      this.session = (await this.send("Target.attachToTarget", {targetId, flatten: true})).sessionId;
      await this.send("Page.enable");
      await this.send("Runtime.enable");
    }
    await this.size(width, height);
    // A new fragment alone would not load the page again.
    await this.loaded("Page.navigate", {url: "about:blank"});
    await this.loaded("Page.navigate", {url});
  }

  async loaded(method, params) {
    const loaded = new Promise((done) => this.loads.push(done));
    await this.send(method, params);
    await loaded;
  }

  reload() {
    return this.loaded("Page.reload");
  }

  size(width, height) {
    return this.send("Emulation.setDeviceMetricsOverride",
      {width, height, deviceScaleFactor: 1, mobile: false});
  }

  scheme(value) {
    return this.send("Emulation.setEmulatedMedia", {features: [{name: "prefers-color-scheme", value}]});
  }

  // The value of an expression in the page, after a promise is fulfilled.
  async eval(expression) {
    const {result, exceptionDetails} = await this.send("Runtime.evaluate",
      {expression, returnByValue: true, awaitPromise: true});
    if (exceptionDetails) throw new Error(exceptionDetails.exception.description);
    return result.value;
  }

  async pixels(file) {
    const {data} = await this.send("Page.captureScreenshot", {format: "png"});
    if (file) fs.writeFileSync(file, Buffer.from(data, "base64"));
    return decode(Buffer.from(data, "base64"));
  }

  async mouse(x, y, click) {
    await this.send("Input.dispatchMouseEvent", {type: "mouseMoved", x, y});
    if (!click) return;
    for (const type of ["mousePressed", "mouseReleased"])
      await this.send("Input.dispatchMouseEvent", {type, x, y, button: "left", clickCount: 1});
  }

  async key(key, text) {
    await this.send("Input.dispatchKeyEvent", {type: "keyDown", key, code: key, text,
      windowsVirtualKeyCode: {Enter: 13, Escape: 27, Tab: 9, ArrowUp: 38, ArrowDown: 40,
        ArrowLeft: 37, ArrowRight: 39}[key]});
    await this.send("Input.dispatchKeyEvent", {type: "keyUp", key, code: key});
  }

  async close() {
    const gone = new Promise((done) => this.child.on("exit", done));
    this.session = undefined;
    this.send("Browser.close").catch(() => {});
    await gone;
    fs.rmSync(this.profile, {recursive: true, force: true, maxRetries: 5});
  }
}

// Runs named steps; a step returns true, or what is wrong.
class Steps {
  constructor(name) {
    this.name = name;
    this.passed = this.failed = 0;
  }

  async step(what, act) {
    let found;
    try {
      found = await act();
    } catch (error) {
      found = String(error);
    }
    if (found === true) {
      this.passed++;
      return;
    }
    this.failed++;
    console.log(`browser: ${this.name}: failed: ${what}: ${JSON.stringify(found)}`);
  }

  end() {
    console.log(`browser: ${this.name}: ${this.passed} passed, ${this.failed} failed`);
    process.exitCode = this.failed || !this.passed ? 1 : 0;
  }
}

module.exports = {Chromium, Steps};
