# SPDX-License-Identifier: Apache-2.0
# `make linux-smp-files`: Linux 6.1 for several harts, in build/linux-smp/:
#     soc-model --harts 2 --ram 64M --dtb move-2.dtb --initrd move.cpio \
#         ../target/firmware-smp.elf vmlinux
#
# The kernel is that of build/linux with kernel-smp.fragment, and the C library is the same.
# Scenarios: move has BusyBox, programs of build/linux, and those of smp/, which move between
# the harts; iperf3 is that of build/linux; in locks, threads and processes contend for locks
# of theirs and of the kernel. HARTS=3 makes move-3.dtb.
#
# `make linux-gc-smp`: the kernel of build/linux-gc with kernel-smp.fragment, in
# build/linux-gc-smp/, for the programs of gallery.mk:
#     soc-sim --isa rv64gc --harts 2 --ram 64M --dtb PROGRAM-2.dtb --initrd ../linux-gc/PROGRAM.cpio \
#         ../target/firmware-smp.elf vmlinux

SMP := $(LINUX)/smp
SMP_B := build/linux-smp
SMP_KERNEL := $(SMP_B)/source/linux-6.1
SMP_PROGRAMS := $(patsubst $(SMP)/%.c,%,$(wildcard $(SMP)/*.c))
HARTS := 2

.PHONY: linux-smp-build linux-smp-files
linux-smp-build: linux $(TARGET_B)/firmware-smp.elf ## Build Linux 6.1 for several harts in build/linux-smp/
	$(call linux_locked,$(SMP_B),linux-smp-files)

$(eval $(call linux_source,$(SMP_B),linux-6.1,$(LINUX_SOURCE_linux-6.1)))
$(eval $(call linux_kernel,$(SMP_B),linux-6.1,$(LINUX)/kernel.fragment $(LINUX)/kernel-smp.fragment))

# --- the kernel with floating point

GC_SMP_B := build/linux-gc-smp

.PHONY: linux-gc-smp linux-gc-smp-files
linux-gc-smp: linux-gc $(TARGET_B)/firmware-smp.elf ## Build Linux with floating point for several harts
	$(call linux_locked,$(GC_SMP_B),linux-gc-smp-files)

$(eval $(call linux_source,$(GC_SMP_B),linux-6.1,$(LINUX_SOURCE_linux-6.1)))
$(eval $(call linux_kernel,$(GC_SMP_B),linux-6.1,$(addprefix $(LINUX)/kernel,.fragment -gc.fragment -smp.fragment)))
define gc_smp_tree
$(GC_SMP_B)/$(1)-%.dtb: $(LINUX)/soc.dts sim/soc.h $(LINUX)/smp.mk
	$(Q)mkdir -p $$(@D)
	$(Q)$(LINUX_CPP) -DHARTS=$$* -DISA='"rv64imafdc"' -DSEED=$(SEED) -DBOOTARGS='"quiet console=hvc0 -- /bin/$(1)"' $$< | \
		dtc -q -O dtb -o $$@
linux-gc-smp-files: $(GC_SMP_B)/$(1)-$(HARTS).dtb
.PRECIOUS: $(GC_SMP_B)/$(1)-%.dtb
endef
$(foreach p,$(GC_PROGRAMS),$(eval $(call gc_smp_tree,$(p))))
# For tr-match, what is not below the target's root.
$(GC_SMP_B)/system.lst: $(LINUX)/smp.mk
	$(Q)mkdir -p $(@D); printf '%s\n' '../target/firmware-smp.elf firmware' 'vmlinux kernel' > $@
linux-gc-smp-files: $(GC_SMP_B)/vmlinux $(GC_SMP_B)/system.lst

# --- programs

$(eval $(call linux_text,$(SMP_B)/programs.flags,$(call linux_anywhere,$(MUSL_CC) $(LINUX_CFLAGS))))
$(SMP_B)/%: $(SMP)/%.c $(LINUX)/programs/check.h $(MUSL_READY) $(SMP_B)/programs.flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(MUSL_CC) $(LINUX_CFLAGS) $(TARGET_CFLAGS) -Wl,--build-id=sha1 -Wl,--fatal-warnings -o $@ $<
$(SMP_B)/stripped/%: $(SMP_B)/%
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<

# --- scenarios: programs of build/linux (SHARED) and of smp/ (OWN), and /script with its
# arguments

SMP_SCENARIOS := move iperf3
SMP_SHARED_move := busybox threads pipes signals tree
SMP_OWN_move := $(SMP_PROGRAMS)
SMP_SCRIPT_move := $(SMP)/move.sh
SMP_SHARED_iperf3 := busybox iperf3
SMP_SCRIPT_iperf3 := $(LINUX)/scenarios/iperf3.sh
SMP_ARGS_iperf3 := 1M
SMP_SHARED_locks := busybox threads pipes
SMP_SCRIPT_locks := $(SMP)/locks.sh

# $(call smp_files,SCENARIO): what is in its initramfs.
smp_files = $(LINUX_B)/stripped/init $(SMP_SHARED_$(1):%=$(LINUX_B)/stripped/%) \
	$(SMP_OWN_$(1):%=$(SMP_B)/stripped/%) $(SMP_SCRIPT_$(1))

define smp_scenario
$(SMP_B)/$(1).cpio: $(LINUX)/initramfs.sh $(call smp_files,$(1)) $(LINUX)/smp.mk | $(SMP_KERNEL)/.built
	$$(call say,CPIO,$$@)
	$(Q)$(LINUX)/initramfs.sh $(SMP_KERNEL)/usr/gen_init_cpio $(call smp_files,$(1)) > $$@
$(SMP_B)/$(1)-%.dtb: $(LINUX)/soc.dts $(LINUX)/layout.h sim/soc.h $(LINUX)/smp.mk
	$(Q)mkdir -p $$(@D)
	$(Q)$(LINUX_CPP) -DHARTS=$$* -DISA='"rv64imac"' \
		-DBOOTARGS='"quiet console=hvc0 -- $(strip /script $(SMP_ARGS_$(1)))"' $$< | dtc -q -O dtb -o $$@
# For tr-match, relative to build/linux-smp.
$(SMP_B)/$(1).lst: $(LINUX)/smp.mk
	$(Q)mkdir -p $$(@D)
	$(Q)printf '%s\n' '../target/firmware-smp.elf firmware' 'vmlinux kernel' 'vdso.so.dbg user' \
		'../linux/init user' $(SMP_SHARED_$(1):%='../linux/% user') $(SMP_OWN_$(1):%='% user') > $$@
linux-smp-files: $(SMP_B)/$(1).cpio $(SMP_B)/$(1)-$(HARTS).dtb $(SMP_B)/$(1).lst
.PRECIOUS: $(SMP_B)/$(1)-%.dtb
endef
$(foreach s,$(SMP_SCENARIOS) locks,$(eval $(call smp_scenario,$(s))))
linux-smp-files: $(SMP_B)/vmlinux $(SMP_B)/vdso.so.dbg $(SMP_PROGRAMS:%=$(SMP_B)/%)
