# SPDX-License-Identifier: Apache-2.0
# `make thesis-5.3`: table 5.3 of the thesis on the run-time profiler, its overhead when it samples
# and its daemon writes the log, without counting calls (`make linux-daemon`). gprof's own sampling, in
# its run of table 5.1, is in OProfile's place. The runs of tables 5.5 and 5.6 are made here as well;
# all of them are in build/thesis/daemon/, as PROGRAM-MODE-HARTS.

THESIS_DAEMON := $(THESIS)/daemon
THESIS_DAEMON_IMAGES_1 := $(FW) $(PROFILED_B)/kernel/vmlinux
THESIS_DAEMON_IMAGES_2 := $(TARGET_B)/firmware-smp.elf $(PROFILED_B)/kernel-smp/vmlinux
THESIS_TOGETHER := base all-process all-global
THESIS_DAEMON_RUNS := $(foreach p,$(PROFILED_MEASURED),$(DAEMON_MODES:%=$(p)-%-1)) \
	$(foreach m,$(THESIS_TOGETHER),$(PROFILED_HARTS:%=together-$(m)-%))
# What the awk programs of the tables share.
THESIS_DAEMON_AWK := pipelines/thesis-change.awk pipelines/thesis-daemon.awk
thesis_daemon_awk = awk -v times=$(DAEMON_TIMES) $(patsubst %,-f %,$(filter %.awk,$(1))) $(filter-out %.awk,$(1))

.PHONY: thesis-5.3
thesis-5.3: linux-daemon $(THESIS_TOOLS) $(B)/bin/tr-fold
thesis-5.3: ## Table 5.3 of the thesis: what the sampler and the daemon cost
	@$(MAKE) -s --no-print-directory $(THESIS)/5.3.txt
	@cat $(THESIS)/5.3.txt

# $(call thesis_daemon_run,PROGRAM,MODE,HARTS)
define thesis_daemon_run
$(THESIS_DAEMON)/$(1)-$(2)-$(3).tr: $(THESIS_DAEMON_IMAGES_$(3)) $(PROFILED_B)/$(1)-$(2)-$(3).dtb $(PROFILED_B)/$(1)-daemon.cpio \
		$(addprefix $(B)/bin/,soc-sim tr-capture)
	$$(call say,RUN,daemon/$(1)-$(2)-$(3))
	$(Q)mkdir -p $$(@D)
	$(Q)$(B)/bin/tr-capture -o $$@ -- $(B)/bin/soc-sim --isa rv64gc --harts $(3) --ram 64M --dtb $(PROFILED_B)/$(1)-$(2)-$(3).dtb \
		--initrd $(PROFILED_B)/$(1)-daemon.cpio $(THESIS_DAEMON_IMAGES_$(3)) </dev/null >$$(@:.tr=.console)
	$(Q)$$(call prof_truth_result,$(1),$$(@:.tr=.console))
	$(Q)! grep prof-daemon $$(@:.tr=.console) >&2
$(THESIS_DAEMON)/$(1)-$(2)-$(3).stacks.tr: $(THESIS_DAEMON)/$(1)-$(2)-$(3).tr $(PROFILED_B)/$(1)-$(2)-$(3).lst $(addprefix $(B)/bin/,tr-match tr-unwind)
	$$(call say,STACKS,daemon/$(1)-$(2)-$(3))
	$(Q)$(B)/bin/tr-match --bins $(PROFILED_B)/$(1)-$(2)-$(3).lst $$< 2>$$(@:.stacks.tr=.log) | $(B)/bin/tr-unwind -o $$@ 2>>$$(@:.stacks.tr=.log)
$(THESIS_DAEMON)/$(1)-$(2)-$(3).diff: $(THESIS_DAEMON)/$(1)-base-$(3).stacks.tr $(THESIS_DAEMON)/$(1)-$(2)-$(3).stacks.tr $(B)/bin/tr-diff
	$(Q)$(B)/bin/tr-diff --tma $(THESIS_WINDOW) --format csv -o $$@ $$(wordlist 1,2,$$^) || [ $$$$? = 1 ]
endef
$(foreach p,$(PROFILED_MEASURED),$(foreach m,$(DAEMON_MODES),$(eval $(call thesis_daemon_run,$(p),$(m),1))))
$(foreach m,$(THESIS_TOGETHER),$(foreach h,$(PROFILED_HARTS),$(eval $(call thesis_daemon_run,together,$(m),$(h)))))

$(THESIS)/5.3.txt: $(THESIS_DAEMON_AWK) pipelines/thesis-5.3.awk \
		$(foreach p,$(PROFILED_MEASURED),$(addprefix $(THESIS_DAEMON)/$(p)-,sampled-process-1.diff sampled-global-1.diff \
		base-1.functions ticked-1.functions sampled-process-1.functions sampled-global-1.functions) \
		$(addprefix $(THESIS)/,$(p)-normal.functions $(p)-gprof.functions functions/$(p).csv))
	$(Q)$(call thesis_daemon_awk,$^) >$@ || { cat $@; exit 1; }
.SECONDARY: $(foreach r,$(THESIS_DAEMON_RUNS),$(addprefix $(THESIS_DAEMON)/$(r).,tr stacks.tr diff functions folded svg))
