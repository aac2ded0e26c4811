# SPDX-License-Identifier: Apache-2.0
# Tables of a run of Linux compared with what the program that ran says that it did, and with
# what the kernel counted: system calls, page faults, wake-ups, locks, interrupts. Of the model, or
# with CORE=ooo, or WAITS_ON=soc-sim, of the hardware.

WAITS_ON := $(if $(filter inorder,$(CORE)),soc-model,soc-sim)
WAITS := $(B)/truth/waits-$(WAITS_ON)
WAITS_TABLES := syscalls process-syscalls faults wakers wakeups runqueue locks interrupts softirqs
WAITS_RUN := $(FW) $(LINUX_B)/vmlinux --dtb $(WAITS)/waits.dtb --initrd $(WAITS)/waits.cpio

$(WAITS)/waits: tests/truth/waits/waits.c $(LINUX)/programs/check.h $(MUSL_READY)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)/stripped
	$(Q)$(MUSL_CC) $(LINUX_CFLAGS) $(TARGET_CFLAGS) -I$(LINUX)/programs -Wl,--fatal-warnings -o $@ $<
	$(Q)$(LINUX_CROSS)strip -o $(@D)/stripped/waits $@
$(WAITS)/waits.cpio: $(LINUX)/initramfs.sh $(WAITS)/waits $(LINUX_B)/stripped/init $(LINUX_B)/stripped/busybox
	$(Q)$(LINUX)/initramfs.sh $(KERNEL)/usr/gen_init_cpio $(LINUX_B)/stripped/init $(LINUX_B)/stripped/busybox \
		$(WAITS)/stripped/waits >$@
$(WAITS)/waits.dtb: $(LINUX)/soc.dts $(LINUX)/layout.h sim/soc.h tests/truth/waits.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CPP) -DISA='"rv64imac"' -DBOOTARGS='"quiet console=hvc0 -- /bin/waits"' $< | dtc -q -O dtb -o $@
$(WAITS)/waits.lst: tests/truth/waits.mk
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' '$(CURDIR)/$(FW) firmware' '$(CURDIR)/$(LINUX_B)/vmlinux kernel' '$(CURDIR)/$(LINUX_B)/init user' 'waits user' >$@
$(WAITS)/waits.stacks.tr: $(addprefix $(B)/bin/,$(WAITS_ON) tr-match tr-replay tr-unwind) $(FW) $(LINUX_B)/vmlinux $(LINUX_PROBES) \
		$(addprefix $(WAITS)/waits,.dtb .cpio .lst)
	$(call say,TRACE,$@)
	$(Q)$(B)/bin/$(WAITS_ON) --ram 64M --trace $(WAITS)/waits.tr $(WAITS_RUN) </dev/null >$(WAITS)/console.txt
	$(Q)$(B)/bin/tr-match --bins $(WAITS)/waits.lst $(WAITS)/waits.tr 2>$(WAITS)/waits.log | $(B)/bin/tr-replay --stream \
		--probes $(LINUX_PROBES) - $(WAITS_RUN) 2>>$(WAITS)/waits.log | $(B)/bin/tr-unwind -o $@ 2>>$(WAITS)/waits.log
# The kernel shows its own counts in the middle of the run.
WAITS_TO_interrupts := --to show_interrupts
WAITS_TO_softirqs := --to show_softirqs
$(WAITS)/%.csv: $(WAITS)/waits.stacks.tr $(B)/bin/tr-timeline
	$(Q)$(B)/bin/tr-timeline --table $* $(WAITS_TO_$*) --format csv -o $@ $<

# One event more in a table must be detected.
.PHONY: truth-waits
truth-waits: linux $(FW) $(addprefix $(B)/bin/,$(WAITS_ON) tr-match tr-replay tr-unwind tr-timeline)
truth-waits: ## Compare tables of tr-timeline with counts on Linux
	$(Q)$(MAKE) -s --no-print-directory $(WAITS_TABLES:%=$(WAITS)/%.csv)
	$(Q)awk -f tests/truth/waits.awk -v tables=$(WAITS) $(WAITS)/console.txt
	$(Q)for table in $(WAITS_TABLES); do status=0; cp -r $(WAITS) $(WAITS)-broken; \
		awk -F, -v OFS=, 'NR > 1 { $$1++ } { print }' $(WAITS)/$$table.csv >$(WAITS)-broken/$$table.csv; \
		awk -f tests/truth/waits.awk -v tables=$(WAITS)-broken $(WAITS)/console.txt >$(WAITS)/broken.txt || status=$$?; \
		rm -r $(WAITS)-broken; \
		[ $$status = 1 ] || { echo "waits: did not see that $$table has one event more"; exit 1; }; done
