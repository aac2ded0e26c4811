# SPDX-License-Identifier: Apache-2.0
# Our programs for Linux, and the images: one ELF file per scenario, with device tree and
# initramfs.

# --- programs; the paper's hello_world is that of the small supervisor, unchanged

LINUX_PROGRAMS := $(patsubst $(LINUX)/programs/%.c,%,$(wildcard $(LINUX)/programs/*.c)) hello_world

$(LINUX_B)/obj/%.o: $(LINUX)/programs/%.c $(MUSL_READY)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(MUSL_CC) $(LINUX_CFLAGS) $(TARGET_CFLAGS) -MMD -MP -c -o $@ $<
$(LINUX_B)/obj/%.o: $(TARGET)/programs/%.c $(MUSL_READY)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(MUSL_CC) $(LINUX_CFLAGS) $(TARGET_CFLAGS) -MMD -MP -c -o $@ $<
$(LINUX_B)/hello_world: $(LINUX_B)/obj/argument.o
$(LINUX_PROGRAMS:%=$(LINUX_B)/%): $(LINUX_B)/%: $(LINUX_B)/obj/%.o
	$(call say,LD,$@)
	$(Q)$(MUSL_CC) -Wl,--build-id=sha1 -Wl,--fatal-warnings -o $@ $(filter %.o,$^)
-include $(wildcard $(LINUX_B)/obj/*.d)

$(LINUX_B)/stripped/%: $(LINUX_B)/%
	$(Q)mkdir -p $(@D)
	$(Q)$(LINUX_CROSS)strip -o $@ $<
.PRECIOUS: $(LINUX_B)/stripped/%

# --- scenarios: FILES are put into /bin, SCRIPT is /script, /init runs ARGS

LINUX_SCENARIOS := hello shell busybox iperf3 iperf3-8m truth forever ps
LINUX_TRUTH := $(filter-out init,$(LINUX_PROGRAMS))

LINUX_FILES_hello := hello_world
LINUX_ARGS_hello := /bin/hello_world
LINUX_FILES_shell := busybox hello_world iperf3 signals threads
LINUX_FILES_busybox := busybox hello_world
LINUX_ARGS_busybox := /script
LINUX_SCRIPT_busybox := busybox.sh
LINUX_FILES_iperf3 := busybox iperf3
LINUX_ARGS_iperf3 := /script 1M
LINUX_SCRIPT_iperf3 := iperf3.sh
LINUX_FILES_iperf3-8m := busybox iperf3
LINUX_ARGS_iperf3-8m := /script 8M
LINUX_SCRIPT_iperf3-8m := iperf3.sh
LINUX_FILES_truth := busybox $(LINUX_TRUTH)
LINUX_ARGS_truth := /script
LINUX_SCRIPT_truth := truth.sh
LINUX_FILES_forever := busybox $(LINUX_TRUTH)
LINUX_ARGS_forever := /script
LINUX_SCRIPT_forever := forever.sh

LINUX_FILES_ps := busybox threads
LINUX_ARGS_ps := /script
LINUX_SCRIPT_ps := ps.sh

LINUX_CPP := $(CC) -E -P -undef -nostdinc -x assembler-with-cpp -Isim -I$(TARGET)/firmware

# Device tree and initramfs also depend on the arguments and the list of files.
define linux_scenario
$(eval $(call linux_text,$(LINUX_B)/obj/$(1).words,$(LINUX_FILES_$(1)): $(LINUX_ARGS_$(1))))
$(LINUX_B)/obj/$(1).cpio: $(LINUX)/initramfs.sh $(LINUX_B)/stripped/init \
		$(LINUX_FILES_$(1):%=$(LINUX_B)/stripped/%) $(LINUX_SCRIPT_$(1):%=$(LINUX)/scenarios/%) \
		| $(KERNEL)/.built
$(LINUX_B)/obj/$(1).dtb: LINUX_ARGS := $(LINUX_ARGS_$(1))
$(LINUX_B)/$(1).lst: LINUX_FILES := $(LINUX_FILES_$(1))
linux-files: $(LINUX_B)/$(1).elf $(LINUX_B)/$(1).lst
endef
$(foreach s,$(LINUX_SCENARIOS),$(eval $(call linux_scenario,$(s))))
linux-files: $(LINUX_B)/vmlinux $(LINUX_B)/vdso.so.dbg $(TARGET_B)/firmware.elf

$(LINUX_B)/obj/%.cpio: $(LINUX_B)/obj/%.words
	$(Q)$(LINUX)/initramfs.sh $(KERNEL)/usr/gen_init_cpio $(filter $(LINUX_B)/stripped/% %.sh,$(filter-out %/initramfs.sh,$^)) > $@.part && mv $@.part $@
$(LINUX_B)/obj/%.dtb: $(LINUX)/soc.dts $(LINUX)/layout.h sim/soc.h $(LINUX_B)/obj/%.cpio
	$(Q)$(LINUX_CPP) -DISA='"rv64imac"' -DINITRD_SIZE=$$(stat -c %s $(LINUX_B)/obj/$*.cpio) \
		-DBOOTARGS='"quiet console=hvc0 -- $(LINUX_ARGS)"' $< | dtc -q -O dtb -o $@
$(LINUX_B)/obj/image.ld: $(LINUX)/image.ld $(LINUX)/layout.h
	$(Q)mkdir -p $(@D); $(LINUX_CPP) $< > $@
$(LINUX_B)/%.elf: $(LINUX)/image.S $(LINUX_B)/obj/image.ld $(LINUX_B)/obj/%.cpio $(LINUX_B)/obj/%.dtb
	$(call say,IMAGE,$@)
	$(Q)$(TARGET_CC) -march=rv64imac -mabi=lp64 -nostdlib -Wl,--build-id=none \
		-DTREE='"$(LINUX_B)/obj/$*.dtb"' -DINITRD='"$(LINUX_B)/obj/$*.cpio"' \
		-T $(LINUX_B)/obj/image.ld -o $@ $<
.PRECIOUS: $(LINUX_B)/obj/%.cpio $(LINUX_B)/obj/%.dtb

# For tr-match, relative to build/linux.
$(LINUX_B)/%.lst: $(LINUX_B)/obj/%.words
	$(Q)printf '%s\n' '../target/firmware.elf firmware' 'vmlinux kernel' 'vdso.so.dbg user' \
		'init user' $(LINUX_FILES:%='% user') > $@

# --- interactive shell

# The functional model unless the command line says otherwise.
LINUX_SIM = $(B)/bin/$(if $(filter command,$(origin SIMULATOR)),$(SIMULATOR),soc-model)

.PHONY: linux-shell
linux-shell: ## A shell on Linux; exit or ctrl-a x ends it (SIMULATOR=soc-sim: hardware)
linux-shell: linux linux-shell-simulator
	$(Q)$(LINUX_SIM) --ram 64M $(TARGET_B)/firmware.elf $(LINUX_B)/vmlinux $(LINUX_B)/shell.elf
.PHONY: linux-shell-simulator
linux-shell-simulator:
	$(Q)$(MAKE) --no-print-directory $(LINUX_SIM)

# --- reset to the first instruction of /init: at most 5 M instructions

LINUX_BOOT_LIMIT := 5000000

.PHONY: linux-init
linux-init: ## Count the instructions from reset to /init, for each scenario
linux-init: linux $(B)/bin/soc-model $(B)/bin/tr-info
	$(Q)cd $(LINUX_B); for s in $(LINUX_SCENARIOS); do \
		$(CURDIR)/$(B)/bin/soc-model --ram 64M --trace obj/boot.tr --stop pc=init:_start \
			../target/firmware.elf vmlinux $$s.elf < /dev/null; \
		$(CURDIR)/$(B)/bin/tr-info obj/boot.tr | awk -v s=$$s '$$1 == "instructions" && NF == 2 { \
			printf "%-10s %8d instructions to /init\n", s, $$2; found = 1; exit $$2 > $(LINUX_BOOT_LIMIT) } \
			END { if (!found) exit 1 }'; \
	done; rm obj/boot.tr
