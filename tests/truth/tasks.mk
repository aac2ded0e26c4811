# SPDX-License-Identifier: Apache-2.0
# Who runs according to the stock probes: compared with the machine's memory at the points of
# `make truth-linux`, and with the target's own ps, of which the console has the output; and
# whether tr-unwind names threads by them.

TASKS := $(B)/truth/tasks
# Where the kernel begins a line of /proc/PID/stat.
TASKS_STAT := stat: vmlinux:proc_tgid_stat { reader = current->pid; pid = arg3->pid; \
	ppid = arg3->real_parent->tgid; comm = arg3->comm; state = arg3->(__state|state); exit = arg3->exit_state; }

# Of each kernel: what makes it; its ELF file; the RAM and the operands of the simulators but
# the scenario; those of a scenario, truth or ps; and the simulator of ps: Debian's kernel
# boots for 900 M instructions.
TASKS_NEEDS_6.1 := linux
TASKS_VMLINUX_6.1 := $(LINUX_B)/vmlinux
TASKS_RAM_6.1 := 64M
TASKS_IMAGES_6.1 := $(FW) $(LINUX_B)/vmlinux
tasks_scenario_6.1 = $(LINUX_B)/$(1).elf
TASKS_NEEDS_5.10 := linux $(NET_B)-5.10/vmlinux
TASKS_VMLINUX_5.10 := $(NET_B)-5.10/vmlinux
TASKS_RAM_5.10 := 64M
TASKS_IMAGES_5.10 := $(FW) $(NET_B)-5.10/vmlinux
tasks_scenario_5.10 = $(LINUX_B)/$(1).elf
TASKS_NEEDS_debian := linux
TASKS_VMLINUX_debian := $(DEBIAN)/vmlinux
TASKS_RAM_debian := 256M
TASKS_IMAGES_debian := $(FW) $(DEBIAN)/Image@0x80200000 --dtb $(TASKS)/debian.dtb
tasks_scenario_debian = --initrd $(LINUX_B)/obj/$(1).cpio
TASKS_PS_6.1 := soc-sim
TASKS_PS_5.10 := soc-sim
TASKS_PS_debian := soc-model

$(TASKS)/debian.dtb: $(TARGET)/debian/soc.dts sim/soc.h tests/truth/tasks.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CPP) -DBOOTARGS='"console=ttyS0 quiet panic=-1 -- /script"' $< | dtc -q -O dtb -o $@
$(TASKS)/debian.tr $(TASKS)/debian-ps.tr: $(TASKS)/debian.dtb $(DEBIAN)/Image
$(TASKS)/debian-probes.txt: $(DEBIAN)/vmlinux

# $(call truth_tasks,KERNEL): target truth-tasks-KERNEL. Other comparisons have wrong parents
# now and then, or lack a kind of probe, which must be detected. The probes find the kernel
# in the stream of tr-match, since an Image has no names.
define truth_tasks
$(TASKS)/$(1).lst: tests/truth/tasks.mk
	$(Q)mkdir -p $$(@D); printf '%s\n' '$(CURDIR)/$(FW) firmware' '$(CURDIR)/$(TASKS_VMLINUX_$(1)) kernel' >$$@
$(TASKS)/$(1).tr: $(B)/bin/soc-model $(FW) $(TASKS_VMLINUX_$(1)) $(LINUX_B)/truth.elf
	$$(call say,TRACE,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$$< --ram $(TASKS_RAM_$(1)) --trace $$@ $(TASKS_IMAGES_$(1)) $(call tasks_scenario_$(1),truth) </dev/null >$$(@:.tr=-console.txt)
$(TASKS)/$(1)-ps.tr: $(B)/bin/$(TASKS_PS_$(1)) $(FW) $(TASKS_VMLINUX_$(1)) $(LINUX_B)/ps.elf
	$$(call say,TRACE,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$$< --ram $(TASKS_RAM_$(1)) --trace $$@ $(TASKS_IMAGES_$(1)) $(call tasks_scenario_$(1),ps) </dev/null >$$(@:.tr=.txt)
$(TASKS)/$(1)-probes.txt: $(TASKS)/$(1)-ps.tr $(TASKS)/$(1).lst $(addprefix $(B)/bin/,tr-match tr-replay) $(LINUX_PROBES)
	$$(call say,PROBES,$$@)
	$(Q)$(B)/bin/tr-match --bins $(TASKS)/$(1).lst $$< 2>$$(@:.txt=.log) | $(B)/bin/tr-replay --probes $(LINUX_PROBES) \
		--probe '$$(TASKS_STAT)' -o $$@ - $(TASKS_IMAGES_$(1)) $(call tasks_scenario_$(1),ps) 2>>$$(@:.txt=.log)
$(TASKS)/$(1)-threads.txt: $(TASKS)/$(1)-ps.tr $(TASKS)/$(1).lst $(addprefix $(B)/bin/,tr-match tr-replay tr-unwind tr-fold) $(LINUX_PROBES)
	$$(call say,NAMES,$$@)
	$(Q)$(B)/bin/tr-match --bins $(TASKS)/$(1).lst $$< 2>$$(@:.txt=.log) | $(B)/bin/tr-replay --stream --probes $(LINUX_PROBES) \
		- $(TASKS_IMAGES_$(1)) $(call tasks_scenario_$(1),ps) 2>>$$(@:.txt=.log) | $(B)/bin/tr-unwind 2>>$$(@:.txt=.log) | \
		$(B)/bin/tr-fold --by thread -o $$@ 2>>$$(@:.txt=.log)
.PHONY: truth-tasks-$(1)
truth-tasks-$(1): $(TASKS_NEEDS_$(1)) $(B)/truth/compare-tasks
	$(Q)$$(MAKE) -s --no-print-directory $(TASKS)/$(1).tr $(TASKS)/$(1)-probes.txt $(TASKS)/$(1)-threads.txt
	$(Q)$$(call tasks_compare,$(1)) | sed 's/^/$(1): /'
	$(Q)status=0; $$(call tasks_compare,$(1),--break) >$(TASKS)/$(1)-broken.txt 2>&1 || status=$$$$?; \
	[ $$$$status = 1 ] || { echo 'tasks: did not see wrong parents'; exit 1; }
	$(Q)awk -f tests/truth/ps.awk $(TASKS)/$(1)-ps.txt $(TASKS)/$(1)-probes.txt | sed 's/^/$(1): /'
	$(Q)awk -f tests/truth/task-names.awk $(TASKS)/$(1)-threads.txt $(TASKS)/$(1)-probes.txt | sed 's/^/$(1): /'
	$(Q)status=0; grep -v ' comm ' $(TASKS)/$(1)-probes.txt | awk -f tests/truth/task-names.awk $(TASKS)/$(1)-threads.txt - \
		>$(TASKS)/$(1)-broken.txt 2>&1 || status=$$$$?; \
	[ $$$$status = 1 ] || { echo 'names: did not see that comm was left out'; exit 1; }
	$(Q)for kind in fork exec comm exit switch wakeup; do status=0; \
		grep -v " $$$$kind " $(TASKS)/$(1)-probes.txt | awk -f tests/truth/ps.awk $(TASKS)/$(1)-ps.txt - \
			>$(TASKS)/$(1)-broken.txt 2>&1 || status=$$$$?; \
		[ $$$$status = 1 ] || { echo "ps: did not see that $$$$kind was left out"; exit 1; }; done
endef
tasks_compare = $(B)/truth/compare-tasks $(2) --ram $(TASKS_RAM_$(1)) $(TASKS)/$(1).lst $(TASKS)/$(1).tr $(TASKS_IMAGES_$(1)) $(call tasks_scenario_$(1),truth)
$(foreach k,6.1 5.10 debian,$(eval $(call truth_tasks,$(k))))

.PHONY: truth-tasks
truth-tasks: truth-tasks-6.1 ## Compare processes by probes with memory and ps (truth-tasks-5.10)
truth-tasks-debian: ## The same on Debian's kernel
