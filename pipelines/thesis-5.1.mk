# SPDX-License-Identifier: Apache-2.0
# `make thesis-5.1`: table 5.1 of the thesis on the run-time profiler, its overhead when it counts
# calls, on the hardware, with programs of ours and of Debian's (`make linux-prof`) in place of its
# benchmarks, and gprof in place of Pin. Results are in build/thesis/.

THESIS := $(B)/thesis
THESIS_MODES := normal gprof process global
THESIS_WINDOW := --from measured --to measured
THESIS_IMAGES := $(FW) $(GC_B)/vmlinux
THESIS_RUNS := $(foreach p,$(PROFILED_MEASURED),$(THESIS_MODES:%=$(p)-%))
THESIS_TOOLS := $(addprefix $(B)/bin/,soc-sim tr-capture tr-match tr-unwind tr-report tr-diff tr-replay prof-extract) $(B)/profiler/count-entries

.PHONY: thesis-5.1
thesis-5.1: linux-prof $(THESIS_TOOLS)
thesis-5.1: ## Table 5.1 of the thesis: what counting calls costs
	@$(MAKE) -s --no-print-directory $(THESIS)/5.1.txt
	@cat $(THESIS)/5.1.txt

# $(call thesis_run,PROGRAM,MODE)
define thesis_run
$(THESIS)/$(1)-$(2).tr: $(THESIS_IMAGES) $(PROFILED_B)/$(1)-$(2)-1.dtb $(PROFILED_B)/$(1)-$(2).cpio $(addprefix $(B)/bin/,soc-sim tr-capture)
	$$(call say,RUN,$(1)-$(2))
	$(Q)mkdir -p $$(@D)
	$(Q)$(B)/bin/tr-capture -o $$@ -- $(B)/bin/soc-sim --isa rv64gc --ram 64M --dtb $(PROFILED_B)/$(1)-$(2)-1.dtb \
		--initrd $(PROFILED_B)/$(1)-$(2).cpio $(THESIS_IMAGES) </dev/null >$$(@:.tr=.console)
	$(Q)$$(call prof_truth_result,$(1),$$(@:.tr=.console))
$(THESIS)/$(1)-$(2).stacks.tr: $(THESIS)/$(1)-$(2).tr $(PROFILED_B)/$(1)-$(2)-1.lst $(addprefix $(B)/bin/,tr-match tr-unwind)
	$$(call say,STACKS,$(1)-$(2))
	$(Q)$(B)/bin/tr-match --bins $(PROFILED_B)/$(1)-$(2)-1.lst $$< 2>$$(@:.stacks.tr=.log) | $(B)/bin/tr-unwind -o $$@ 2>>$$(@:.stacks.tr=.log)
$(THESIS)/$(1)-$(2).diff: $(THESIS)/$(1)-normal.stacks.tr $(THESIS)/$(1)-$(2).stacks.tr $(B)/bin/tr-diff
	$(Q)$(B)/bin/tr-diff --tma $(THESIS_WINDOW) --format csv -o $$@ $$(wordlist 1,2,$$^) || [ $$$$? = 1 ]
endef
$(foreach p,$(PROFILED_MEASURED),$(foreach m,$(THESIS_MODES),$(eval $(call thesis_run,$(p),$(m)))))

$(THESIS)/%.functions: $(THESIS)/%.stacks.tr $(B)/bin/tr-report
	$(Q)$(B)/bin/tr-report functions $(THESIS_WINDOW) --format csv -o $@ $<
$(THESIS)/%.instructions: $(THESIS)/%.stacks.tr $(B)/bin/tr-report
	$(Q)$(B)/bin/tr-report functions $(THESIS_WINDOW) --unit instructions --format csv -o $@ $<
# Executions of entries, and what counting costs a call.
$(THESIS)/%-process.costs: $(THESIS)/%-process.tr $(B)/truth/profiler/%.entries $(B)/bin/tr-replay $(B)/profiler/count-entries
	$(call say,COUNT,$*)
	$(Q)$(B)/bin/tr-replay --stream --probes tests/profiler/spaces.probes --dtb $(PROFILED_B)/$*-process-1.dtb \
		--initrd $(PROFILED_B)/$*-process.cpio $< $(THESIS_IMAGES) | \
		$(B)/profiler/count-entries --costs $@ - $*=$(B)/truth/profiler/$*.entries >$(@:.costs=.entries)
$(THESIS)/5.1.txt: pipelines/thesis-change.awk pipelines/thesis-5.1.awk $(foreach p,$(PROFILED_MEASURED),$(THESIS)/$(p)-gprof.diff \
		$(THESIS)/$(p)-process.diff $(THESIS)/$(p)-global.diff $(THESIS)/$(p)-process.functions $(THESIS)/$(p)-process.costs)
	$(Q)awk -f $< -f $(wordlist 2,999,$^) >$@
.SECONDARY: $(foreach r,$(THESIS_RUNS),$(addprefix $(THESIS)/$(r).,tr stacks.tr diff functions instructions costs))
