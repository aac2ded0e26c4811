// SPDX-License-Identifier: Apache-2.0
// Draws the jumps within a function as arrows left of the addresses, in lanes that do not
// cross where they need not, again when rows are hidden; marks those of the row under the
// pointer.
const SVG = 'http://www.w3.org/2000/svg', LANE = 9, LANES = 12;

function middle(row) {
	return row.offsetTop + row.offsetHeight / 2;
}

// Returns the jumps of a function with the rows that they span, the shortest first.
function jumpsOf(code) {
	const rows = [...code.querySelectorAll('tr[data-a]')];
	const at = new Map(rows.map((row, i) => [row.dataset.a, i]));
	const jumps = [];
	rows.forEach((row, i) => {
		const to = at.get(row.dataset.to);
		if (to === undefined || to === i || !row.offsetParent || !rows[to].offsetParent) return;
		jumps.push({from: row, to: rows[to], low: Math.min(i, to), high: Math.max(i, to), taken: +row.dataset.n});
	});
	return jumps.sort((a, b) => a.high - a.low - (b.high - b.low) || a.low - b.low);
}

// Gives each jump the innermost lane that is free over all of its rows.
function assignLanes(jumps) {
	const lanes = [];
	for (const jump of jumps) {
		let lane = 0;
		while (lane < LANES - 1 && lanes[lane] && lanes[lane].some(j => j.low <= jump.high && jump.low <= j.high)) lane++;
		(lanes[lane] = lanes[lane] || []).push(jump);
		jump.lane = lane;
	}
	return lanes.length;
}

function draw(code) {
	const svg = code.querySelector('svg.arrows'), jumps = jumpsOf(code);
	const count = assignLanes(jumps), gutter = 18 + count * LANE;
	const cell = code.querySelector('td.g');
	svg.replaceChildren();
	code.style.setProperty('--gutter', gutter + 'px');
	if (!cell) return;
	const right = cell.offsetLeft + gutter - 4, table = code.querySelector('table').offsetTop;
	const most = Math.max(1, ...jumps.map(j => j.taken));
	for (const jump of jumps) {
		const x = right - 8 - jump.lane * LANE, y = middle(jump.from) + table, z = middle(jump.to) + table;
		const path = document.createElementNS(SVG, 'path');
		path.setAttribute('d', `M${right} ${y}H${x + 3}Q${x} ${y} ${x} ${y + (z > y ? 3 : -3)}V${z + (z > y ? -3 : 3)}Q${x} ${z} ${x + 3} ${z}H${right}m-4 -3l4 3l-4 3`);
		if (jump.taken) {
			path.setAttribute('class', 'taken');
			path.style.strokeWidth = 1 + 1.5 * Math.log1p(jump.taken) / Math.log1p(most);
		}
		svg.append(path);
		(jump.from.arrows = jump.from.arrows || []).push(path);
		(jump.to.arrows = jump.to.arrows || []).push(path);
	}
	svg.setAttribute('width', right + 4);
	svg.setAttribute('height', code.scrollHeight);
}

function drawAll() {
	document.querySelectorAll('tr[data-a]').forEach(row => { row.arrows = []; });
	document.querySelectorAll('section .code').forEach(draw);
}

function mark(event, on) {
	const row = event.target.closest && event.target.closest('tr');
	for (const path of row && row.arrows || []) path.classList.toggle('on', on);
}

// A flame graph links to all functions; a page with the largest ones may lack some.
function tellMissing() {
	const anchor = location.hash.slice(1);
	document.getElementById('missing').hidden = !anchor.startsWith('f-') || document.getElementById(anchor) !== null;
}

// Puts the functions of a large page, which are compressed, into their place. Returns false
// if the browser cannot.
async function unpack(packed) {
	const bytes = Uint8Array.from(atob(packed.textContent), c => c.charCodeAt(0));
	const note = document.getElementById('unpacking');
	try {
		const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
		packed.insertAdjacentHTML('beforebegin', await new Response(stream).text());
	} catch (error) {
		note.textContent = 'This page is compressed, and this browser cannot show it: ' + error;
		return false;
	}
	packed.remove();
	note.remove();
	return true;
}

function setUp() {
	for (const box of document.querySelectorAll('.tools input'))
		box.parentElement.hidden = !document.querySelector(box.name === 'no-source' ? 'tr.s' : 'tr.n');
	drawAll();
	tellMissing();
}

document.addEventListener('mouseover', event => mark(event, true));
document.addEventListener('mouseout', event => mark(event, false));
for (const box of document.querySelectorAll('.tools input'))
	box.addEventListener('change', () => {
		document.body.classList.toggle(box.name, !box.checked);
		drawAll();
	});
addEventListener('hashchange', tellMissing);
addEventListener('load', () => {
	const packed = document.getElementById('packed');
	if (!packed)
		setUp();
	else
		unpack(packed).then(done => {
			if (!done) return;
			setUp();
			const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
			if (target) target.scrollIntoView();
		});
});
