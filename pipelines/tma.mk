# SPDX-License-Identifier: Apache-2.0
# `make tma`: classes of lost cycles of each benchmark, from its counters, as in figures 2
# and 3 of the TMA paper, out of order 4, and from its trace, down to the function. Results
# are in build/tma/, out of order in build/core-ooo/tma/.

TMA := $(B)/tma
# Sanitizers are slow, so a few benchmarks have to do.
TMA_RUNS := $(if $(SAN),crc chase_l2 trap,$(BENCHMARKS))
TMA_CSVS := $(TMA_RUNS:%=$(TMA)/%.csv)
# Tables of functions, with flame graphs; figures.
TMA_RESULTS := $(TMA_RUNS:%=$(TMA)/%.txt) $(TMA)/levels.txt
TMA_BARS := $(B)/tests/tma-bars
# The figure of the top level.
TMA_TOP := $(TMA)/figure-$(if $(filter ooo,$(CORE)),4,3)
TMA_TEXTS := $(TMA)/classes.txt $(TMA_TOP).txt $(TMA)/figure-2.txt $(if $(filter ooo,$(CORE)),$(TMA)/formulas.txt)

# The paper's figures.
OBJS += $(B)/obj/pipelines/tma-bars.o
$(TMA_BARS): $(B)/obj/pipelines/tma-bars.o $(B)/libtr.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(LDFLAGS) -o $@ $^ $(LDLIBS)

.PHONY: tma
tma: ## Top-down analysis of the benchmarks: figures and tables in build/tma/
tma: target $(B)/bin/soc-sim $(FILTERS:%=$(B)/bin/%)
	@$(MAKE) -s --no-print-directory $(TMA_RESULTS) $(TMA_TEXTS)
	@for text in $(TMA_TEXTS); do echo; cat $$text; done; \
	printf '\nopen %s and %s (the figures), %s (stacks of each benchmark)\n' \
		$(TMA)/figure-2.svg $(TMA_TOP).svg '$(TMA)/NAME.svg'; \
	printf '%s has the functions of each benchmark, %s the second level\n' \
		'$(TMA)/NAME.txt' $(TMA)/levels.txt

.PHONY: tma-figure-4
ifeq ($(CORE),ooo)
tma-figure-4: target $(B)/bin/soc-sim $(B)/bin/tr-capture $(B)/bin/tr-report ## The TMA paper's figure 4: top level of the benchmarks out of order
	@$(MAKE) -s --no-print-directory $(TMA)/figure-4.txt
	@cat $(TMA)/figure-4.txt pipelines/tma-figure-4.txt; printf '\nopen %s\n' $(TMA)/figure-4.svg
else
tma-figure-4:
	@$(MAKE) --no-print-directory CORE=ooo $@
endif

# The run's exit status is the program's, which is 0 if its result is right.
$(TMA)/%.tr $(TMA)/%.csv: $(FW) $(BENCH_B)/%.elf $(BENCH_B)/supervisor.elf \
		$(B)/bin/soc-sim $(B)/bin/tr-capture
	$(call say,RUN,$*)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/tr-capture -o $(TMA)/$*.tr -- $(B)/bin/soc-sim --counters all \
		--counters-csv $(TMA)/$*.csv $(call bench_run,$(BENCH_B),$*) \
		< /dev/null > $(TMA)/$*.console 2>&1 || \
		{ echo "$*: the run failed, or its result is wrong: $(TMA)/$*.console" >&2; exit 1; }
$(BENCHMARKS_USER:%=$(TMA)/%.tr): $(TMA)/%.tr: $(BENCH_B)/%-image.elf
$(BENCHMARKS_USER:%=$(TMA)/%.csv): $(TMA)/%.csv: $(BENCH_B)/%-image.elf

$(foreach b,$(BENCHMARKS),$(eval $(call profile_stacks,$(TMA)/$(b).stacks.tr,$(TMA)/$(b).tr,$(BENCH_B)/$(b).lst,--bins $(BENCH_B)/$(b).lst)))
$(TMA_RUNS:%=$(TMA)/%.txt): $(TMA)/%.txt: $(TMA)/%.stacks.tr $(B)/bin/tr-fold $(B)/bin/tr-report
	$(call say,FOLD,$*)
	$(Q)$(B)/bin/tr-fold --title '$*: lost cycles by class' --tma \
		--svg $(TMA)/$*.svg -o /dev/null $<
	$(Q)$(B)/bin/tr-report tma -o $@ $<

$(TMA)/classes.txt: $(TMA_RUNS:%=$(TMA)/%.txt) pipelines/tma.awk
	$(Q)awk -f pipelines/tma.awk $(TMA_RUNS:%=$(TMA)/%.txt) > $@
$(TMA)/figure-2.txt $(TMA_TOP).txt $(TMA)/levels.txt: $(TMA_CSVS) $(B)/bin/tr-report
$(TMA)/figure-2.txt $(TMA_TOP).txt: $(TMA_BARS)
$(TMA)/figure-2.txt:
	$(call say,TMA,$@)
	$(Q)$(TMA_BARS) --frontend --title 'I-cache blocked beside cycles lost to the frontend' \
		-o $(@:.txt=.svg) $(TMA_CSVS)
	$(Q)$(B)/bin/tr-report counters --frontend -o $@ $(TMA_CSVS)
$(TMA_TOP).txt:
	$(call say,TMA,$@)
	$(Q)$(TMA_BARS) --title 'Top level of the benchmarks$(if $(filter ooo,$(CORE)), on the core of width four)' -o $(@:.txt=.svg) $(TMA_CSVS)
	$(Q)$(B)/bin/tr-report counters -o $@ $(TMA_CSVS)
# Which formulas are wrong, where and why, by the account of dispatch that only a wide core has.
$(TMA)/formulas.txt: $(TMA_CSVS) $(B)/bin/tr-report
	$(call say,TMA,$@)
	$(Q)$(B)/bin/tr-report counters --formulas -o $@ $(TMA_CSVS)
# The top level and its notes are in the figure's text.
$(TMA)/levels.txt:
	$(Q)$(B)/bin/tr-report counters --level 2 $(TMA_CSVS) | awk 'texts > 1; /^$$/ { texts++ }' > $@
.SECONDARY: $(BENCHMARKS:%=$(TMA)/%.tr) $(BENCHMARKS:%=$(TMA)/%.csv) $(BENCHMARKS:%=$(TMA)/%.stacks.tr)
