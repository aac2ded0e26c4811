# SPDX-License-Identifier: Apache-2.0
# Tables of a sampled run: estimates with their errors, and the windows that they rest on.
. "$SRC/tests/cli/sampled.inc"
sampled 12 | tr-text --encode -o s.tr
tr-report functions s.tr
tr-report functions --by thread --format csv s.tr
tr-report functions --unit instructions s.tr
tr-report functions --idle s.tr
tr-report tma s.tr
tr-report tma --format csv s.tr | head -n 4
tr-report classes s.tr
tr-report classes --by program s.tr
tr-report classes --by hart s.tr
# The same for commits of four instructions in a cycle: 4 slots.
sampled 12 | sed -e 's/^header harts/header commit_width=4\nheader commit_width.0=1\n&/' \
	-e '/^hart 1/,$s/2\*50$/2*200/' | tr-text --encode -o wide.tr
tr-report tma -v wide.tr
tr-fold --svg wide.svg --tma wide.tr
grep -A 1 '"bars"' wide.svg
