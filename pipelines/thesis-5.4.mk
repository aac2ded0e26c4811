# SPDX-License-Identifier: Apache-2.0
# `make thesis-5.4`: table 5.4 of the thesis on the run-time profiler, the accuracy of the samples.
# Programs run for 12 seconds and more of the target's time on the functional model, under the daemon
# with the thesis's constants, and, compiled for it, with gprof; for less at other rates. The truth is
# the number of instructions of each function in the same run, which the model counts
# (count-instructions.c). Its runs are in build/thesis/accuracy/; all take 10 minutes on two cores.

ACCURACY_OUT := $(B)/thesis/accuracy
ACCURACY_COUNT := $(B)/tests/count-instructions
ACCURACY_KERNEL := $(PROFILED_B)/kernel/vmlinux

$(eval $(call program,count-instructions,pipelines/count-instructions.c sim/run/boot.c sim/run/exec.c sim/run/trouble.c,tests))
$(ACCURACY_COUNT): $(B)/libsocmodel.a
$(ACCURACY_COUNT): LDLIBS += $(RUN_LIBS)

# HOW-LENGTH of each run with the daemon. More than 2560 samples a second would not fit in its ring.
ACCURACY_RATES := tick-12 400-jitter-4 1000-jitter-2 1600-jitter-2 2500-jitter-2
ACCURACY_ALIASES := tick-4 250-4 250-jitter-4
ACCURACY_RUNS := $(foreach p,$(ACCURACY_PROGRAMS),$(ACCURACY_RATES:%=$(p)-%)) kernels-O2-400-4 $(ACCURACY_ALIASES:%=alternate-%)
ACCURACY_GPROF := $(ACCURACY_PROGRAMS:%=%-gprof-12)
# Satisfiable, or not.
ACCURACY_STATUS_minisat := (10|20)

# $(call accuracy_run,PROGRAM,HOW,LENGTH,daemon|gprof)
define accuracy_run
$(call accuracy_tree,$(1),$(2),$(3))
$(ACCURACY_OUT)/$(1)-$(2)-$(3).console: $(ACCURACY_COUNT) $(FW) $(ACCURACY_KERNEL) $(ACCURACY_B)/$(1)-$(4)-$(3).cpio $(ACCURACY_B)/$(1)-$(2)-$(3).dtb
	$$(call say,RUN,$(1)-$(2)-$(3))
	$(Q)mkdir -p $$(@D)
	$(Q)$(ACCURACY_COUNT) --ram 64M --dtb $(ACCURACY_B)/$(1)-$(2)-$(3).dtb --initrd $(ACCURACY_B)/$(1)-$(4)-$(3).cpio \
		$(call ACCURACY_ROOT_$(4),$(1)) $$(@:.console=.counts) $(FW) $(ACCURACY_KERNEL) </dev/null >$$@
	$(Q)grep -Eq '^$(1): status $(or $(ACCURACY_STATUS_$(1)),0).?$$$$' $$@ || { cat $$@ >&2; exit 1; }
$(ACCURACY_OUT)/$(1)-$(2)-$(3).rows: pipelines/thesis-5.4-rows.awk $(B)/bin/prof-extract $(ACCURACY_OUT)/$(1)-$(2)-$(3).console
	$(Q)awk -f $$< <($(B)/bin/prof-extract --list $(call ACCURACY_ROOT_$(4),$(1))) $$(@:.rows=.counts) $$(@:.rows=.console) >$$@
endef
accuracy_length = $(lastword $(subst -, ,$(1)))
# $(call accuracy_how,PROGRAM,RUN)
accuracy_how = $(patsubst $(1)-%-$(call accuracy_length,$(2)),%,$(2))
$(foreach p,$(ACCURACY_PROGRAMS) alternate,$(foreach r,$(filter $(p)-%,$(ACCURACY_RUNS) $(ACCURACY_GPROF)),$(eval \
	$(call accuracy_run,$(p),$(call accuracy_how,$(p),$(r)),$(call accuracy_length,$(r)),$(if $(findstring gprof,$(r)),gprof,daemon)))))

# The counts of a short run, and those of its trace.
ACCURACY_SHORT := --ram 64M --dtb $(PROFILED_B)/kernels-O2-normal-1.dtb --initrd $(PROFILED_B)/kernels-O2-normal.cpio
$(ACCURACY_OUT)/same.txt: pipelines/thesis-5.4-same.awk $(ACCURACY_COUNT) $(addprefix $(B)/bin/,soc-model tr-match tr-unwind tr-report prof-extract) \
		$(THESIS_IMAGES) $(addprefix $(PROFILED_B)/kernels-O2-normal,-1.dtb .cpio -1.lst)
	$(call say,COUNT,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(ACCURACY_COUNT) $(ACCURACY_SHORT) $(PROFILED_B)/root/bin/kernels-O2 $(@:.txt=.counts) $(THESIS_IMAGES) </dev/null >$(@:.txt=.console)
	$(Q)$(B)/bin/soc-model --isa rv64gc $(ACCURACY_SHORT) --trace - $(THESIS_IMAGES) </dev/null 2>$(@:.txt=.log) | \
		$(B)/bin/tr-match --bins $(PROFILED_B)/kernels-O2-normal-1.lst - 2>>$(@:.txt=.log) | $(B)/bin/tr-unwind 2>>$(@:.txt=.log) | \
		$(B)/bin/tr-report functions --unit instructions --format csv -o $(@:.txt=.csv) -
	$(Q)awk -v binary=kernels-O2 -f $< <($(B)/bin/prof-extract --list $(PROFILED_B)/root/bin/kernels-O2) $(@:.txt=.counts) $(@:.txt=.csv) >$@

$(B)/thesis/5.4.txt: pipelines/thesis-5.4.awk $(patsubst %,$(ACCURACY_OUT)/%.rows,$(ACCURACY_RUNS) $(ACCURACY_GPROF)) $(ACCURACY_OUT)/same.txt
	$(Q)awk -f $(filter-out %.txt,$^) >$@ || { cat $@; rm $@; exit 1; }
	$(Q){ echo; cat $(filter %.txt,$^); } >>$@

.PHONY: thesis-5.4
thesis-5.4: linux-prof $(ACCURACY_COUNT) $(B)/bin/prof-extract
thesis-5.4: ## Table 5.4 of the thesis: how right the samples are
	@$(MAKE) -s --no-print-directory $(B)/thesis/5.4.txt
	@cat $(B)/thesis/5.4.txt

.SECONDARY: $(foreach r,$(ACCURACY_RUNS) $(ACCURACY_GPROF),$(addprefix $(ACCURACY_OUT)/$(r).,console rows))
