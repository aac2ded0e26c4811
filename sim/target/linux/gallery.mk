# SPDX-License-Identifier: Apache-2.0
# `make linux-gc`: Linux 6.1 with floating point, and one user program of each kind, in
# build/linux-gc/:
#     soc-model --isa rv64gc --ram 64M --dtb PROGRAM-1.dtb --initrd PROGRAM.cpio \
#         ../target/firmware.elf vmlinux
#
# root/ mirrors the root of the target, with DWARF where this makefile builds the file; the
# initramfs PROGRAM.cpio has the files that the program needs, stripped. glibc, libstdc++
# and libgcc are those of Debian's cross compiler, at the paths at which Debian's riscv64
# has them. PROGRAM-SEED.dtb decides the kernel's random numbers, and so all addresses.

GC := $(LINUX)/gallery
GC_B := build/linux-gc
GC_ROOT := $(GC_B)/root
GC_KERNEL := $(GC_B)/source/linux-6.1
GC_PROGRAMS := static dynamic plugin cxx musl contexts go
SEED := 1

.PHONY: linux-gc linux-gc-files
linux-gc: $(TARGET_B)/firmware.elf ## Build Linux with floating point, and programs, in build/linux-gc/
	$(call linux_locked,$(GC_B),linux-gc-files)

.PHONY: linux-kernel
linux-kernel: $(TARGET_B)/firmware.elf $(TARGET_B)/first.elf ## Build the kernel of tr-profile --linux (4 to 10 minutes, once)
	$(call linux_locked,$(GC_B),$(GC_B)/vmlinux)

# --- kernel and musl

GC_ARCH := -march=rv64gc -mabi=lp64d
GC_LIBGCC := $$(shell $(LINUX_CROSS)gcc $(GC_ARCH) -print-libgcc-file-name)

$(foreach s,linux-6.1 musl-1.2.3,$(eval $(call linux_source,$(GC_B),$(s),$(LINUX_SOURCE_$(s)))))
$(eval $(call linux_kernel,$(GC_B),linux-6.1,$(addprefix $(LINUX)/kernel,.fragment -gc.fragment -disk.fragment)))
$(eval $(call linux_musl,$(GC_B),musl,$(GC_ARCH),$(GC_LIBGCC),--enable-shared,Scrt1.o))

# --- programs: sources are gallery/PROGRAM, libraries are paths of the target

GC_CFLAGS := $(call linux_cflags,$(GC_B)) $(GC_ARCH)
GC_LDFLAGS := -Wl,--build-id=sha1 -Wl,--fatal-warnings
GC_CC := $(LINUX_CROSS)gcc
GC_MUSL := $(LINUX_CROSS)gcc -mmusl -specs=$(CURDIR)/$(GC_B)/musl.specs
GC_MUSL_READY := $(GC_B)/musl/.headers $(GC_B)/specs.flags | $(GC_B)/musl.specs
GC_GLIBC := lib/ld-linux-riscv64-lp64d.so.1 lib/riscv64-linux-gnu/libc.so.6
GC_LIBM := lib/riscv64-linux-gnu/libm.so.6
GC_GO := env -u MAKEFLAGS GOOS=linux GOARCH=riscv64 CGO_ENABLED=0 GOFLAGS= GO111MODULE=off \
	GOCACHE=$(CURDIR)/$(GC_B)/go-cache go build -trimpath
GC_PLUGINS := usr/lib/gallery/first.so usr/lib/gallery/second.so

GC_CC_cxx := $(LINUX_CROSS)g++
GC_CC_musl := $(GC_MUSL)
GC_CC_init := $(GC_MUSL)
GC_LDFLAGS_init := -static
GC_LDFLAGS_static := -static -no-pie
GC_LDFLAGS_dynamic := -lm
GC_LDFLAGS_plugin := -rdynamic
GC_LIBS_dynamic := $(GC_GLIBC) $(GC_LIBM)
GC_LIBS_plugin := $(GC_GLIBC) $(GC_LIBM) $(GC_PLUGINS)
GC_LIBS_contexts := $(GC_GLIBC)
GC_LIBS_musl := lib/ld-musl-riscv64.so.1
GC_LIBS_cxx := $(GC_GLIBC) $(GC_LIBM) lib/riscv64-linux-gnu/libgcc_s.so.1 usr/lib/riscv64-linux-gnu/libstdc++.so.6

$(eval $(call linux_text,$(GC_B)/programs.flags,$(call linux_anywhere,$(GC_CFLAGS) $(TARGET_CFLAGS) $(GC_LDFLAGS))))
GC_PROGRAM_CC = $(or $(GC_CC_$*),$(GC_CC))

$(GC_B)/obj/musl.o $(GC_B)/obj/init.o: $(GC_MUSL_READY)
$(GC_B)/obj/first.o $(GC_B)/obj/second.o: GC_CFLAGS += -fPIC
define gc_object
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_PROGRAM_CC) $(GC_CFLAGS) $(TARGET_CFLAGS) -MMD -MP -c -o $@ $<
endef
$(GC_B)/obj/%.o: $(GC)/%.c $(GC_B)/programs.flags
	$(gc_object)
$(GC_B)/obj/%.o: $(LINUX)/programs/%.c $(GC_B)/programs.flags
	$(gc_object)
$(GC_B)/obj/%.o: $(GC)/%.cc $(GC_B)/programs.flags
	$(call say,CXX,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_CC_cxx) -std=gnu++17 $(GC_CFLAGS) -Wall -Wextra -MMD -MP -c -o $@ $<
-include $(wildcard $(GC_B)/obj/*.d)

define gc_link
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_PROGRAM_CC) $(GC_ARCH) $(GC_LDFLAGS) -o $@ $< $(GC_LDFLAGS_$*)
endef
$(GC_ROOT)/bin/%: $(GC_B)/obj/%.o
	$(gc_link)
$(GC_ROOT)/%: $(GC_B)/obj/%.o
	$(gc_link)
$(GC_ROOT)/usr/lib/gallery/%.so: GC_LDFLAGS += -shared -lm
$(GC_ROOT)/usr/lib/gallery/%.so: $(GC_B)/obj/%.o
	$(gc_link)
$(GC_ROOT)/bin/go: $(GC)/go.go
	$(call say,GO,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_GO) -o $@ $<

# Debian's cross packages have all libraries in one folder.
define gc_library
	$(call say,COPY,$@)
	$(Q)mkdir -p $(@D); cp -L $< $@
endef
$(GC_ROOT)/lib/ld-linux-riscv64-lp64d.so.1: /usr/riscv64-linux-gnu/lib/ld-linux-riscv64-lp64d.so.1
	$(gc_library)
$(GC_ROOT)/lib/riscv64-linux-gnu/%: /usr/riscv64-linux-gnu/lib/%
	$(gc_library)
$(GC_ROOT)/usr/lib/riscv64-linux-gnu/%: /usr/riscv64-linux-gnu/lib/%
	$(gc_library)
$(GC_ROOT)/lib/ld-musl-riscv64.so.1: $(GC_B)/musl/.headers
	$(call say,COPY,$@)
	$(Q)mkdir -p $(@D); cp $(<D)/lib/libc.so $@

# --- images

$(GC_B)/stripped/%: $(GC_ROOT)/%
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<

define gc_program
$(call linux_text,$(GC_B)/obj/$(1).words,$(GC_LIBS_$(1)))
$(GC_B)/$(1).cpio: $(LINUX)/initramfs.sh $(GC_B)/obj/$(1).words \
		$(addprefix $(GC_B)/stripped/,init bin/$(1) $(GC_LIBS_$(1))) | $(GC_KERNEL)/.built
	$$(call say,CPIO,$$@)
	$(Q)$(LINUX)/initramfs.sh $(GC_KERNEL)/usr/gen_init_cpio $(GC_B)/stripped/{init,bin/$(1)} \
		$(foreach l,$(GC_LIBS_$(1)),/$(l)=$(GC_B)/stripped/$(l)) > $$@
linux-gc-files: $(GC_B)/$(1).cpio $(GC_B)/$(1)-$(SEED).dtb
endef
$(foreach p,$(GC_PROGRAMS),$(eval $(call gc_program,$(p))))
$(GC_B)/%-$(SEED).dtb: $(LINUX)/soc.dts sim/soc.h sim/target/linux/gallery.mk
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CPP) -DISA='"rv64imafdc"' -DSEED=$(SEED) -DBOOTARGS='"quiet console=hvc0 -- /bin/$*"' $< | \
		dtc -q -O dtb -o $@
.PRECIOUS: $(GC_B)/obj/%.o $(GC_B)/stripped/% $(GC_ROOT)/% $(foreach d,bin lib/riscv64-linux-gnu usr/lib/riscv64-linux-gnu,$(GC_ROOT)/$(d)/%) \
	$(GC_ROOT)/usr/lib/gallery/%.so

# For tr-match: what is not below the target's root, and every file, for tests.
$(GC_B)/system.lst: $(LINUX)/gallery.mk
	$(Q)mkdir -p $(@D); printf '%s\n' '../target/firmware.elf firmware' 'vmlinux kernel' > $@
$(GC_B)/bins.lst: $(LINUX)/gallery.mk $(GC_PROGRAMS:%=$(GC_B)/%.cpio)
	$(Q){ printf '%s\n' '../target/firmware.elf firmware' 'vmlinux kernel' 'vdso.so.dbg user'; \
	cd $(GC_B); find root -type f | LC_ALL=C sort | sed 's/$$/ user/'; } > $@
linux-gc-files: $(GC_B)/vmlinux $(GC_B)/vdso.so.dbg $(GC_B)/bins.lst $(GC_B)/system.lst
