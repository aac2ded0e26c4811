# SPDX-License-Identifier: Apache-2.0
# `make demo`: several programs on one machine, from the run to the flame graphs. Results
# are in build/demo/. Other fragments add their results to DEMO_RESULTS, and texts to
# print to DEMO_TEXTS.

# The simulator: soc-model is functional, with one cycle per instruction; soc-sim is the
# hardware. Results of the one that is not the default go to a folder of their own, and so do those
# of another core (CORE).
DEFAULT_SIMULATOR := soc-sim
SIMULATOR := $(DEFAULT_SIMULATOR)
SIMULATOR_BIN := $(B)/bin/$(SIMULATOR)
# The demo has one hart.
DEMO_BIN := $(if $(filter soc-sim,$(SIMULATOR)),$(SIM_ONE),$(SIMULATOR_BIN))
OTHER := $(patsubst %,-%,$(filter-out $(DEFAULT_SIMULATOR),$(SIMULATOR)))$(CORE_SUFFIX)

DEMO := build/demo$(OTHER)
FW := $(TARGET_B)/firmware.elf
BINS := $(TARGET_B)/bins.lst
DEMO_RESULTS := $(DEMO)/joined.svg $(DEMO)/functions.txt $(DEMO)/programs/index.txt

.PHONY: demo
demo: ## Flame graphs and tables in build/demo/ (SIMULATOR=soc-model: functional)
	@# On all processors, unless the number of jobs is given.
	@$(MAKE) --no-print-directory $(if $(findstring -j,$(MAKEFLAGS)),,-j$(shell nproc)) \
		$(DEMO_BIN) $(FILTERS:%=$(B)/bin/%) $(B)/bin/soc-model $(MAN_BUILT) $(DEMO_RESULTS) $(DEMO_TEXTS)
	@# make replaces this by the simulator that can have several harts.
	@[ -e $(SIMULATOR_BIN) ] || { mkdir -p $(B)/bin; ln $(DEMO_BIN) $(SIMULATOR_BIN); }
	@echo; tail -n 1 $(DEMO)/functions.txt; echo; \
	for text in $(DEMO_TEXTS); do cat $$text; echo; done; \
	classes=$(filter %/classes.svg,$(DEMO_RESULTS)); \
	printf 'open %s (all programs together), %s (one per program)%s\n' \
		$(DEMO)/joined.svg '$(DEMO)/programs/*.svg' \
		"$${classes:+, $$classes (classes of lost cycles)}"

$(DEMO)/run.tr $(DEMO)/console.txt &: $(FW) $(TARGET_B)/demo.elf $(DEMO_BIN) $(B)/bin/tr-capture
	$(call say,RUN,$(DEMO)/run.tr)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/tr-capture -o $(DEMO)/run.tr -- $(DEMO_BIN) $(FW) $(TARGET_B)/demo.elf \
		< /dev/null > $(DEMO)/console.txt

# The pipeline of the README, stored as stacks from which all flame graphs are drawn.
$(eval $(call profile_rules,$(DEMO),'All programs$(comma) the kernel and the firmware',$(BINS),--bins $(BINS),--by program))
