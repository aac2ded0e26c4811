// SPDX-License-Identifier: Apache-2.0
'use strict';
function mandel(cx, cy) {
	let x = 0, y = 0, n = 0;
	while (n < 60 && x * x + y * y < 4) {
		const t = x * x - y * y + cx;
		y = 2 * x * y + cy;
		x = t;
		n++;
	}
	return n;
}
function fib(n) {
	return n < 2 ? n : fib(n - 1) + fib(n - 2);
}
let sum = 0;
for (let i = 0; i < 400; i++)
	for (let j = 0; j < 400; j++)
		sum += mandel(i / 134 - 2, j / 134 - 1.5);
console.log(sum, fib(27));
