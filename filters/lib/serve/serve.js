/* SPDX-License-Identifier: Apache-2.0 */
/* Asks for the state of the run, and shows it. */
const graph = document.querySelector("svg");
const at = (id) => document.getElementById(id);
const INTERVAL = 1000, QUIET = 5000;
let since = 0, ended = false;

/* Three digits and a prefix. */
function short(n) {
  let i = 0;
  while (n >= 999.5 && i < 6) {
    n /= 1000;
    i++;
  }
  return (i || n % 1 ? n.toPrecision(3) : n) + " " + ["", "k", "M", "G", "T", "P", "E"][i];
}

function duration(seconds) {
  const s = Math.ceil(seconds), m = Math.floor(s / 60);
  if (m >= 60) return Math.floor(m / 60) + " h " + m % 60 + " min";
  return m ? m + " min " + s % 60 + " s" : s + " s";
}

function show(state) {
  if (state.cycles === undefined) return;
  at("phase").textContent = state.done ? "the run has ended"
    : state.age > QUIET ? "no news for " + duration(state.age / 1000) : "running";
  at("cycles").textContent = short(state.cycles) + "cycles, " + short(state.instructions) +
    "instructions";
  at("rate").textContent = state.done ? "" : short(state.rate) + "cycles/s";
  at("now").textContent = state.now ? "now: " + state.now : "";
  at("share").hidden = state.share === null;
  if (state.share !== null) at("share").value = state.share;
  at("left").textContent = state.share === null ? ""
    : Math.floor(100 * state.share) + " % done" +
      (state.left === null || state.done ? "" : ", " + duration(state.left) + " left");
  ended = state.done;
}

/* A page that is at its end, where the roots are, stays there. */
function renew(model) {
  const page = document.documentElement;
  const isAtEnd = window.innerHeight + window.scrollY > page.scrollHeight - 4;
  graph.update(model, model.styles);
  if (isAtEnd) window.scrollTo(0, page.scrollHeight);
}

async function ask() {
  try {
    const state = await (await fetch("/live?since=" + since)).json();
    show(state);
    if (state.graph) renew(state.graph);
    since = state.version;
  } catch (error) {
    at("phase").textContent = ended ? "the run has ended" : "the run has ended, or tr-fold has";
    at("rate").textContent = at("now").textContent = "";
    ended = true;
  }
  if (!ended) setTimeout(ask, INTERVAL);
}

ask();
