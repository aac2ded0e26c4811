# SPDX-License-Identifier: Apache-2.0
# By process (one life of an address space, whichever its threads) and by privilege;
# waiting is separate. Streams without this information are refused.
tr-text --encode -o s.tr "$SRC/tests/cli/data/machine.txt"
tr-fold --by process s.tr
tr-fold --by process -d out s.tr
ls out
tr-report functions --by process s.tr
tr-fold --by privilege -v s.tr
tr-report functions --by privilege s.tr
tr-report tma --by privilege s.tr
tr-fold --by privilege --unit instructions s.tr
tr-fold --idle -v s.tr
tr-fold --idle --by thread s.tr
tr-report functions --idle --by program s.tr | grep idle

echo '# not to be had'
try() { # SED-SCRIPT OPTION...
	sed "$1" "$SRC/tests/cli/data/machine.txt" | tr-text --encode -o t.tr
	tr-fold "${@:2}" t.tr
	echo "exit $?"
}
try '/^scontext/d' --by process
try '/^scontext/d' --by privilege
try '/^scontext/d' --by thread | tail -1
try '/^header classes/d' --idle
try '/^header classes/s/idle.wfi/sleep.wfi/' --idle
try '/^header classes/d' --by privilege
try '' --idle --unit instructions

echo '# two commits a cycle, and no lost slots: nothing is idle'
try '/^header classes/s/$/\nheader commit_width=2/; s| classes=/.*||' --by privilege
try '/^header classes/s/$/\nheader commit_width=2/; s| classes=/.*||' --idle
