# SPDX-License-Identifier: Apache-2.0
# Linux: its stacks, tasks and address spaces compared with the machine's own, and the
# hardware in lockstep with the model. Not part of the everyday tests, because they need a
# kernel.

TRUTH_LINUX_RUN := $(TARGET_B)/firmware.elf $(LINUX_B)/vmlinux $(LINUX_B)/truth.elf
TRUTH_LINUX_ARGS := --ram 64M $(LINUX_B)/truth.lst $(B)/truth/linux-stacks.tr $(TRUTH_LINUX_RUN)
TRUTH_LINUX_BINS := vdso.so.dbg init $(LINUX_FILES_truth)

$(B)/truth/linux-stacks.tr: $(addprefix $(B)/bin/,soc-model tr-match tr-unwind) $(TRUTH_LINUX_RUN) \
		$(TRUTH_LINUX_BINS:%=$(LINUX_B)/%) $(LINUX_B)/truth.lst
	$(call say,TRACE,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(B)/bin/soc-model --ram 64M --trace - $(TRUTH_LINUX_RUN) </dev/null 2>$(@D)/linux-console.txt \
		| $(B)/bin/tr-match --bins $(LINUX_B)/truth.lst | $(B)/bin/tr-unwind -o $@

# The run of the hardware is in truth.mk.
TRUTH_LINUX_HARDWARE := $(B)/truth/linux-hardware

.PHONY: truth-linux truth-linux-model truth-linux-hardware
truth-linux: truth-linux-hardware ## Compare call stacks on Linux with the machine's own (CORE=ooo)
ifeq ($(CORE),inorder)
truth-linux: truth-linux-model
endif
truth-linux-model: linux $(B)/truth/truth
	$(Q)$(MAKE) -s --no-print-directory $(B)/truth/linux-stacks.tr
	$(call truth_compare,--linux $(TRUTH_LINUX_ARGS),linux-)
truth-linux-hardware: linux $(B)/truth/truth
	$(Q)$(MAKE) -s --no-print-directory $(TRUTH_LINUX_HARDWARE)-stacks.tr
	$(call truth_compare,--linux --follow $(TRUTH_LINUX_HARDWARE).tr --ram 64M $(LINUX_B)/truth.lst $(TRUTH_LINUX_HARDWARE)-stacks.tr $(TRUTH_LINUX_RUN),linux-hardware-)

# Reset to power-off: the boot, to a shell that is told to exit, BusyBox, all of our programs, iperf3.
LOCKSTEP_LINUX := shell busybox truth iperf3
.PHONY: lockstep-linux
lockstep-linux: linux $(B)/bin/soc-sim
lockstep-linux: ## Run Linux on the hardware and the model in lockstep
	$(Q)mkdir -p $(B)/truth
	$(Q)for s in $(LOCKSTEP_LINUX); do \
		echo exit | $(B)/bin/soc-sim --lockstep --ram 64M $(TARGET_B)/firmware.elf $(LINUX_B)/vmlinux \
			$(LINUX_B)/$$s.elf >$(B)/truth/lockstep-$$s.txt 2>&1 \
			|| { tail -n 20 $(B)/truth/lockstep-$$s.txt; exit 1; }; \
		echo "lockstep: $$s: no difference from reset to power-off"; done

# The same on two harts: iperf3 over loopback, also with the copy unit of each hart, and
# between two nodes of a network. Prints cycles and instructions of each machine.
LOCKSTEP_SMP := $(B)/truth/lockstep-smp
# $(call lockstep_smp,SCRIPT,STEP,OPTIONS[,KERNEL,RUN])
lockstep_smp = $(B)/bin/soc-sim --harts 2 --lockstep $(3) --ram 64M --dtb $(NET_B)/$(1)-$(2)-2.dtb \
	--initrd $(NET_B)/$(1).cpio --trace $(LOCKSTEP_SMP)-$(or $(5),$(1)).tr $(TARGET_B)/firmware-smp.elf \
	$(or $(4),$(NET_SMP_B))/vmlinux
.PHONY: lockstep-linux-smp
lockstep-linux-smp: linux-net-smp $(addprefix $(B)/bin/,soc-sim soc-net tr-info)
lockstep-linux-smp: ## Linux with iperf3 on two harts in lockstep, alone and as two nodes
	$(Q)mkdir -p $(B)/truth
	$(Q)$(call lockstep_smp,iperf3,base,--nic loopback) </dev/null >$(LOCKSTEP_SMP)-iperf3.txt 2>&1 \
		|| { tail -n 20 $(LOCKSTEP_SMP)-iperf3.txt; exit 1; }
	$(Q)$(call lockstep_smp,iperf3,base,--nic loopback --copy-unit,$(NET_B)-copy-smp,copies) </dev/null \
		>$(LOCKSTEP_SMP)-copies.txt 2>&1 || { tail -n 20 $(LOCKSTEP_SMP)-copies.txt; exit 1; }
	$(Q)$(B)/bin/soc-net -o $(LOCKSTEP_SMP)-node. -- $(call lockstep_smp,server,base,--nic wire) \
		-- $(call lockstep_smp,client,short,--nic wire) </dev/null || { tail -n 20 $(LOCKSTEP_SMP)-node.*; exit 1; }
	$(Q)for f in iperf3 copies node.1; do grep -q ' receiver' $(LOCKSTEP_SMP)-$$f.txt || { echo "$$f: no transfer" >&2; exit 1; }; done
	$(Q)for s in iperf3 copies server client; do $(B)/bin/tr-info $(LOCKSTEP_SMP)-$$s.tr | awk -v s=$$s ' \
		NF == 2 && !($$1 in is) { is[$$1] = $$2 } END { if (is["end"] != "power-off") exit 1; \
		print "lockstep: two harts, " s ": no difference from reset to power-off, " is["cycles"] " cycles, " \
			is["instructions"] " instructions" }' || exit 1; rm $(LOCKSTEP_SMP)-$$s.tr; done

# From checkpoints to power-off: at the start of programs, and in the middle of others.
RESUME_LINUX := hello:exec=$(LINUX_B)/hello_world busybox:exec=$(LINUX_B)/busybox busybox:cycle=12M \
	busybox:cycle=33M iperf3:exec=$(LINUX_B)/iperf3 truth:cycle=20M
.PHONY: resume-linux
resume-linux: linux $(B)/bin/soc-sim $(B)/bin/soc-model
resume-linux: ## Resume Linux from checkpoints, on hardware and model in lockstep
	$(Q)mkdir -p $(B)/truth
	$(Q)for r in $(RESUME_LINUX); do \
		$(B)/bin/soc-model --ram 64M --checkpoint $(B)/truth/resume.ck --checkpoint-at $${r#*:} \
			$(TARGET_B)/firmware.elf $(LINUX_B)/vmlinux $(LINUX_B)/$${r%%:*}.elf </dev/null >/dev/null; \
		$(B)/bin/soc-sim --lockstep --resume $(B)/truth/resume.ck </dev/null >$(B)/truth/resume.txt 2>&1 \
			&& tail -n 1 $(B)/truth/resume.txt | grep -q 'reboot: Power down' \
			|| { tail -n 20 $(B)/truth/resume.txt; exit 1; }; \
		at=$${r#*:}; echo "resume: $${r%%:*} at $${at##*/}: no difference to power-off"; done; \
	rm $(B)/truth/resume.ck

.PHONY: restore-linux
restore-linux: linux target $(addprefix $(B)/bin/,soc-model soc-restore soc-sim tr-text)
restore-linux: ## Run checkpoints of Linux as ELF files on model, hardware and QEMU
	$(Q)BIN=$(B)/bin tests/truth/restore.sh $(B)/truth/restore $(TARGET_B) $(LINUX_B)

# Stacks of addresses and cycles alone, compared with those of the model's full trace.
ADDRESSES := $(B)/truth/addresses
ADDRESSES_RUNS := truth busybox iperf3
ADDRESSES_MODEL := $(B)/bin/soc-model --ram 64M --trace - $(TARGET_B)/firmware.elf $(LINUX_B)/vmlinux

$(ADDRESSES)/%.txt: $(addprefix $(B)/bin/,soc-model tr-text tr-match tr-unwind) | linux
	$(call say,TRACE,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(ADDRESSES_MODEL) $(LINUX_B)/$*.elf </dev/null 2>$(@D)/$*-console.txt \
		| $(B)/bin/tr-match --bins $(LINUX_B)/$*.lst | $(B)/bin/tr-unwind | $(B)/bin/tr-text >$(@D)/$*-true.txt
	$(Q)$(ADDRESSES_MODEL) $(LINUX_B)/$*.elf </dev/null 2>$(@D)/$*-console.txt \
		| $(B)/bin/tr-text --tokens | awk -f tests/truth/addresses.awk | $(B)/bin/tr-text --encode \
		| $(B)/bin/tr-match --bins $(LINUX_B)/$*.lst 2>$(@D)/$*-match.txt \
		| $(B)/bin/tr-unwind 2>$(@D)/$*-unwind.txt | $(B)/bin/tr-text >$@

.PHONY: truth-addresses
truth-addresses: $(ADDRESSES_RUNS:%=$(ADDRESSES)/%.txt) ## Compare stacks of addresses alone with those of a full trace
	$(Q)for r in $(ADDRESSES_RUNS); do printf 'addresses alone: %s: ' $$r; \
		awk -f tests/truth/same-stacks.awk 90 $(ADDRESSES)/$$r-true.txt $(ADDRESSES)/$$r.txt || exit 1; done

# Calls of the kernel's functions compared with executions of their entries. One function
# calls a label of its own, to set stvec.
CALLS_LINUX := $(B)/truth/linux-calls

.PHONY: truth-calls
truth-calls: linux $(addprefix $(B)/bin/,soc-model tr-match tr-unwind tr-report tr-text) ## Compare the calls of Linux with the entries executed
	$(Q)mkdir -p $(CALLS_LINUX)
	$(Q)$(ADDRESSES_MODEL) $(LINUX_B)/busybox.elf </dev/null 2>$(CALLS_LINUX)/console.txt \
		| $(B)/bin/tr-match --bins $(LINUX_B)/busybox.lst -o $(CALLS_LINUX)/run.tr
	$(Q)$(B)/bin/tr-unwind $(CALLS_LINUX)/run.tr 2>$(CALLS_LINUX)/unwind.txt \
		| $(B)/bin/tr-report functions -o $(CALLS_LINUX)/table.txt
	$(Q)riscv64-unknown-elf-nm -nS $(LINUX_B)/vmlinux >$(CALLS_LINUX)/symbols.txt
	$(Q)$(B)/bin/tr-text --tokens $(CALLS_LINUX)/run.tr | awk -v binary=vmlinux -v priv=S \
		-v low=0000000080200000 -v high=ffffffff80000000 -v except=relocate_enable_mmu \
		-f tests/pipeline/calls.awk $(CALLS_LINUX)/symbols.txt $(CALLS_LINUX)/table.txt -
	$(Q)echo 'calls: those of Linux are the entries executed'

# The programs of the gallery, on the model.
GALLERY_TRUTH := $(B)/truth/gallery
GALLERY_TRUTH_RUN = --ram 64M --dtb $(GC_B)/$(1)-$(SEED).dtb --initrd $(GC_B)/$(1).cpio
GALLERY_TRUTH_IMAGES := $(TARGET_B)/firmware.elf $(GC_B)/vmlinux
GALLERY_TRUTH_ARGS = --gallery --float $(GALLERY_TRUTH_RUN) $(GC_B)/bins.lst \
	$(GALLERY_TRUTH)/$(1)-$(SEED).tr $(GALLERY_TRUTH_IMAGES)

.PHONY: truth-gallery $(GC_PROGRAMS:%=truth-gallery-%)
truth-gallery: $(GC_PROGRAMS:%=truth-gallery-%) ## Compare call stacks of each kind of program with the machine's own
define gallery_truth
$(GALLERY_TRUTH)/$(1)-$(SEED).tr: $(addprefix $(B)/bin/,soc-model tr-match tr-unwind) $(GALLERY_TRUTH_IMAGES) \
		$(addprefix $(GC_B)/,$(1)-$(SEED).dtb $(1).cpio bins.lst)
	$$(call say,TRACE,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(B)/bin/soc-model --isa rv64gc $(GALLERY_TRUTH_RUN) --trace - $(GALLERY_TRUTH_IMAGES) \
		</dev/null 2>$$(@D)/$(1)-$(SEED)-console.txt | $(B)/bin/tr-match --bins $(GC_B)/bins.lst | $(B)/bin/tr-unwind -o $$@
truth-gallery-$(1): linux-gc $(B)/truth/truth
	$(Q)$$(MAKE) -s --no-print-directory $(GALLERY_TRUTH)/$(1)-$(SEED).tr
	$(Q)status=0; $(B)/truth/truth $(GALLERY_TRUTH_ARGS) >$(GALLERY_TRUTH)/$(1)-$(SEED).txt || status=$$$$?; \
		sed -nE '/ (differ|excluded):|^truth/s/^/$(1): /p' $(GALLERY_TRUTH)/$(1)-$(SEED).txt; exit $$$$status
	$(Q)status=0; $(B)/truth/truth --break $(GALLERY_TRUTH_ARGS) >$(GALLERY_TRUTH)/$(1)-$(SEED)-broken.txt 2>&1 || status=$$$$?; \
		[ $$$$status = 1 ] || { echo 'truth: did not see frames that were left out'; exit 1; }
endef
$(foreach p,$(GC_PROGRAMS),$(eval $(call gallery_truth,$(p))))

# Linux on two harts, or HARTS, with threads that move between them, and iperf3.
TRUTH_SMP = $(B)/truth/linux-smp-$(1)-$(HARTS)
TRUTH_SMP_KIND_move := --linux
TRUTH_SMP_KIND_iperf3 := --gallery
TRUTH_SMP_ARGS = $(TRUTH_SMP_KIND_$(1)) $(wordlist 1,8,$(call SMP_RUN,$(1))) $(SMP_B)/$(1).lst $(TRUTH_SMP).tr $(SMP_IMAGES)

.PHONY: truth-linux-smp $(SMP_SCENARIOS:%=truth-linux-smp-%)
truth-linux-smp: $(SMP_SCENARIOS:%=truth-linux-smp-%) ## Compare call stacks on Linux on two harts (or HARTS)
define truth_smp
$(TRUTH_SMP).tr: $(addprefix $(B)/bin/,soc-model tr-match tr-unwind) $(SMP_IMAGES) \
		$(SMP_B)/$(1)-$(HARTS).dtb $(SMP_B)/$(1).cpio $(SMP_B)/$(1).lst
	$$(call say,TRACE,$$@)
	$(Q)mkdir -p $$(@D)
	$(Q)$(B)/bin/soc-model --trace - $(call SMP_RUN,$(1)) </dev/null 2>$(TRUTH_SMP)-console.txt \
		| $(B)/bin/tr-match --bins $(SMP_B)/$(1).lst | $(B)/bin/tr-unwind -o $$@
truth-linux-smp-$(1): linux-smp-build $(B)/truth/truth
	$(Q)$$(MAKE) -s --no-print-directory $(TRUTH_SMP).tr
	$(Q)status=0; $(B)/truth/truth $(TRUTH_SMP_ARGS) >$(TRUTH_SMP).txt || status=$$$$?; \
		sed -nE '/ (differ|excluded):|^truth/s/^/$(1): /p' $(TRUTH_SMP).txt; exit $$$$status
	$(Q)status=0; $(B)/truth/truth --break $(TRUTH_SMP_ARGS) >$(TRUTH_SMP)-broken.txt 2>&1 || status=$$$$?; \
		[ $$$$status = 1 ] || { echo 'truth: did not see frames that were left out'; exit 1; }
endef
$(foreach s,$(SMP_SCENARIOS),$(eval $(call truth_smp,$(s))))
