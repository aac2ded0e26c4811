// SPDX-License-Identifier: Apache-2.0
// Colours as they are seen: contrast, and distance with and without red or green.
"use strict";

// Machado, Oliveira and Fernandes (2009).
const VISIONS = {
  normal: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  protanopia: [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
    [-0.003882, -0.048116, 1.051998]],
  deuteranopia: [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
    [-0.011820, 0.042940, 0.968881]],
};

const linear = (c) => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
const times = (matrix, v) => matrix.map((row) => row[0] * v[0] + row[1] * v[1] + row[2] * v[2]);

// CIE L*a*b* of a pixel [r, g, b] in that vision.
function lab(pixel, vision) {
  const seen = times(VISIONS[vision], pixel.map((c) => linear(c / 255)))
    .map((c) => Math.min(1, Math.max(0, c)));
  const [x, y, z] = times([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750],
    [0.0193339, 0.1191920, 0.9503041]], seen)
    .map((t, i) => t / [0.95047, 1, 1.08883][i])
    .map((t) => t > 216 / 24389 ? Math.cbrt(t) : (24389 / 27 * t + 16) / 116);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

function distance(a, b, vision) {
  const x = lab(a, vision), y = lab(b, vision);
  return Math.hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

// The ratio of WCAG 2.
function contrast(a, b) {
  const [low, high] = [a, b].map((pixel) => pixel.map((c) => linear(c / 255)))
    .map((c) => 0.2126 * c[0] + 0.7152 * c[1] + 0.0722 * c[2]).sort((x, y) => x - y);
  return (high + 0.05) / (low + 0.05);
}

// "rgb(1, 2, 3)" as [1, 2, 3].
const parse = (text) => text.match(/\d+/g).slice(0, 3).map(Number);

module.exports = {VISIONS, distance, contrast, parse};
