# SPDX-License-Identifier: Apache-2.0
# `make test-log-target`: the reader of the log against a writer at full speed, on the two harts of
# the functional model. The program is the unit test of the host.

LOG_TEST_B := build/linux-prof/log
LOG_TEST_COPIES := 1000000

$(LOG_TEST_B)/root/bin/log_race: tests/unit/stubs-log-race.c tests/unit/check.h filters/lib/stubs/shared_log.h $(PROF_B)/libprof.a \
		$(GC_MUSL_READY) $(PROF_B)/profiler.flags tests/profiler/log.mk
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_MUSL) $(PROF_CPPFLAGS) $(PROF_CFLAGS) $(TARGET_CFLAGS) $(PROF_LDFLAGS) -o $@ $(filter %.c %.a,$^)
$(LOG_TEST_B)/stripped/%: $(LOG_TEST_B)/root/bin/%
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<
$(LOG_TEST_B)/test.dtb: $(LINUX)/soc.dts sim/soc.h tests/profiler/log.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CPP) -DHARTS=2 -DISA='"rv64imafdc"' \
		-DBOOTARGS='"quiet console=hvc0 -- /bin/log_race $(LOG_TEST_COPIES)"' $< | dtc -q -O dtb -o $@
$(LOG_TEST_B)/test.cpio: $(LINUX)/initramfs.sh $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox $(LOG_TEST_B)/stripped/log_race
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(filter-out $<,$^) > $@

.PHONY: test-log-target test-log-target-files
test-log-target-files: $(LOG_TEST_B)/test.cpio $(LOG_TEST_B)/test.dtb
test-log-target: linux linux-gc linux-gc-smp $(B)/bin/soc-model ## A reader of the profiler's log against a writer, on two harts
	$(call linux_locked,$(PROF_B),test-log-target-files)
	$(Q)$(B)/bin/soc-model --isa rv64gc --harts 2 --ram 64M --dtb $(LOG_TEST_B)/test.dtb --initrd $(LOG_TEST_B)/test.cpio \
		$(TARGET_B)/firmware-smp.elf $(GC_SMP_B)/vmlinux | tr -d '\r' > $(LOG_TEST_B)/console
	$(Q)grep ' copies, .* 0 mixtures$$' $(LOG_TEST_B)/console && ! grep 'init: status' $(LOG_TEST_B)/console || \
		{ cat $(LOG_TEST_B)/console; exit 1; }
