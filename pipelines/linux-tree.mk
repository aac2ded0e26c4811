# SPDX-License-Identifier: Apache-2.0
# The processes of the BusyBox run on the hardware, from probes on its replay: their tree over
# time (full-stack paper, figure 5), with true parents; who woke whom, and how long that one
# then waited, and on which stacks. Results are in build/linux-demo/busybox/.

LINUX_TABLES := wakeups processes syscalls runqueue locks faults interrupts softirqs masked
LINUX_TREE := $(addprefix $(LINUX_DEMO)/busybox/,tree.svg waits.svg tree.perfetto $(LINUX_TABLES:%=%.txt))

.PHONY: linux-tree
linux-tree: linux $(SIMULATOR_BIN) $(FILTERS:%=$(B)/bin/%) ## BusyBox's processes on Linux: tree over time, system calls, wake-ups
	@$(MAKE) --no-print-directory $(LINUX_TREE)
	@tail -n +1 $(filter %.txt,$(LINUX_TREE)); printf 'open %s and %s, and %s in the viewer of Perfetto\n' $(filter-out %.txt,$(LINUX_TREE))

$(LINUX_DEMO)/%/tree.svg: $(LINUX_DEMO)/%/run.stacks.tr $(B)/bin/tr-timeline
	$(call say,TREE,$@)
	$(Q)$(B)/bin/tr-timeline --quiet --format svg --title 'Linux, $*: processes' -o $@ $<
$(LINUX_DEMO)/%/tree.perfetto: $(LINUX_DEMO)/%/run.stacks.tr $(B)/bin/tr-timeline
	$(call say,TREE,$@)
	$(Q)$(B)/bin/tr-timeline --quiet -o $@ $<
$(LINUX_DEMO)/%/waits.svg: $(LINUX_DEMO)/%/run.stacks.tr $(B)/bin/tr-fold
	$(call say,WAITS,$@)
	$(Q)$(B)/bin/tr-fold --off-cpu --by thread --title 'Linux, $*: waits' --svg $@ -o $(@:.svg=.folded) $<
define linux_tasks
$(LINUX_DEMO)/%/$(1).txt: $(LINUX_DEMO)/%/run.stacks.tr $(B)/bin/tr-timeline
	$$(call say,TREE,$$@)
	$(Q)$(B)/bin/tr-timeline --table $(1) -o $$@ $$<
endef
$(foreach t,$(LINUX_TABLES),$(eval $(call linux_tasks,$(t))))
