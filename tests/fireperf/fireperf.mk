# SPDX-License-Identifier: Apache-2.0
# The checks of `make fireperf`: broken packets and counters must not pass.

.PHONY: test-fireperf
test-fireperf: $(B)/tests/fireperf-frames ## Test the checks of make fireperf with broken packets and counters
	$(Q)tests/fireperf/run.sh $(B)/tests/fireperf-frames

# What repeats a run; and the same of the runs of Linux.
.PHONY: test-fireperf-depends
test-fireperf: test-fireperf-depends
test-fireperf-depends:
	$(Q)tests/fireperf/depends.sh
