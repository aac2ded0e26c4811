# SPDX-License-Identifier: Apache-2.0
# The pipeline on a part of a Linux run that is kept in golden/linux: an exec, the end of
# a thread, nested signals, page faults, interrupts. Needs neither kernel nor programs.

.PHONY: test-linux golden-linux
test-linux: $(FILTERS:%=$(B)/bin/%) ## Run the pipeline on a part of a Linux run
	$(Q)BIN=$(B)/bin tests/linux/run.sh
golden-linux: linux $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-sim ## Record the part of a Linux run again; shows the change
	$(Q)[ -z "$(CI)" ] && BIN=$(B)/bin tests/linux/extract.sh truth cycle=28700000 cycle=29530000
	$(Q)BIN=$(B)/bin tests/linux/run.sh golden
