# SPDX-License-Identifier: Apache-2.0
# `make sample-check`: programs of 300 M instructions and more, each run whole on the hardware and
# sampled (tr-sample(1)), and a table of the errors of the sampled runs. `make sample-seeds`: how
# often the errors at 95 % that a sampled run states hold, over 100 seeds. Whole runs are kept:
# they take a minute for each 200 M cycles.
#
# Results are in build/sample/: RUN/whole.functions.csv and whole.classes.csv of the whole run,
# RUN/SEED.* of a sampled one.

SAMPLE := build/sample
SAMPLE_RUNS := demo linux busybox mix tree lz kernels
SAMPLE_SEED := 1
# Of sample-seeds; the run is none that sampling was adjusted with.
SAMPLE_SEEDS_RUN := busybox
SAMPLE_SEEDS := $(shell seq 101 200)
SAMPLE_OPTIONS :=

# The simulator of each run, what it runs, and its binaries.
sample_sim = $(B)/bin/$(if $(filter kernels,$(1)),soc-sim-ooo,soc-sim)
SAMPLE_LINUX = --ram 64M --dtb $(SAMPLE)/$(1).dtb --initrd $(SAMPLE)/linux.cpio $(FW) $(LINUX_B)/vmlinux
SAMPLE_COMMAND_demo := $(FW) $(SAMPLE)/demo.elf
SAMPLE_COMMAND_linux := $(call SAMPLE_LINUX,linux)
SAMPLE_COMMAND_busybox := $(call SAMPLE_LINUX,busybox)
$(foreach p,$(SAMPLED),$(eval SAMPLE_COMMAND_$(p) := $(SAMPLED_B)/$(p).elf))
SAMPLE_INPUTS_linux := $(SAMPLE)/linux.dtb $(SAMPLE)/linux.cpio
SAMPLE_INPUTS_busybox := $(SAMPLE)/busybox.dtb $(SAMPLE)/linux.cpio
SAMPLE_BINS_demo := $(BINS)
SAMPLE_BINS_linux := $(SAMPLE)/linux.lst
SAMPLE_BINS_busybox := $(SAMPLE)/linux.lst
$(foreach p,$(SAMPLED),$(eval SAMPLE_BINS_$(p) := $(SAMPLED_B)/$(p).lst))
# The files that make builds; make linux builds Linux.
sample_inputs = $(SAMPLE_INPUTS_$(1)) $(if $(SAMPLE_INPUTS_$(1)),,$(SAMPLE_COMMAND_$(1))) $(SAMPLE_BINS_$(1))
SAMPLE_FILTERS := $(addprefix $(B)/bin/,tr-capture tr-sample tr-match tr-unwind tr-report)

.PHONY: sample-check sample-seeds sample-needs
sample-needs: linux target $(B)/bin/soc-sim $(SAMPLE_FILTERS)
sample-check: sample-needs $(if $(filter kernels,$(SAMPLE_RUNS)),$(B)/bin/soc-sim-ooo)
sample-check: ## Sampled runs beside whole ones: a table of their errors (an hour)
	@$(MAKE) --no-print-directory $(SAMPLE_RUNS:%=$(SAMPLE)/%/$(SAMPLE_SEED).txt)
	@echo; cat $(SAMPLE_RUNS:%=$(SAMPLE)/%/$(SAMPLE_SEED).txt) | awk -f pipelines/sample-table.awk
sample-seeds: sample-needs
sample-seeds: ## How often the errors hold that sampled runs state, over 100 seeds (hours)
	@$(MAKE) --no-print-directory $(SAMPLE_SEEDS:%=$(SAMPLE)/$(SAMPLE_SEEDS_RUN)/%.txt)
	@cat $(SAMPLE_SEEDS:%=$(SAMPLE)/$(SAMPLE_SEEDS_RUN)/%.txt) | awk -f pipelines/sample-seeds.awk

# The demo, eight times.
$(SAMPLE)/demo.script: $(TARGET)/scenarios/demo.script pipelines/sample.mk
	$(Q)mkdir -p $(@D); for i in 1 2 3 4 5 6 7 8; do sed '/^#/d' $<; done > $@
$(SAMPLE)/demo.elf: $(SAMPLE)/demo.script $(TARGET_B)/supervisor.elf
	$(call say,SCRIPT,$@)
	$(Q)$(call set_script,$(SAMPLE)/demo.script)

# Linux, with addresses that are not random: model and hardware would not have the same.
SAMPLE_SCRIPT_linux := 4
SAMPLE_SCRIPT_busybox := 10 sh /busybox.sh
$(SAMPLE)/linux.cpio: $(LINUX)/initramfs.sh $(addprefix $(LINUX_B)/stripped/,init busybox hello_world) \
		$(addprefix $(LINUX)/scenarios/,sampled.sh busybox.sh)
	$(call say,CPIO,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$< $(KERNEL)/usr/gen_init_cpio $(filter $(LINUX_B)/% %/sampled.sh,$^) /busybox.sh=$(LINUX)/scenarios/busybox.sh > $@
$(SAMPLE)/linux.dtb $(SAMPLE)/busybox.dtb: $(SAMPLE)/%.dtb: $(LINUX)/soc.dts $(LINUX)/layout.h sim/soc.h pipelines/sample.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CPP) -DISA='"rv64imac"' -DBOOTARGS='"quiet norandmaps console=hvc0 -- /script $(SAMPLE_SCRIPT_$*)"' $< | \
		dtc -q -O dtb -o $@
$(SAMPLE)/linux.lst: pipelines/sample.mk
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' '../target/firmware.elf firmware' '../linux/vmlinux kernel' \
		$(foreach p,vdso.so.dbg init busybox hello_world,'../linux/$(p) user') > $@

# $(call sample_run,RUN)
define sample_run
$(SAMPLE)/$(1)/whole.tr $(SAMPLE)/$(1)/whole.seconds &: $(call sample_inputs,$(1)) $(call sample_sim,$(1)) $(B)/bin/tr-capture
	$$(call say,RUN,$$(@D)/whole.tr)
	$(Q)mkdir -p $$(@D)
	$(Q)TIMEFORMAT='%R %U %S'; { time $(B)/bin/tr-capture -o $$(@D)/whole.tr -- $(call sample_sim,$(1)) $(SAMPLE_COMMAND_$(1)) \
		< /dev/null > $$(@D)/whole.console 2> $$(@D)/whole.log; } 2> $$(@D)/whole.seconds || { cat $$(@D)/whole.log >&2; exit 1; }
$(SAMPLE)/$(1)/%.tr $(SAMPLE)/$(1)/%.seconds &: $(call sample_inputs,$(1)) $(call sample_sim,$(1)) $(B)/bin/tr-capture $(B)/bin/tr-sample
	$$(call say,SAMPLE,$$(@D)/$$*.tr)
	$(Q)mkdir -p $$(@D)
	$(Q)TIMEFORMAT='%R %U %S'; { time $(B)/bin/tr-sample -j 2 --seed $$* $(SAMPLE_OPTIONS) -o $$(@D)/$$*.tr -- \
		$(call sample_sim,$(1)) $(SAMPLE_COMMAND_$(1)) < /dev/null > $$(@D)/$$*.console 2> $$(@D)/$$*.log; } \
		2> $$(@D)/$$*.seconds || { cat $$(@D)/$$*.log >&2; exit 1; }
$(SAMPLE)/$(1)/%.functions.csv $(SAMPLE)/$(1)/%.classes.csv &: $(SAMPLE)/$(1)/%.tr $(addprefix $(B)/bin/,tr-match tr-unwind tr-report)
	$$(call say,REPORT,$$(@D)/$$*.functions.csv)
	$(Q)$(B)/bin/tr-match --bins $(SAMPLE_BINS_$(1)) $$< | $(B)/bin/tr-unwind -o $$(@D)/$$*.stacks.tr
	$(Q)$(B)/bin/tr-report functions --idle --format csv -o $$(@D)/$$*.functions.csv $$(@D)/$$*.stacks.tr
	$(Q)$(B)/bin/tr-report classes --format csv -o $$(@D)/$$*.classes.csv $$(@D)/$$*.stacks.tr
	$(Q)rm $$(@D)/$$*.stacks.tr
$(SAMPLE)/$(1)/%.txt: $(foreach f,functions classes,$(SAMPLE)/$(1)/whole.$(f).csv $(SAMPLE)/$(1)/%.$(f).csv) pipelines/sample.awk
	$(Q)awk -v run=$(1) -f pipelines/sample.awk $(foreach f,whole $$*,$(SAMPLE)/$(1)/$(f).functions.csv $(SAMPLE)/$(1)/$(f).classes.csv) > $$@
.PRECIOUS: $(SAMPLE)/$(1)/%.tr $(SAMPLE)/$(1)/%.functions.csv $(SAMPLE)/$(1)/%.classes.csv
endef
$(foreach r,demo linux busybox $(SAMPLED),$(eval $(call sample_run,$(r))))
