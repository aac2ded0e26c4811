# SPDX-License-Identifier: Apache-2.0
# Each benchmark loses its cycles to the class it is built for, and the effect of
# if-conversion equals the prediction.

.PHONY: test-tma
test-tma: target $(B)/bin/soc-sim $(FILTERS:%=$(B)/bin/%) ## Each benchmark loses its cycles to the class it is built for
	$(Q)$(MAKE) -s --no-print-directory $(TMA_RESULTS) $(TMA_TEXTS) > /dev/null
	$(Q)mkdir -p $(TMA); [ -n "$(SAN)" ] || $(MAKE) -s --no-print-directory tma-ifconvert > $(TMA)/ifconvert.log
	$(Q)TMA_CORE=$(CORE) tests/tma/run.sh $(TMA) $(TMA_RUNS)
