# SPDX-License-Identifier: Apache-2.0
# `make test-inject`: prof-inject on Linux, with a program that has threads, signals and
# children: its output and its exit status are as without, also when injector or program are killed
# at any of the injector's system calls, and with files that are damaged. CASES chooses some, and
# HARTS=2 tries it on two harts.

INJECT_B := build/linux-prof/inject
INJECT_CASES := $(call target_cases,inject)
CASES := $(INJECT_CASES)
INJECT_HARTS = $(if $(filter command%,$(origin HARTS)),$(HARTS),1)
INJECT_KERNEL_1 := $(GC_B)
INJECT_KERNEL_2 := $(GC_SMP_B)
INJECT_FIRMWARE_1 := $(TARGET_B)/firmware.elf
INJECT_FIRMWARE_2 := $(TARGET_B)/firmware-smp.elf
INJECT_CFLAGS = $(GC_CFLAGS) $(TARGET_CFLAGS) -D_GNU_SOURCE -I$(LINUX)/programs -Ifilters/lib -Isim
INJECT_HEADERS := $(addprefix tests/profiler/,inject_follow.h inject_victims.h traced_run.h copied_file.h) $(LINUX)/programs/check.h filters/lib/stubs/stubs.h

$(INJECT_B)/root/bin/inject_victim: tests/profiler/inject_victim.c
$(INJECT_B)/root/bin/inject_check: $(addprefix tests/profiler/,inject_check.c inject_follow.c inject_victims.c traced_run.c copied_file.c) $(PROF_B)/libprof.a
$(INJECT_B)/root/bin/inject_driver: tests/profiler/inject_driver.c $(PROF_B)/libprof.a
$(INJECT_B)/root/bin/inject_family: tests/profiler/inject_family.c
$(INJECT_B)/root/bin/%: $(INJECT_HEADERS) $(GC_MUSL_READY) $(PROF_B)/profiler.flags tests/profiler/inject.mk
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_MUSL) $(INJECT_CFLAGS) -static -no-pie $(GC_LDFLAGS) -o $@ $(filter %.c %.a,$^)
$(INJECT_B)/stripped/%: $(INJECT_B)/root/bin/%
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<
$(INJECT_B)/stripped/prof-inject: $(PROF_B)/bin/prof-inject
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<
$(INJECT_B)/.prof: $(addprefix $(INJECT_B)/root/bin/,inject_victim inject_family inject_check) $(B)/bin/prof-extract
	$(Q)rm -rf $(@D)/prof
	$(Q)for program in inject_victim inject_family inject_check; do \
		$(B)/bin/prof-extract -o $(@D)/prof --root $(@D)/root $(@D)/root/bin/$$program; done; touch $@
$(INJECT_B)/test.dtb: $(LINUX)/soc.dts sim/soc.h tests/profiler/inject.mk FORCE
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CPP) -DRAM_SIZE=0x10000000 -DHARTS=$(INJECT_HARTS) -DISA='"rv64imafdc"' \
		-DBOOTARGS='"quiet console=hvc0 -- /bin/inject_check /prof $(CASES)"' $< | dtc -q -O dtb -o $@
$(INJECT_B)/test.cpio: $(LINUX)/initramfs.sh $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox $(INJECT_B)/.prof \
		$(addprefix $(INJECT_B)/stripped/,prof-inject inject_victim inject_family inject_check inject_driver)
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(filter-out $< %/.prof,$^) \
		$$(cd $(@D)/prof && find * -type f -printf '/prof/%p=$(@D)/prof/%p\n' | LC_ALL=C sort) > $@

.PHONY: test-inject test-inject-files
test-inject-files: $(INJECT_B)/test.cpio $(INJECT_B)/test.dtb
test-inject: linux linux-gc linux-gc-smp $(B)/bin/soc-model $(B)/bin/prof-extract ## Run a program with prof-inject, killed at any point, on Linux
	$(call linux_locked,$(PROF_B),test-inject-files)
	$(Q)$(B)/bin/soc-model --isa rv64gc --harts $(INJECT_HARTS) --ram 256M --dtb $(INJECT_B)/test.dtb --initrd $(INJECT_B)/test.cpio \
		$(INJECT_FIRMWARE_$(INJECT_HARTS)) $(INJECT_KERNEL_$(INJECT_HARTS))/vmlinux | tr -d '\r' > $(INJECT_B)/console
	$(Q){ cat tests/profiler/inject_victim.stdout; printf '%s: as without\n' $(CASES); echo 'reboot: Power down'; } | \
		diff - $(INJECT_B)/console && echo 'inject: $(words $(CASES)) cases, $(INJECT_HARTS) hart$(if $(filter 2,$(INJECT_HARTS)),s)'
