/* SPDX-License-Identifier: Apache-2.0 */
/* Colours of frames: those of the flame graph's picture (flame_colours.c). */
const SHADES = 8, PALEST = 92, DARKEST = 30;
/* Of enum tr_tint: hue, saturation, light, and their steps from shade to shade. */
const ROLES = [[42, 92, 64, 2, 1], [14, 82, 62, 2, 1], [203, 55, 69, 2, 1], [34, 32, 76, 1, 1],
  [220, 6, 76, 0, 1], [66, 52, 66, 3, 1]];
const ROLE_NAMES = ["user", "kernel", "firmware", "program", "trap, gap, unknown", "code"];
const BINARIES = [[41, 100, 47, 0, 1], [202, 77, 62, 0, 1], [164, 100, 29, 0, 1], [56, 85, 58, 0, 1],
  [202, 100, 33, 0, 1], [26, 100, 40, 0, 1], [327, 45, 62, 0, 1]];
const OTHER_BINARY = [30, 8, 56, 0, 1], NO_BINARY = [220, 6, 76, 0, 1];
const binaryTones = new Map(); /* binaries that have most cycles, in this order */
const encoder = new TextEncoder();

function shadeOf(name) {
  let hash = 2166136261;
  for (const byte of encoder.encode(name)) hash = Math.imul(hash ^ byte, 16777619) >>> 0;
  return ((hash ^ hash >>> 15) >>> 0) % SHADES;
}

const css = ([h, s, l]) => `hsl(${h},${s}%,${l}%)`;
function onRamp([hue, saturation, light, hueStep, lightStep], shade) {
  return [(hue + hueStep * shade) % 360, saturation, light + lightStep * shade];
}

function shaded([hue, saturation, light], shade) {
  const palest = isDark() ? DARKEST : PALEST;
  return [hue, saturation, Math.trunc(palest - (palest - light) * shade / (SHADES - 1))];
}

/* White text is easier to read on this colour than black text. */
function needsWhite([hue, saturation, light]) {
  const s = saturation / 100, l = light / 100;
  const channel = (n) => {
    const k = (n + hue / 30) % 12;
    const value = l - s * Math.min(l, 1 - l) * Math.max(-1, Math.min(k - 3, 9 - k, 1));
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * channel(0) + 0.7152 * channel(8) + 0.0722 * channel(4) < 0.179;
}

function rankBinaries() {
  const sums = new Map();
  for (const [f, self] of view.functions)
    if (names[f][1]) sums.set(names[f][1], (sums.get(names[f][1]) || 0) + self);
  [...sums].sort((a, b) => b[1] - a[1]).slice(0, BINARIES.length)
    .forEach(([name], i) => binaryTones.set(name, BINARIES[i]));
}

const functionColours = new Map();
function functionColour(f) {
  const key = f + state.colours;
  if (!functionColours.has(key)) {
    const [name, binary, , tint] = names[f];
    const ramp = state.colours === "binary"
      ? binary ? binaryTones.get(binary) || OTHER_BINARY : NO_BINARY : ROLES[tint];
    functionColours.set(key, onRamp(ramp, shadeOf(name)));
  }
  return functionColours.get(key);
}

/* The hue of a group of classes, weaker the fewer slots it has; green below 1 in 16. */
function classColour(group, slots, all) {
  const share = all ? slots / all : 0;
  let shade = 0;
  while (shade < SHADES && share > shade * shade / 64) shade++;
  return shade <= 2 ? run.groups[0][1] : shaded(run.groups[group][1], shade - 1);
}

/* Colours of the legend, with their labels. */
function legend() {
  if (state.colours === "class") {
    const sums = run.groups.map(() => 0);
    view.lost.forEach((n, c) => { sums[run.group_of[c]] += n; });
    sums[0] = view.instructions;
    return run.groups.map(([name, colour], i) => [colour, name + " " + percent(sums[i], view.cycles * run.width),
      sums[i]]).filter(([, , n]) => n);
  }
  if (state.colours === "binary")
    return [...binaryTones].map(([name, ramp]) => [onRamp(ramp, 2), name]);
  const used = new Set(view.functions.map(([f]) => names[f][3]));
  return ROLES.map((ramp, i) => [onRamp(ramp, 2), ROLE_NAMES[i], i]).filter(([, , i]) => used.has(i));
}
