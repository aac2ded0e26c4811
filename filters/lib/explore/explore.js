/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the page, which its address keeps, and what it asks the server for. */
const at = (id) => document.getElementById(id);
const digits = (n) => String(n).replace(/\B(?=(\d{3})+$)/g, " ");
const percent = (n, of) => (of ? (100 * n / of).toFixed(2) : "0.00") + " %";
const POLL = 1000, WATCH = 4000, GAP = 4, SOURCE_LINE = 7;

let run = null;      /* the answer "run" */
let names = [];      /* functions: name, binary, kind, tint, address */
let overview = null, view = null;
let ended = false;   /* the server has gone */
/* Called with what is new: "overview"; "view"; "state"; or "asked", a state for which a
 * view has been asked for. */
const listeners = [];

/* What the address has behind "#", with the values that it may leave out. */
const DEFAULTS = {from: "", to: "", process: "", thread: "", hart: "", root: "0", func: "",
  search: "", colours: "", sort: "self", theme: "", zoom: "", code: "", mark: "", marks: ""};
let state = {...DEFAULTS};

function readAddress() {
  const found = new URLSearchParams(location.hash.slice(1));
  state = {...DEFAULTS};
  for (const key in DEFAULTS) if (found.has(key)) state[key] = found.get(key);
}

function writeAddress(isStep) {
  const kept = Object.entries(state).filter(([key, value]) => value !== DEFAULTS[key]);
  const hash = "#" + new URLSearchParams(kept);
  if (hash === (location.hash || "#")) return;
  history[isStep ? "pushState" : "replaceState"](null, "", hash);
}

const tell = (what) => listeners.forEach((listener) => listener(what));

/* Changes the state. A step is one that the back button takes back. */
function change(more, isStep = true) {
  const before = {...state};
  Object.assign(state, more);
  writeAddress(isStep);
  applyState(before);
}

const ASKED = ["from", "to", "process", "thread", "hart", "root"];
function applyState(before) {
  applyTheme();
  const isAsked = ASKED.some((key) => state[key] !== before[key]);
  tell(isAsked ? "asked" : "state");
  if (isAsked) askView();
  if (["process", "thread", "hart"].some((key) => state[key] !== before[key])) askOverview();
}

function query(keys) {
  const words = keys.filter((key) => state[key] !== "" && state[key] !== DEFAULTS[key]);
  return words.map((key) => key + "=" + encodeURIComponent(state[key])).join("&");
}

async function fetchJson(path) {
  const answer = await fetch(path);
  if (answer.status === 400) throw new RangeError(path);
  if (!answer.ok) throw new Error(answer.status + " " + path);
  return answer.json();
}

/* Only the latest question of a kind is answered. A question waits for the one before. */
const asking = {};
async function ask(kind, path, take) {
  const line = asking[kind] = asking[kind] || {busy: false, next: null};
  line.next = {path, take};
  if (line.busy) return;
  line.busy = true;
  while (line.next) {
    const one = line.next;
    line.next = null;
    try {
      const data = await fetchJson(one.path());
      if (!line.next) await one.take(data);
    } catch (error) {
      if (error instanceof RangeError) forgetChoice();
      else lose();
    }
  }
  line.busy = false;
}

/* A link may name what this run does not have. */
function forgetChoice() {
  complaint = "this address names a part that this run does not have";
  const {search, colours, sort, theme, code: isOpen, marks} = state;
  change({...DEFAULTS, search, colours, sort, theme, code: isOpen, marks}, false);
  showPhase();
}
let complaint = "";

function lose() {
  ended = true;
  showPhase();
}

async function needNames() {
  if (names.length >= run.functions) return;
  names = names.concat(await fetchJson("/names?since=" + names.length));
  binaryTones.clear();
}

const askOverview = () => ask("overview", () => "/overview?" + query(["process", "thread", "hart"]),
  (data) => {
    overview = data;
    /* A run that begins from a checkpoint has nothing before it. */
    const begins = data.harts.map(([, series]) => series.findIndex((n) => n)).filter((i) => i >= 0);
    overview.first = begins.length ? Math.min(...begins) : 0;
    offerParts();
    tell("overview");
  });

const askView = () => ask("view",
  () => "/view?" + [query(ASKED), "width=" + flameWidth()].filter(Boolean).join("&"),
  async (data) => {
    if (data.functions.some(([f]) => f >= names.length)) {
      run = await fetchJson("/run");
      await needNames();
    }
    view = data;
    tell("view");
  });

/* ------------------------------------------------------------ the head */

function showPhase() {
  const phase = at("phase");
  phase.className = ended ? "bad" : run && !run.done ? "grows" : "";
  if (ended) phase.textContent = "tr-explore has ended";
  else if (!run || !run.end) phase.textContent = "waiting for the first stacks";
  else phase.textContent = (run.done ? "" : "growing: ") + short(run.cycles) + " cycles, " +
    short(run.instructions) + " instructions" + (run.cut_off ? "; cut off: " + run.cut_off : "") +
    (complaint ? "; " + complaint : "");
}

/* Three digits and a prefix. */
function short(n) {
  let i = 0;
  while (n >= 999.5 && i < 6) {
    n /= 1000;
    i++;
  }
  return (i || n % 1 ? n.toPrecision(3) : n) + ["", " k", " M", " G", " T", " P", " E"][i];
}

/* Of `count` that exist, the list has those with most cycles, which it tells. */
function offer(select, all, options, count = 0) {
  const was = state[select.id], rest = count - options.length;
  select.replaceChildren(new Option(all, ""), ...options.map(([value, text]) => new Option(text, value)));
  if (rest > 0) select.append(Object.assign(new Option(digits(rest) + " more, with fewer cycles"), {disabled: true}));
  select.title = rest > 0 ? `the ${digits(options.length)} of ${digits(count)} that have most cycles` : "";
  select.value = was;
  select.parentElement.hidden = options.length < 2;
}

function offerParts() {
  const share = (n) => ", " + percent(n, run.cycles);
  const label = ([id, name, n]) => [String(id), (name === "-" ? "no process" : name) + share(n)];
  offer(at("process"), "all", overview.processes.map(label), overview.all_processes);
  offer(at("thread"), "all", overview.threads.map(label), overview.all_threads);
  offer(at("hart"), "all", overview.harts.map(([id]) => [String(id), "hart " + id]));
}

/* A change from one kind of run to another: classes may have colours of their own. */
function offerColours() {
  const kinds = [["", "kind of code"], ["binary", "binary"]];
  if (run.classes.length) kinds.push(["class", "lost cycles"]);
  at("colours").replaceChildren(...kinds.map(([value, text]) => new Option(text, value)));
  at("colours").value = state.colours;
}

function isDark() {
  return state.theme ? state.theme === "dark" : matchMedia("(prefers-color-scheme:dark)").matches;
}

function applyTheme() {
  document.documentElement.classList.toggle("dark", isDark());
  at("theme").textContent = isDark() ? "Light" : "Dark";
}

function switchTheme() {
  change({theme: isDark() ? "light" : "dark"}, false);
  tell("overview");
  if (view) tell("view");
}

/* ------------------------------------------------------------ a run that grows */

async function poll() {
  try {
    const now = await fetchJson("/run");
    const was = run;
    ended = false;
    if (now.end) {
      const isOther = was && was.end && (now.end < was.end || now.functions < names.length ||
        (was.done && now.cycles !== was.cycles));
      run = now;
      if (isOther) names = [];
      await needNames();
      if (!was || !was.end || isOther) offerColours();
      if (!was || now.end !== was.end || now.cycles !== was.cycles || isOther) {
        askOverview();
        askView();
      }
    }
    showPhase();
  } catch (error) {
    lose();
  }
  setTimeout(poll, run && run.done ? WATCH : POLL);
}

/* ------------------------------------------------------------ keys */

function pressed(event) {
  const typing = event.target.matches("input, select");
  if (event.key === "f" && (event.ctrlKey || event.metaKey)) at("search").select();
  else if (event.ctrlKey || event.metaKey || event.altKey) return;
  else if (event.key === "Escape" && event.target === at("search")) {
    at("search").value = "";
    change({search: ""}, false);
    at("search").blur();
  } else if (typing || at("help").open) return;
  else if (event.key === "/") at("search").select();
  else if (event.key === "?") at("help").showModal();
  else if (event.key === "d") switchTheme();
  else if (event.key === "r") reset();
  else if (event.key === "1") at("overview").focus();
  else if (event.key === "2") at("flame").focus();
  else if (event.key === "3") at("rows").focus();
  else if (event.key === "4") showCode();
  else if (event.key === "5" && hasMarks()) toggleMarks(true);
  else return;
  event.preventDefault();
}

function reset() {
  complaint = "";
  change({...DEFAULTS, colours: state.colours, sort: state.sort, theme: state.theme, code: state.code,
    marks: state.marks});
  at("search").value = "";
  showPhase();
}

function startPage() {
  readAddress();
  applyTheme();
  at("code").hidden = !isCodeOpen(); /* before the flame graph has its place */
  for (const id of ["process", "thread", "hart"])
    at(id).addEventListener("change", () => change({[id]: at(id).value}));
  at("colours").addEventListener("change", () => change({colours: at("colours").value}));
  at("search").addEventListener("input", () => change({search: at("search").value}, false));
  at("search").value = state.search;
  at("reset").addEventListener("click", reset);
  at("theme").addEventListener("click", switchTheme);
  at("keys").addEventListener("click", () => at("help").showModal());
  window.addEventListener("keydown", pressed);
  window.addEventListener("popstate", () => {
    const before = {...state};
    readAddress();
    at("search").value = state.search;
    for (const id of ["process", "thread", "hart", "colours"]) at(id).value = state[id];
    applyState(before);
  });
  matchMedia("(prefers-color-scheme:dark)").addEventListener("change", () => {
    applyTheme();
    tell("overview");
    if (view) tell("view");
  });
  poll();
}
