# SPDX-License-Identifier: Apache-2.0
# `make tma`: what the cycles of each benchmark were lost for, from its trace, by class
# and down to the function. Results in build/tma/.

TMA := $(B)/tma
# Under sanitizers a few will do: they are slow.
TMA_RUNS := $(if $(SAN),crc chase_l2 trap,$(BENCHMARKS))
# Tables of functions, flame graphs.
TMA_RESULTS := $(TMA_RUNS:%=$(TMA)/%.txt) $(TMA_RUNS:%=$(TMA)/%.svg)
TMA_TEXTS := $(TMA)/classes.txt

.PHONY: tma
tma: ## Top-down analysis of the benchmarks: figures and tables in build/tma/
tma: target $(B)/bin/soc-sim $(FILTERS:%=$(B)/bin/%)
	@$(MAKE) -s --no-print-directory $(TMA_RESULTS) $(TMA_TEXTS)
	@for text in $(TMA_TEXTS); do echo; cat $$text; done; \
	printf '\n%s has the functions of each, %s where in its stacks the cycles were lost\n' \
		'$(TMA)/NAME.txt' '$(TMA)/NAME.svg'

# The program's exit status is that of the run: its result was right.
$(BENCHMARKS:%=$(TMA)/%.tr): $(TMA)/%.tr: $(FW) $(BENCH_B)/%.elf $(BENCH_B)/supervisor.elf \
		$(B)/bin/soc-sim $(B)/bin/tr-capture
	$(call say,RUN,$*)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/tr-capture -o $@ -- $(B)/bin/soc-sim $(call bench_run,$(BENCH_B),$*) \
		< /dev/null > $(TMA)/$*.console 2>&1 || \
		{ echo "$*: the run failed, or its result is wrong: $(TMA)/$*.console" >&2; exit 1; }
$(BENCHMARKS_USER:%=$(TMA)/%.tr): $(TMA)/%.tr: $(BENCH_B)/%-image.elf

$(TMA)/%.stacks.tr: $(TMA)/%.tr $(BENCH_B)/%.lst $(B)/bin/tr-match $(B)/bin/tr-unwind
	$(Q)$(B)/bin/tr-match --bins $(BENCH_B)/$*.lst $< | $(B)/bin/tr-unwind -o $@
$(TMA)/%.txt $(TMA)/%.svg &: $(TMA)/%.stacks.tr $(B)/bin/tr-fold
	$(call say,FOLD,$*)
	$(Q)$(B)/bin/tr-fold --title 'What the cycles of $* were lost for' --tma \
		--svg $(TMA)/$*.svg --table=$(TMA)/$*.txt -o /dev/null $<

$(TMA)/classes.txt: $(TMA_RUNS:%=$(TMA)/%.txt) pipelines/tma.awk
	$(Q)awk -f pipelines/tma.awk $(TMA_RUNS:%=$(TMA)/%.txt) > $@
.SECONDARY: $(TMA_RUNS:%=$(TMA)/%.tr) $(TMA_RUNS:%=$(TMA)/%.stacks.tr)
