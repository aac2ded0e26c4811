# SPDX-License-Identifier: Apache-2.0
# The processes of the BusyBox run on the hardware, from probes on its replay: their tree over
# time (full-stack paper, figure 5), with true parents; who woke whom, and how long that one
# then waited. Results are in build/linux-demo/busybox/.

LINUX_TREE := $(addprefix $(LINUX_DEMO)/busybox/,tree.svg tree.perfetto wakeups.txt processes.txt)
LINUX_PROBES := filters/lib/probe/linux.probes

.PHONY: linux-tree
linux-tree: linux $(SIMULATOR_BIN) $(FILTERS:%=$(B)/bin/%) ## The processes of BusyBox on Linux: their tree over time, system calls, wake-ups
	@$(MAKE) --no-print-directory $(LINUX_TREE)
	@cat $(filter %.txt,$(LINUX_TREE)); printf 'open %s, and %s in the viewer of Perfetto\n' $(filter-out %.txt,$(LINUX_TREE))

$(LINUX_DEMO)/%/tree.stacks.tr: $(LINUX_DEMO)/%/run.tr $(LINUX_PROBES) $(B)/bin/tr-replay $(B)/bin/tr-match $(B)/bin/tr-unwind
	$(call say,PROBE,$@)
	$(Q)$(B)/bin/tr-replay --stream --probes $(LINUX_PROBES) $< $(FW) $(LINUX_B)/vmlinux $(call LINUX_IMAGE,$*).elf \
		2> $(@D)/replay.log | $(B)/bin/tr-match --bins $(call LINUX_IMAGE,$*).lst 2> $(@D)/tree.log | \
		$(B)/bin/tr-unwind -o $@ 2>> $(@D)/tree.log || { cat $(@D)/{replay,tree}.log >&2; exit 1; }
$(LINUX_DEMO)/%/tree.svg: $(LINUX_DEMO)/%/tree.stacks.tr $(B)/bin/tr-timeline
	$(call say,TREE,$@)
	$(Q)$(B)/bin/tr-timeline --quiet --format svg --title 'Linux, $*: processes' -o $@ $<
$(LINUX_DEMO)/%/tree.perfetto: $(LINUX_DEMO)/%/tree.stacks.tr $(B)/bin/tr-timeline
	$(call say,TREE,$@)
	$(Q)$(B)/bin/tr-timeline --quiet -o $@ $<
define linux_tasks
$(LINUX_DEMO)/%/$(1).txt: $(LINUX_DEMO)/%/tree.stacks.tr $(B)/bin/tr-timeline
	$$(call say,TREE,$$@)
	$(Q)$(B)/bin/tr-timeline --table $(1) -o $$@ $$<
endef
$(foreach t,wakeups processes,$(eval $(call linux_tasks,$(t))))
.SECONDARY: $(LINUX_RUNS:%=$(LINUX_DEMO)/%/tree.stacks.tr)
