# SPDX-License-Identifier: Apache-2.0
# Who runs according to the stock probes: compared with the machine's memory at the points of
# `make truth-linux`, and with the target's own ps, of which the console has the output.

TASKS := $(B)/truth/tasks
LINUX_PROBES := filters/lib/probe/linux.probes
# Where the kernel begins a line of /proc/PID/stat.
TASKS_STAT := stat: vmlinux:proc_tgid_stat { reader = current->pid; pid = arg3->pid; \
	ppid = arg3->real_parent->tgid; comm = arg3->comm; state = arg3->(__state|state); exit = arg3->exit_state; }

# $(call truth_tasks,KERNEL,IMAGES,LIST,NEEDS): target truth-tasks-KERNEL. IMAGES has the
# operands of the simulators but the scenario, which is an image with the programs;
# LIST is that of truth; NEEDS makes the kernel. Other comparisons have wrong parents now and
# then, or lack a kind of probe, which must be detected.
define truth_tasks
$(TASKS)/$(1).tr: $(B)/bin/soc-model $(2) $(LINUX_B)/truth.elf
	$$(call say,TRACE,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(B)/bin/soc-model --ram 64M --trace $$@ $(2) $(LINUX_B)/truth.elf </dev/null >$$(@:.tr=-console.txt)
$(TASKS)/$(1)-ps.tr: $(B)/bin/soc-sim $(2) $(LINUX_B)/ps.elf
	$$(call say,TRACE,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(B)/bin/soc-sim --ram 64M --trace $$@ $(2) $(LINUX_B)/ps.elf </dev/null >$$(@:.tr=.txt)
$(TASKS)/$(1)-ps-probes.txt: $(TASKS)/$(1)-ps.tr $(B)/bin/tr-replay $(LINUX_PROBES) tests/truth/tasks.mk
	$(Q)$(B)/bin/tr-replay --probes $(LINUX_PROBES) --probe '$$(TASKS_STAT)' -o $$@ $$< $(2) $(LINUX_B)/ps.elf 2>$$(@:.txt=.log)
.PHONY: truth-tasks-$(1)
truth-tasks-$(1): $(4) $(B)/truth/compare-tasks
	$(Q)$$(MAKE) -s --no-print-directory $(TASKS)/$(1).tr $(TASKS)/$(1)-ps-probes.txt
	$(Q)$(B)/truth/compare-tasks --ram 64M $(3) $(TASKS)/$(1).tr $(2) $(LINUX_B)/truth.elf | sed 's/^/$(1): /'
	$(Q)status=0; $(B)/truth/compare-tasks --break --ram 64M $(3) $(TASKS)/$(1).tr $(2) $(LINUX_B)/truth.elf \
		>$(TASKS)/$(1)-broken.txt 2>&1 || status=$$$$?; \
	[ $$$$status = 1 ] || { echo 'tasks: did not see wrong parents'; exit 1; }
	$(Q)awk -f tests/truth/ps.awk $(TASKS)/$(1)-ps.txt $(TASKS)/$(1)-ps-probes.txt | sed 's/^/$(1): /'
	$(Q)for kind in fork exec comm exit switch; do status=0; \
		grep -v " $$$$kind " $(TASKS)/$(1)-ps-probes.txt | awk -f tests/truth/ps.awk $(TASKS)/$(1)-ps.txt - \
			>$(TASKS)/$(1)-ps-broken.txt 2>&1 || status=$$$$?; \
		[ $$$$status = 1 ] || { echo "ps: did not see that $$$$kind was left out"; exit 1; }; done
endef
$(eval $(call truth_tasks,6.1,$(TARGET_B)/firmware.elf $(LINUX_B)/vmlinux,$(LINUX_B)/truth.lst,linux))
$(eval $(call truth_tasks,5.10,$(TARGET_B)/firmware.elf $(NET_B)-5.10/vmlinux,$(TASKS)/5.10.lst,linux-net $(TASKS)/5.10.lst))

$(TASKS)/5.10.lst: tests/truth/tasks.mk
	$(Q)mkdir -p $(@D); printf '%s\n' '../../target/firmware.elf firmware' '../../../$(NET_B)-5.10/vmlinux kernel' >$@

.PHONY: truth-tasks
truth-tasks: truth-tasks-6.1 ## Compare what probes say of processes with the machine's memory and with the target's own ps
