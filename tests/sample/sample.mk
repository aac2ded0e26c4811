# SPDX-License-Identifier: Apache-2.0
# Sampled runs, made from whole ones, of which the truth is known.
$(eval $(call program,cut-windows,tests/sample/cut-windows.c,tests))
$(eval $(call program,coverage,tests/sample/coverage.c,tests))

SAMPLE_NEEDS := $(addprefix $(B)/bin/,tr-capture tr-match tr-unwind tr-fold tr-report tr-diff tr-text) $(SIM_ONE) $(FW) $(BINS)
.PHONY: test-sample
test-sample: $(SAMPLE_NEEDS) $(TARGET_B)/hello.elf $(B)/tests/cut-windows ## A sampled run against the whole one it is made from
	$(Q)tests/sample/run.sh $(B)/bin $(SIM_ONE) $(TARGET_B) $(B)/tests/cut-windows

.PHONY: test-sample-coverage
test-sample-coverage: $(SAMPLE_NEEDS) $(TARGET_B)/demo.elf $(B)/tests/coverage ## How often the bars of sampled runs of the demo contain the truth
	$(Q)tests/sample/coverage.sh $(B)/bin $(SIM_ONE) $(TARGET_B) $(B)/tests/coverage
