# SPDX-License-Identifier: Apache-2.0
# Linux with the sampler and the notices of the run-time profiler, driver/profiler/: the
# kernel of build/linux-gc with kernel-prof.fragment, in build/linux-prof/kernel/, and for
# several harts in build/linux-prof/kernel-smp/. Part of `make linux-prof`.

PROF_DRIVER := $(LINUX)/driver/profiler
PROF_DRIVER_FILES := $(addprefix $(PROF_DRIVER)/,Kconfig Makefile $(notdir $(wildcard $(PROF_DRIVER)/*.[ch])))
PROF_KERNEL_FRAGMENTS := $(addprefix $(LINUX)/kernel,.fragment -gc.fragment -prof.fragment)
PROF_KERNEL_B := $(PROFILED_B)/kernel
PROF_KERNEL_SMP_B := $(PROFILED_B)/kernel-smp
LINUX_SOURCE_linux-6.1-prof := $(LINUX_SOURCE_linux-6.1)

# $(call prof_kernel,FOLDER,FRAGMENTS): the driver becomes a folder of the kernel's source, and
# its calls a header of the kernel.
define prof_kernel
$(call linux_source,$(1),linux-6.1-prof,$(LINUX_SOURCE_linux-6.1-prof))
$(call linux_kernel,$(1),linux-6.1-prof,$(2))
$(1)/source/linux-6.1-prof/.driver: $(PROF_DRIVER_FILES) $(1)/source/linux-6.1-prof/.unpacked
	$(Q)mkdir -p $$(@D)/drivers/profiler; cp $(PROF_DRIVER_FILES) $$(@D)/drivers/profiler
	$(Q)mv $$(@D)/drivers/profiler/prof_hooks.h $$(@D)/include/linux/
	$(Q)touch $$@
$(1)/source/linux-6.1-prof/.config: $(1)/source/linux-6.1-prof/.driver
linux-prof-kernels: $(1)/vmlinux $(1)/vdso.so.dbg
endef
$(eval $(call prof_kernel,$(PROF_KERNEL_B),$(PROF_KERNEL_FRAGMENTS)))
$(eval $(call prof_kernel,$(PROF_KERNEL_SMP_B),$(PROF_KERNEL_FRAGMENTS) $(LINUX)/kernel-smp.fragment))

.PHONY: linux-prof-kernels
linux-prof-files: linux-prof-kernels
