# SPDX-License-Identifier: Apache-2.0
# The benchmarks lose their cycles where they are built to, and if-conversion gives what
# was predicted.

.PHONY: test-tma
test-tma: target $(B)/bin/soc-sim $(FILTERS:%=$(B)/bin/%) ## Each benchmark loses its cycles where it is built to
	$(Q)$(MAKE) -s --no-print-directory $(TMA_RESULTS) $(TMA_TEXTS) > /dev/null
	$(Q)[ -n "$(SAN)" ] || $(MAKE) -s --no-print-directory tma-ifconvert > $(TMA)/ifconvert.log
	$(Q)tests/tma/run.sh $(TMA) $(TMA_RUNS)
