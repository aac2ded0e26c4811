# SPDX-License-Identifier: Apache-2.0
# `make linux-smp-files`: Linux 6.1 for several harts, in build/linux-smp/:
#     soc-model --harts 2 --ram 64M --dtb smp-2.dtb --initrd smp.cpio \
#         ../target/firmware-smp.elf vmlinux
#
# The kernel is that of build/linux with kernel-smp.fragment, and the C library is the same.
# smp.cpio has BusyBox, the programs of build/linux, and those of smp/, which move between
# the harts. HARTS=3 makes smp-3.dtb.

SMP := $(LINUX)/smp
SMP_B := build/linux-smp
SMP_KERNEL := $(SMP_B)/source/linux-6.1
SMP_PROGRAMS := $(patsubst $(SMP)/%.c,%,$(wildcard $(SMP)/*.c))
SMP_SHARED := busybox threads pipes signals tree
HARTS := 2

.PHONY: linux-smp-build linux-smp-files
linux-smp-build: linux $(TARGET_B)/firmware-smp.elf ## Build Linux 6.1 for several harts in build/linux-smp/
	$(call linux_locked,$(SMP_B),linux-smp-files)

$(eval $(call linux_source,$(SMP_B),linux-6.1,$(LINUX_SOURCE_linux-6.1)))
$(eval $(call linux_kernel,$(SMP_B),linux-6.1,$(LINUX)/kernel.fragment $(LINUX)/kernel-smp.fragment))

# --- programs

$(eval $(call linux_text,$(SMP_B)/programs.flags,$(call linux_anywhere,$(MUSL_CC) $(LINUX_CFLAGS))))
$(SMP_B)/%: $(SMP)/%.c $(LINUX)/programs/check.h $(MUSL_READY) $(SMP_B)/programs.flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(MUSL_CC) $(LINUX_CFLAGS) $(TARGET_CFLAGS) -Wl,--build-id=sha1 -Wl,--fatal-warnings -o $@ $<
$(SMP_B)/stripped/%: $(SMP_B)/%
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<

# --- image

SMP_FILES := $(LINUX_B)/stripped/init $(SMP_SHARED:%=$(LINUX_B)/stripped/%) \
	$(SMP_PROGRAMS:%=$(SMP_B)/stripped/%) $(SMP)/smp.sh
$(SMP_B)/smp.cpio: $(LINUX)/initramfs.sh $(SMP_FILES) $(LINUX)/smp.mk | $(SMP_KERNEL)/.built
	$(call say,CPIO,$@)
	$(Q)$(LINUX)/initramfs.sh $(SMP_FILES) > $@.list
	$(Q)$(SMP_KERNEL)/usr/gen_init_cpio -t 0 $@.list > $@; rm $@.list
$(SMP_B)/smp-%.dtb: $(LINUX)/soc.dts $(LINUX)/layout.h sim/soc.h $(LINUX)/smp.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CPP) -DHARTS=$* -DISA='"rv64imac"' -DBOOTARGS='"quiet console=hvc0 -- /script"' $< | \
		dtc -q -O dtb -o $@

# For tr-match, relative to build/linux-smp.
$(SMP_B)/smp.lst: $(LINUX)/smp.mk
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' '../target/firmware-smp.elf firmware' 'vmlinux kernel' 'vdso.so.dbg user' \
		'../linux/init user' $(SMP_SHARED:%='../linux/% user') $(SMP_PROGRAMS:%='% user') > $@
linux-smp-files: $(SMP_B)/vmlinux $(SMP_B)/vdso.so.dbg $(SMP_B)/smp.cpio $(SMP_B)/smp-$(HARTS).dtb $(SMP_B)/smp.lst \
	$(SMP_PROGRAMS:%=$(SMP_B)/%)
