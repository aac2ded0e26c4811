# SPDX-License-Identifier: Apache-2.0
# The benchmarks lose their cycles where they are built to.

.PHONY: test-tma
test-tma: target $(B)/bin/soc-sim $(FILTERS:%=$(B)/bin/%) ## Each benchmark loses its cycles where it is built to
	$(Q)$(MAKE) -s --no-print-directory $(TMA_RESULTS) $(TMA_TEXTS)
	$(Q)tests/tma/run.sh $(TMA)
