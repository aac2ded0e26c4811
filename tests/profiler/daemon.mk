# SPDX-License-Identifier: Apache-2.0
# `make test-daemon`: prof-daemon on Linux, with a program that knows how often it has called its
# functions: its counts and logs are right, and the daemon stays, whatever is damaged, killed or
# missing. CASES chooses some, and HARTS=2 tries it on two harts. There are 256 MiB of memory, for
# 1,000 processes.

DAEMON_B := $(PROF_B)/daemon
# $(call target_cases,NAME): the cases that NAME_check.c has, in its order.
target_cases = $(if $(wildcard tests/profiler/$(1)_check.c),$(shell sed -n 's/^    {"\([a-z-]*\)", try_.*/\1/p' tests/profiler/$(1)_check.c))
DAEMON_CASES := $(call target_cases,daemon)
DAEMON_CHOSEN = $(if $(filter command%,$(origin CASES)),$(CASES),$(DAEMON_CASES))
DAEMON_HARTS = $(if $(filter command%,$(origin HARTS)),$(HARTS),1)
DAEMON_KERNEL = $(if $(filter 1,$(DAEMON_HARTS)),$(PROF_KERNEL_B),$(PROF_KERNEL_SMP_B))/vmlinux
DAEMON_FIRMWARE = $(TARGET_B)/firmware$(if $(filter 1,$(DAEMON_HARTS)),,-smp).elf
DAEMON_CFLAGS = $(GC_CFLAGS) $(TARGET_CFLAGS) -D_GNU_SOURCE -I$(LINUX)/programs -Ifilters/lib -Isim
DAEMON_SOURCES := $(filter-out %_victim.c,$(wildcard tests/profiler/daemon_*.c)) $(addprefix tests/profiler/,traced_run.c copied_file.c)
DAEMON_HEADERS := $(wildcard tests/profiler/daemon_*.h) $(addprefix tests/profiler/,traced_run.h copied_file.h) $(LINUX)/programs/check.h
DAEMON_VICTIMS := daemon_victim daemon_other

$(DAEMON_B)/root/bin/daemon_other: DAEMON_CFLAGS += -DOTHER
$(DAEMON_B)/root/bin/daemon_check: $(DAEMON_SOURCES) $(PROF_B)/libprof.a
$(addprefix $(DAEMON_B)/root/bin/,$(DAEMON_VICTIMS)): tests/profiler/daemon_victim.c
$(DAEMON_B)/root/bin/%: $(DAEMON_HEADERS) $(GC_MUSL_READY) $(PROF_B)/profiler.flags tests/profiler/daemon.mk
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_MUSL) $(DAEMON_CFLAGS) -static -no-pie $(GC_LDFLAGS) -o $@ $(filter %.c %.a,$^)
$(DAEMON_B)/stripped/prof-%: $(PROF_B)/bin/prof-%
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<
$(DAEMON_B)/stripped/%: $(DAEMON_B)/root/bin/%
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<
$(DAEMON_B)/.prof: $(addprefix $(DAEMON_B)/root/bin/,$(DAEMON_VICTIMS)) $(B)/bin/prof-extract
	$(Q)rm -rf $(@D)/prof
	$(Q)for program in $(DAEMON_VICTIMS); do \
		$(B)/bin/prof-extract -o $(@D)/prof --root $(@D)/root $(@D)/root/bin/$$program; done; touch $@
$(DAEMON_B)/test.dtb: $(LINUX)/soc.dts sim/soc.h tests/profiler/daemon.mk FORCE
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CPP) -DRAM_SIZE=0x10000000 -DHARTS=$(DAEMON_HARTS) -DISA='"rv64imafdc"' \
		-DBOOTARGS='"quiet console=hvc0 -- /bin/daemon_check $(DAEMON_CHOSEN)"' $< | dtc -q -O dtb -o $@
$(DAEMON_B)/test.cpio: $(LINUX)/initramfs.sh $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox $(DAEMON_B)/.prof \
		$(addprefix $(DAEMON_B)/stripped/,prof-daemon prof-inject prof-log $(DAEMON_VICTIMS) daemon_check)
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(filter-out $< %/.prof,$^) \
		$$(cd $(@D)/prof && find * -type f -printf '/prof/%p=$(@D)/prof/%p\n' | LC_ALL=C sort) > $@

.PHONY: test-daemon test-daemon-files
test-daemon-files: $(DAEMON_B)/test.cpio $(DAEMON_B)/test.dtb linux-prof-kernels
test-daemon: linux linux-gc linux-gc-smp $(B)/bin/soc-model $(B)/bin/prof-extract ## Run programs with prof-daemon on Linux, with all that can go wrong
	$(call linux_locked,$(PROF_B),test-daemon-files)
	$(Q)$(B)/bin/soc-model --isa rv64gc --harts $(DAEMON_HARTS) --ram 256M --dtb $(DAEMON_B)/test.dtb --initrd $(DAEMON_B)/test.cpio \
		$(DAEMON_FIRMWARE) $(DAEMON_KERNEL) | tr -d '\r' > $(DAEMON_B)/console
	$(Q){ printf '%s: as specified\n' $(DAEMON_CHOSEN); echo 'reboot: Power down'; } | \
		diff - $(DAEMON_B)/console && echo 'daemon: $(words $(DAEMON_CHOSEN)) cases, $(DAEMON_HARTS) hart$(if $(filter 2,$(DAEMON_HARTS)),s)'
