# SPDX-License-Identifier: Apache-2.0
# `make test-sampler`: the sampler and the notices of the kernel of profiler-kernel.mk. CASES
# chooses some, and HARTS=2 tries it on two harts. Then what the kernel's boot costs without a
# registered process, in instructions more than that of build/linux-gc.

SAMPLER_B := build/linux-prof/sampler
SAMPLER_CASES := $(call target_cases,sampler)
SAMPLER_CHOSEN = $(if $(filter command%,$(origin CASES)),$(CASES),$(SAMPLER_CASES))
SAMPLER_HARTS = $(if $(filter command%,$(origin HARTS)),$(HARTS),1)
SAMPLER_KERNEL = $(if $(filter 1,$(SAMPLER_HARTS)),$(PROF_KERNEL_B),$(PROF_KERNEL_SMP_B))/vmlinux
SAMPLER_FIRMWARE = $(TARGET_B)/firmware$(if $(filter 1,$(SAMPLER_HARTS)),,-smp).elf
SAMPLER_RUN = $(B)/bin/soc-model --isa rv64gc --harts $(SAMPLER_HARTS) --ram 64M --dtb $(SAMPLER_B)/test.dtb --initrd $(SAMPLER_B)/test.cpio
SAMPLER_SOURCES := $(addprefix tests/profiler/sampler_,check.c child.c notices.c samples.c)
SAMPLER_HEADERS := $(addprefix tests/profiler/sampler_,child.h notices.h samples.h) $(LINUX)/programs/check.h $(PROF_DRIVER)/prof_abi.h

$(SAMPLER_B)/sampler_check: $(SAMPLER_SOURCES) $(SAMPLER_HEADERS) $(GC_MUSL_READY) tests/profiler/sampler.mk
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_MUSL) $(GC_CFLAGS) $(TARGET_CFLAGS) -D_GNU_SOURCE -I$(LINUX)/programs -Isim -static -no-pie $(GC_LDFLAGS) -o $@ $(SAMPLER_SOURCES)
$(SAMPLER_B)/stripped/sampler_check: $(SAMPLER_B)/sampler_check
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<
$(SAMPLER_B)/test.dtb: $(LINUX)/soc.dts sim/soc.h tests/profiler/sampler.mk FORCE
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CPP) -DHARTS=$(SAMPLER_HARTS) -DISA='"rv64imafdc"' \
		-DBOOTARGS='"quiet console=hvc0 -- /bin/sampler_check $(SAMPLER_CHOSEN)"' $< | dtc -q -O dtb -o $@
$(SAMPLER_B)/test.cpio: $(LINUX)/initramfs.sh $(GC_B)/stripped/init $(LINUX_B)/stripped/busybox $(SAMPLER_B)/stripped/sampler_check
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(filter-out $<,$^) > $@

# Prints the instructions of a kernel's boot, up to init.
SAMPLER_BOOT_MORE := 100000
SAMPLER_PLAIN = $(if $(filter 1,$(SAMPLER_HARTS)),$(GC_B),$(GC_SMP_B))/vmlinux
sampler_boot = $(SAMPLER_RUN) --trace - --stop exec=$(GC_ROOT)/init $(SAMPLER_FIRMWARE) $(1) | \
	$(B)/bin/tr-info | awk '$$1 == "instructions" && !seen++ { print $$2 }'

.PHONY: test-sampler test-sampler-files
test-sampler-files: $(SAMPLER_B)/test.cpio $(SAMPLER_B)/test.dtb linux-prof-kernels
test-sampler: linux linux-gc linux-gc-smp $(addprefix $(B)/bin/,soc-model tr-info) ## Try the sampler and the notices of the profiler's kernel
	$(call linux_locked,$(PROFILED_B),test-sampler-files)
	$(Q)$(SAMPLER_RUN) $(SAMPLER_FIRMWARE) $(SAMPLER_KERNEL) | tr -d '\r' > $(SAMPLER_B)/console
	$(Q){ printf '%s: as specified\n' $(SAMPLER_CHOSEN); echo 'reboot: Power down'; } | \
		diff - $(SAMPLER_B)/console && echo 'sampler: $(words $(SAMPLER_CHOSEN)) cases, $(SAMPLER_HARTS) hart$(if $(filter 2,$(SAMPLER_HARTS)),s)'
	$(Q)without=$$($(call sampler_boot,$(SAMPLER_PLAIN))) && with=$$($(call sampler_boot,$(SAMPLER_KERNEL))) && \
		echo "sampler: boot takes $$((with - without)) instructions more" && [ $$((with - without)) -le $(SAMPLER_BOOT_MORE) ]
