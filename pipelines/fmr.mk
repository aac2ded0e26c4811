# SPDX-License-Identifier: Apache-2.0
# `make fmr`: the userspace paper's Table I and figures 11 to 14. Measures the speed of
# the simulator and the host cycles per target cycle without tracing, with capture only,
# and with the whole pipeline, with and without the satp cache.

FMR_IMAGE := demo
FMR := build/fmr$(CORE_SUFFIX)/$(SIMULATOR)-$(FMR_IMAGE)
FMR_RUNS := 3

$(eval $(call program,host-clock,pipelines/host-clock.c,tests))

FMR_RUN := $(SIMULATOR_BIN) $(FW) $(TARGET_B)/$(FMR_IMAGE).elf
FMR_PIPE = $(B)/bin/tr-capture -- $(FMR_RUN) < /dev/null | \
	$(B)/bin/tr-match $(1) --bins $(BINS) | $(B)/bin/tr-unwind | \
	$(B)/bin/tr-fold -o $(FMR)/folded
FMR_MATCH = $(B)/bin/tr-match -u $(1) -o $(FMR)/matched.tr --bins $(BINS) $(FMR)/run.tr

# Each round runs every configuration once, so that load on the host affects all of them.
FMR_WAYS := untraced captured piped searched matched match-searched
fmr_untraced = $(FMR_RUN) < /dev/null
fmr_captured = $(B)/bin/tr-capture -o $(FMR)/run.tr -- $(FMR_RUN) < /dev/null
fmr_piped = $(call FMR_PIPE,)
fmr_searched = $(call FMR_PIPE,--no-satp-cache)
fmr_matched = $(call FMR_MATCH,)
fmr_match-searched = $(call FMR_MATCH,--no-satp-cache)
define fmr_time
TIMEFORMAT='$(1) %3R'; { time { { $(fmr_$(1)); } > $(FMR)/console 2> $(FMR)/messages; }; } 2>&1

endef

.PHONY: fmr
fmr: ## Speed of the simulator with and without tracing, beside the paper's
fmr: $(SIMULATOR_BIN) $(B)/tests/host-clock $(FILTERS:%=$(B)/bin/%)
	@$(MAKE) --no-print-directory $(FMR)/fmr.txt
	@cat $(FMR)/fmr.txt

$(FMR)/seconds.txt: $(FW) $(TARGET_B)/$(FMR_IMAGE).elf $(BINS) $(SIMULATOR_BIN) \
		$(FILTERS:%=$(B)/bin/%)
	$(call say,TIME,$@)
	$(Q)mkdir -p $(@D)
	$(Q)for round in $$(seq $(FMR_RUNS)); do \
		$(foreach way,$(FMR_WAYS),$(strip $(call fmr_time,$(way)));) done > $@

$(FMR)/fmr.txt: $(FMR)/seconds.txt $(B)/tests/host-clock pipelines/fmr.awk
	$(call say,FMR,$@)
	$(Q){ echo "simulator $(SIMULATOR)"; echo "image $(FMR_IMAGE)"; \
	echo "runs $(FMR_RUNS)"; echo "clock $$($(B)/tests/host-clock)"; \
	$(B)/bin/tr-info $(FMR)/run.tr | sed -n '/^totals/,/^events/p'; \
	$(B)/bin/tr-info $(FMR)/run.tr | grep '^  precision'; \
	$(B)/bin/tr-match --bins $(BINS) $(FMR)/run.tr | $(B)/bin/tr-info - | \
		grep '^  match_'; cat $(FMR)/seconds.txt; } | awk -f pipelines/fmr.awk > $@
