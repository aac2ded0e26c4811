// SPDX-License-Identifier: Apache-2.0
// tr-fold --serve, with a stream that arrives slowly, a browser, and hostile clients:
// live.js TR-FOLD STREAM
"use strict";
const {spawn, spawnSync} = require("child_process");
const fs = require("fs"), http = require("http"), net = require("net");
const {Chromium, Steps} = require("./chromium.js");
const {SURVEY, apart, readable, drawn} = require("./look.js");

const [tool, stream] = process.argv.slice(2), data = fs.readFileSync(stream);
const browser = new Chromium(), steps = new Steps("live");
const step = (what, act) => steps.step(what, act);
const sleep = (ms) => new Promise((done) => setTimeout(done, ms));

// Starts tr-fold. `out` is its output, `said` its messages, `ended` its exit status.
function start(options) {
  const run = {out: Buffer.alloc(0), said: ""};
  run.child = spawn(tool, options, {stdio: ["pipe", "pipe", "pipe"]});
  run.child.stdin.on("error", () => {});
  run.child.stdout.on("data", (more) => { run.out = Buffer.concat([run.out, more]); });
  run.child.stderr.on("data", (more) => { run.said += more; });
  run.ended = new Promise((done) => run.child.on("close", done));
  return run;
}

async function until(check) {
  for (let i = 0; i < 200; i++) {
    const found = await check();
    if (found) return found;
    await sleep(50);
  }
  return false;
}

// The answer to a request: {status, headers, text}.
function ask(port, path, options = {}) {
  return new Promise((done, fail) => {
    const request = http.request({host: "127.0.0.1", port, path, timeout: 5000, ...options}, (answer) => {
      let text = "";
      answer.on("data", (more) => { text += more; });
      answer.on("end", () => done({status: answer.statusCode, headers: answer.headers, text}));
    });
    request.on("error", fail).end(options.body);
  });
}

// Sends bytes, and closes the connection at once or after an answer.
function shout(port, bytes, waits) {
  return new Promise((done) => {
    const socket = net.connect(port, "127.0.0.1", () => {
      socket.write(bytes);
      if (!waits) socket.destroy();
    });
    socket.setTimeout(1000, () => socket.destroy());
    socket.on("error", () => {}).on("data", () => {}).on("close", done);
  });
}

const text = (id) => browser.eval(`document.getElementById("${id}").textContent`);
const total = () => browser.eval(`document.querySelector(".subtitle").textContent`);
const names = () => browser.eval(`[...document.querySelectorAll(".frame[aria-label]")]
  .map((one) => one.getAttribute("aria-label").split(",")[0]).join()`);

async function hostile(port) {
  const good = async () => (await ask(port, "/live")).status === 200;
  await step("another host's name is refused", async () =>
    (await ask(port, "/live", {headers: {Host: "example.org"}})).status === 403);
  await step("only GET and HEAD", async () =>
    (await ask(port, "/", {method: "POST", body: "x".repeat(100000)})).status === 405 &&
    (await ask(port, "/", {method: "HEAD"})).text === "");
  await step("no other path", async () => {
    for (const path of ["/../../etc/passwd", "/%2e%2e/x", "/live/", "//", "/" + "a".repeat(4000)])
      if ((await ask(port, path)).status !== 404) return path;
    return good();
  });
  await step("requests that are none", async () => {
    for (const bytes of ["\0\x01\x02\xff".repeat(500), "GET", "GET / HTTP/9.9\r\n\r\n",
      "GET / HTTP/1.1\r\nHost: " + "h".repeat(100000), "\r\n".repeat(1000),
      "GET /live?since=99999999999999999999999&since=-1%00 HTTP/1.1\r\n\r\n",
      "POST / HTTP/1.1\r\nContent-Length: -5\r\n\r\n",
      "GET / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"])
      await shout(port, bytes, true);
    return good();
  });
  await step("clients that close at once", async () => {
    await Promise.all([...Array(60)].map(() => shout(port, "GET / HTTP/1.1\r\n\r\n", false)));
    return good();
  });
  await step("a client that does not read", async () => {
    const socket = net.connect(port, "127.0.0.1");
    socket.on("error", () => {}).pause();
    for (let i = 0; i < 50; i++)
      socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
    await sleep(200);
    const is = await good();
    socket.destroy();
    return is;
  });
  await step("no site may frame or read it", async () => {
    const {headers} = await ask(port, "/");
    return headers["content-security-policy"].includes("frame-ancestors 'none'") &&
      headers["access-control-allow-origin"] === undefined;
  });
}

async function watched() {
  const half = Math.floor(data.length / 2);
  const run = start(["--serve", "0", "--expect", "4M"]);
  run.child.stdin.write(data.subarray(0, half));
  const port = await until(() => (run.said.match(/^tr-fold: serving http:\/\/127\.0\.0\.1:(\d+)\/\n/) || [])[1]);
  await step("the address is printed", () => port > 0 || run.said);
  await browser.open(`http://127.0.0.1:${port}/`, 1000, 700);
  await step("the graph appears", () => until(async () => (await names()).includes("main")));
  await step("and what runs", async () => /^now: demo#\d+$/.test(await text("now")) || text("now"));
  await step("and how much is done", async () => /^\d+ % done, \d+ s left$/.test(await text("left")) ||
    text("left"));
  await step("and how fast", async () => / cycles\/s$|cycles\/s$/.test(await text("rate")) || text("rate"));
  await browser.eval(`location.hash = "#search=work&colours=binary"`);
  await until(() => browser.eval(`document.querySelector(".field").value === "work"`));
  const before = await total();
  // The graph is published with a frame that arrives when it is due.
  const size = Math.ceil((data.length - 100 - half) / 40);
  const sent = (async () => {
    for (let at = half; at < data.length - 100; at += size) {
      run.child.stdin.write(data.subarray(at, Math.min(at + size, data.length - 100)));
      await sleep(100);
    }
  })();
  await step("the graph grows", () => until(async () => await total() !== before));
  await sent;
  const state = () => browser.eval(`location.hash + " " +
    document.querySelector(".field").value + " " + document.querySelector(".colours").value`);
  await step("its state stays", async () =>
    await state() === "#search=work&colours=binary work binary" || state());
  for (const scheme of ["light", "dark"]) {
    await browser.scheme(scheme);
    const seen = await browser.eval(SURVEY), pixels = await browser.pixels();
    await step(scheme + ": frames are drawn", () => drawn(seen, pixels));
    await step(scheme + ": texts and controls are apart", () => apart(seen.texts.concat(seen.controls)));
    await step(scheme + ": texts are readable", () => readable(seen, pixels));
  }
  await hostile(port);
  const second = spawnSync(tool, ["--serve", port, stream]);
  await step("a port in use", () => second.status === 2 &&
    String(second.stderr) === `tr-fold: --serve ${port}: Address already in use\n` || String(second.stderr));
  run.child.stdin.end(data.subarray(data.length - 100));
  const status = await run.ended;
  await step("the end is told", () => until(async () => await text("phase") === "the run has ended"));
  await step("with the whole graph", async () => (await total()).startsWith("4 M cycles") || total());
  const plain = spawnSync(tool, [stream]);
  await step("the folded output is the same", () => status === 0 && run.out.length > 0 &&
    run.out.equals(plain.stdout) || [status, run.said]);
  await step("no other message", () => run.said.split("\n").length === 2 || run.said);
}

async function refused() {
  for (const [options, message] of [[["--serve", "70000"], "70000"], [["--serve", "x"], "x"],
    [["--serve", "-1"], "-1"], [["--expect", "5M"], "--expect needs --serve PORT"],
    [["--serve", "0", "--unit", "miss"], "--serve: the unit must be cycles or instructions"]]) {
    const {status, stderr} = spawnSync(tool, options.concat(stream));
    await step(options.join(" "), () => status === 2 && String(stderr).includes(message) || String(stderr));
  }
  const cut = start(["--serve", "0"]);
  cut.child.stdin.end(data.subarray(0, data.length - 200));
  await step("a truncated stream", async () => await cut.ended === 2 && cut.out.length === 0 || cut.said);
}

(async () => {
  try {
    await watched();
    await refused();
    await step("no error in a script", () => browser.problems.length === 0 || browser.problems);
  } finally {
    await browser.close();
  }
  steps.end();
})();
