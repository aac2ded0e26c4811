# SPDX-License-Identifier: Apache-2.0
# `make sweep PARAM=l2-latency=10,14,20 PROGRAM=chase_l2`: the program on the hardware with each value
# of an option of soc-sim, and a table of what it costs. Several options (PARAM='... ...') are
# combined. ENGINE=slurm runs them on the machines of a Slurm cluster (tr-cluster(7)); what has run
# is not run again. Results are in build/sweep/PROGRAM/.

PARAM :=
ENGINE := make
# A benchmark of sim/target/benchmarks/, of which benchmark() counts, the demo, or what soc-sim runs:
# images and options. Then SWEEP_BINS are the binaries, ELF files or lists.
PROGRAM := demo
SWEEP_BENCHMARK := $(filter $(BENCHMARKS),$(PROGRAM))
SWEEP_RUN = $(if $(SWEEP_BENCHMARK),$(call bench_run,$(BENCH_B),$(PROGRAM)),$(if $(filter demo,$(PROGRAM)),$(FW) $(TARGET_B)/demo.elf,$(PROGRAM)))
SWEEP_BINS := $(if $(SWEEP_BENCHMARK),$(BENCH_B)/$(PROGRAM).lst,$(if $(filter demo,$(PROGRAM)),$(BINS),$(filter %.elf,$(PROGRAM))))
SWEEP := $(B)/sweep/$(basename $(notdir $(lastword $(PROGRAM))))
SWEEP_FILTERS := $(addprefix $(B)/bin/,tr-capture tr-match tr-unwind tr-fold tr-report tr-info tr-diff)

# A point is a value of each option, such as l2-latency=10+dram-latency=80; its files are called
# l2-latency-10+dram-latency-80.*.
sweep_values = $(foreach v,$(subst $(comma), ,$(lastword $(subst =, ,$(1)))),$(firstword $(subst =, ,$(1)))=$(v))
SWEEP_POINTS :=
$(foreach p,$(PARAM),$(eval SWEEP_POINTS := $(if $(SWEEP_POINTS),$(foreach a,$(SWEEP_POINTS),$(foreach b,$(call sweep_values,$(p)),$(a)+$(b))),$(call sweep_values,$(p)))))
SWEEP_FILES := $(subst =,-,$(addprefix $(SWEEP)/,$(SWEEP_POINTS)))
sweep_options = $(subst =, ,$(addprefix --,$(subst +, ,$(1))))
# $(call sweep_job,POINT): a line for run-jobs.sh. The sum of the values stands for the length: the
# longer a latency, the longer the run.
sweep_job = $(shell tr '+=' '\n\n' <<< '$(1)' | awk '{ sum += $$0 } END { print (sum > 0 ? sum : 0) }')\t$(SWEEP)/$(subst =,-,$(1)).stacks.tr\t$(B)/bin/tr-capture -- $(B)/bin/soc-sim $(call sweep_options,$(1)) $(SWEEP_RUN) | \
	$(B)/bin/tr-match $(addprefix --bins ,$(SWEEP_BINS)) | $(B)/bin/tr-unwind
SWEEP_INPUTS = $(addprefix $(B)/bin/,soc-sim tr-capture tr-match tr-unwind) $(wildcard $(SWEEP_RUN)) $(SWEEP_BINS) $(if $(SWEEP_BENCHMARK),$(BENCH_B)/$(PROGRAM).elf)

.PHONY: sweep sweep-runs sweep-tables
sweep: target $(B)/bin/soc-sim $(SWEEP_FILTERS)
sweep: ## A program with each of PARAM=l2-latency=10,14,20: a table
	@! printf '%s\n' $(foreach p,$(or $(PARAM),-),'$(p)') | grep -qvE '^[a-z][a-z0-9-]*=[A-Za-z0-9.-]+(,[A-Za-z0-9.-]+)*$$' || \
		{ echo 'make: sweep: PARAM=$(PARAM): not an option of soc-sim and its values, as in PARAM=l2-latency=10,14,20' >&2; exit 1; }
	@$(MAKE) -s --no-print-directory sweep-runs
	@$(MAKE) -s --no-print-directory sweep-tables
	@echo; cat $(SWEEP)/sweep.txt; printf '\n%s has the functions that differ most between the first and the last, %s their flame graph\n' \
		$(SWEEP)/diff.txt $(SWEEP)/diff.svg
sweep-runs:
	@mkdir -p $(SWEEP)
	@printf '%b\n' $(foreach p,$(SWEEP_POINTS),'$(call sweep_job,$(p))') > $(SWEEP)/jobs
	@pipelines/run-jobs.sh --engine $(ENGINE) --jobs $(or $(patsubst -j%,%,$(filter -j%,$(MAKEFLAGS))),$(shell nproc)) \
		$(addprefix --input ,$(SWEEP_INPUTS)) $(SWEEP)/jobs
sweep-tables: $(SWEEP)/sweep.txt $(SWEEP)/sweep.csv $(SWEEP)/diff.txt $(SWEEP)/diff.svg $(SWEEP_FILES:%=%.svg)

$(foreach f,$(SWEEP_FILES),$(eval $(call profile_joined,$(f).svg,$(f).stacks.tr,'$(notdir $(f))',,)))
# Totals, and cycles by class.
$(SWEEP_FILES:%=%.classes): %.classes: %.stacks.tr $(B)/bin/tr-info $(B)/bin/tr-report
	$(Q)$(B)/bin/tr-info $< | awk '/^totals/ { on = 1 } /^end/ { on = 0 } on && ($$1 == "cycles" || $$1 == "instructions")' > $@
	$(Q)$(B)/bin/tr-report classes --format csv $< >> $@
$(SWEEP)/sweep.txt $(SWEEP)/sweep.csv &: $(SWEEP_FILES:%=%.classes) $(SWEEP)/jobs pipelines/sweep.awk
	$(call say,SWEEP,$(SWEEP)/sweep.txt)
	$(Q)for format in txt csv; do awk -v points='$(SWEEP_POINTS)' -v format=$$format -f pipelines/sweep.awk \
		$(SWEEP_FILES:%=%.classes) > $(SWEEP)/sweep.$$format; done
$(SWEEP)/diff.txt: $(firstword $(SWEEP_FILES)).stacks.tr $(lastword $(SWEEP_FILES)).stacks.tr $(SWEEP)/jobs $(B)/bin/tr-diff
	$(Q)$(B)/bin/tr-diff --tma --threshold 0.1% -o $@ $(wordlist 1,2,$^) || [ $$? = 1 ]
$(SWEEP)/diff.svg: $(firstword $(SWEEP_FILES)).svg $(lastword $(SWEEP_FILES)).svg $(SWEEP)/jobs $(B)/bin/tr-diff
	$(Q)$(B)/bin/tr-diff --svg $@ --title '$(firstword $(SWEEP_POINTS)) (before) and $(lastword $(SWEEP_POINTS)) (after)' -o /dev/null \
		$(firstword $(SWEEP_FILES)).folded $(lastword $(SWEEP_FILES)).folded || [ $$? = 1 ]
