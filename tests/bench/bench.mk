# SPDX-License-Identifier: Apache-2.0
# `make bench`: speed and size, each beside a reference in the same run.

$(eval $(call program,add-noise,tests/bench/add-noise.c))
$(eval $(call program,paper-loop,tests/bench/paper-loop.c))
$(eval $(call program,peak,tests/bench/peak.c))

# The same simulator without the trace port.
build/no-port/bin/soc-sim: FORCE
	$(Q)$(MAKE) --no-print-directory B=build/no-port SIM_GEN=build/no-port/verilated TRACE_PORT=0 $@

.PHONY: bench bench-linux soak soak-linux
bench: all build/no-port/bin/soc-sim ## Measure speed and size; writes build/bench.tsv
	$(Q)tests/bench/bench.sh
bench-linux: all linux ## Measure Linux on the hardware; writes build/bench-linux.tsv
	$(Q)TSV=build/bench-linux.tsv tests/bench/bench.sh linux
soak: all ## Five thousand million instructions: memory must not grow
	$(Q)tests/bench/soak.sh
soak-linux: all linux ## The same with Linux
	$(Q)tests/bench/soak.sh linux
