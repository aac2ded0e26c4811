# SPDX-License-Identifier: Apache-2.0
# The pipe on a piece of a Linux run that is kept in golden/linux: an exec, a thread's
# end, signals in signals, page faults, interrupts. Needs neither kernel nor programs.

.PHONY: test-linux golden-linux
test-linux: $(FILTERS:%=$(B)/bin/%) ## Run the pipe on a piece of a Linux run
	$(Q)BIN=$(B)/bin tests/linux/run.sh
golden-linux: linux $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-sim ## Record the piece of a Linux run anew; shows the change
	$(Q)[ -z "$(CI)" ] && BIN=$(B)/bin tests/linux/extract.sh truth cycle=28700000 cycle=29530000
	$(Q)BIN=$(B)/bin tests/linux/run.sh golden
