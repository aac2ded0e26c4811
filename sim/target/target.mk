# SPDX-License-Identifier: Apache-2.0
# The software that runs on the machine: build/target/, with and without SAN. The shell tells the
# folder: its name may have spaces.

TARGET_B := build/target
TARGET := sim/target
TARGET_CC := riscv64-unknown-elf-gcc
TARGET_OBJCOPY := riscv64-unknown-elf-objcopy
TARGET_FLAGS := -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany -O2 -g \
	--specs=picolibc.specs --picolibc-buildtype=release -Isim -fdebug-prefix-map="$$PWD"=.
TARGET_CFLAGS := -std=gnu11 $(WARN)
# With the long form of -march gcc would not find its libraries.
TARGET_LDFLAGS := -march=rv64imac -nostartfiles -Wl,--build-id=sha1 -Wl,--fatal-warnings \
	-Wl,-z,max-page-size=4096

FIRMWARE_SOURCES := start.S main.c device.c sbi.c misaligned.c
SUPERVISOR_SOURCES := start.S entry.S main.c thread.c memory.c program.c trap.c console.c
FIRMWARE_OBJS := $(addprefix $(TARGET_B)/obj/firmware/,$(addsuffix .o,$(basename $(FIRMWARE_SOURCES))))
# The firmware for several harts; that for one does without their checks.
FIRMWARE_HARTS := 4
FIRMWARE_LD := $(TARGET)/firmware/firmware.ld $(TARGET)/firmware/next-stage.ld
FIRMWARE_SMP_OBJS := $(addprefix $(TARGET_B)/obj/firmware-smp/,\
	$(addsuffix .o,$(basename $(FIRMWARE_SOURCES)) harts))
SUPERVISOR_OBJS := $(addprefix $(TARGET_B)/obj/supervisor/,$(addsuffix .o,$(basename $(SUPERVISOR_SOURCES)))) \
	$(TARGET_B)/obj/supervisor/programs.o
# By folder, or by file name.
CFLAGS_firmware := -ffreestanding
CFLAGS_firmware-smp := -ffreestanding -DHARTS=$(FIRMWARE_HARTS)
CFLAGS_supervisor := -ffreestanding
CFLAGS_save_restore := -msave-restore

BIG_PARTS := 0 1 2 3 4 5 6 7

# A program consists of its own source, crt0, lib and EXTRA_NAME.
PROGRAMS := big compute dispatch family hello_world misaligned recursion save_restore \
	shared_a shared_b sort_crc
EXTRA_big := $(BIG_PARTS:%=big_%)
EXTRA_misaligned := misaligned_sp
EXTRA_shared_a := shared
EXTRA_shared_b := shared
# The address of their .text.moved: the same offset in different pages.
LDFLAGS_shared_a := -Wl,--defsym=shared_page=0x0040
LDFLAGS_shared_b := -Wl,--defsym=shared_page=0x1040
LIB_OBJS := $(TARGET_B)/obj/programs/crt0.o $(TARGET_B)/obj/programs/lib.o $(TARGET_B)/obj/programs/argument.o

SCENARIOS := $(patsubst $(TARGET)/scenarios/%.script,%,$(wildcard $(TARGET)/scenarios/*.script))
TARGET_IMAGES := $(TARGET_B)/firmware.elf $(TARGET_B)/firmware-smp.elf $(TARGET_B)/first.elf $(TARGET_B)/supervisor.elf $(PROGRAMS:%=$(TARGET_B)/%.elf)

# Process 1 of tr-profile --linux.
$(TARGET_B)/first.elf: $(TARGET)/linux/first/first.c $(TARGET_B)/flags
	$(call say,CC,$@)
	$(Q)$(TARGET_CC) $(filter-out --specs=% --picolibc%,$(TARGET_FLAGS)) $(TARGET_CFLAGS) -ffreestanding -fno-builtin \
		-nostdlib -static $(TARGET_LDFLAGS) -o $@ $<

.PHONY: target
all: target
target: $(TARGET_IMAGES) $(SCENARIOS:%=$(TARGET_B)/%.elf) $(TARGET_B)/bins.lst ## Build the software of the machine

TARGET_ALL_FLAGS = $(filter-out -Werror,$(TARGET_FLAGS) $(TARGET_CFLAGS) $(TARGET_LDFLAGS) \
	$(CFLAGS_firmware) $(CFLAGS_firmware-smp) $(CFLAGS_supervisor) $(CFLAGS_save_restore))
$(TARGET_B)/flags: FORCE
	@mkdir -p $(@D); echo '$(TARGET_ALL_FLAGS)' | cmp -s - $@ || \
		{ $(call need_headers,$(TARGET_CC) $(TARGET_FLAGS),stdio.h:picolibc-riscv64-unknown-elf); echo '$(TARGET_ALL_FLAGS)' > $@; }

$(TARGET_B)/obj/%.o: $(TARGET)/%.c $(TARGET_B)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_CFLAGS) $(CFLAGS_$(notdir $(*D))) \
		$(CFLAGS_$(*F)) -MMD -MP -c -o $@ $<
$(TARGET_B)/obj/%.o: $(TARGET)/%.S $(TARGET_B)/flags
	$(call say,AS,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) -MMD -MP -c -o $@ $<

$(TARGET_B)/firmware.elf: $(FIRMWARE_OBJS) $(FIRMWARE_LD)
	$(call say,LD,$@)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_LDFLAGS) -T $(FIRMWARE_LD) -o $@ $(filter %.o,$^)
$(TARGET_B)/obj/firmware-smp/%.o: $(TARGET)/firmware/%.c $(TARGET_B)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_CFLAGS) $(CFLAGS_firmware-smp) -MMD -MP -c -o $@ $<
$(TARGET_B)/obj/firmware-smp/%.o: $(TARGET)/firmware/%.S $(TARGET_B)/flags
	$(call say,AS,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(CFLAGS_firmware-smp) -MMD -MP -c -o $@ $<
$(TARGET_B)/firmware-smp.elf: $(FIRMWARE_SMP_OBJS) $(FIRMWARE_LD)
	$(call say,LD,$@)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_LDFLAGS) -Wl,--defsym=harts=$(FIRMWARE_HARTS) \
		-T $(FIRMWARE_LD) -o $@ $(filter %.o,$^)
$(TARGET_B)/supervisor.elf: $(SUPERVISOR_OBJS) $(TARGET)/supervisor/supervisor.ld
	$(call say,LD,$@)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_LDFLAGS) -T $(filter %.ld,$^) -o $@ $(filter %.o,$^)
$(foreach p,$(PROGRAMS),$(eval $(TARGET_B)/$(p).elf: \
	$(patsubst %,$(TARGET_B)/obj/programs/%.o,$(p) $(EXTRA_$(p)))))
$(PROGRAMS:%=$(TARGET_B)/%.elf): $(LIB_OBJS) $(TARGET)/programs/user.ld
	$(call say,LD,$@)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_LDFLAGS) $(LDFLAGS_$(basename $(@F))) -T $(filter %.ld,$^) \
		-o $@ $(filter %.o,$^)

# The C of big is generated.
$(TARGET_B)/obj/gen_big: $(TARGET)/programs/gen_big.c $(TARGET_B)/flags
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O2 -g $(WARN) -o $@ $<
$(BIG_PARTS:%=$(TARGET_B)/obj/programs/big_%.c): $(TARGET_B)/obj/programs/big_%.c: $(TARGET_B)/obj/gen_big
	$(Q)mkdir -p $(@D)
	$(Q)$< $* > $@
$(BIG_PARTS:%=$(TARGET_B)/obj/programs/big_%.o): %.o: %.c $(TARGET_B)/flags
	$(call say,CC,$<)
	$(Q)$(TARGET_CC) $(TARGET_FLAGS) $(TARGET_CFLAGS) -I$(TARGET)/programs -MMD -MP \
		-c -o $@ $<

# The supervisor contains the stripped programs and their names.
# $(call program_holder,SOURCE,FOLDER,NAMES): assembly that includes FOLDER/NAME.elf.
define program_holder
$(3:%=$(dir $(1))stripped/%): $(dir $(1))stripped/%: $(2)/%.elf
	$(Q)mkdir -p $$(@D)
	$(Q)$(TARGET_OBJCOPY) --strip-all $$< $$@
$(1): $(TARGET)/target.mk
	$(Q)mkdir -p $$(@D)
	$(Q)for p in $(3); do \
		printf '\t.section .programs, "aw"\n\t.balign 8\n'; \
		printf 'data_%s:\n\t.incbin "$(dir $(1))stripped/%s"\n' $$$$p $$$$p; \
		printf 'name_%s:\n\t.asciz "%s"\n' $$$$p $$$$p; \
		printf '\t.data\n\t.dword name_%s, data_%s\n' $$$$p $$$$p; \
	done > $$@.new; \
	printf '\t.data\n\t.balign 8\n\t.globl programs\nprograms:\n' | cat - $$@.new > $$@; \
	printf '\t.data\n\t.dword 0, 0\n' >> $$@; rm $$@.new
$(1:.S=.o): $(1) $(3:%=$(dir $(1))stripped/%)
	$$(call say,AS,$$<)
	$(Q)$(TARGET_CC) $$(TARGET_FLAGS) -c -o $$@ $$<
endef
$(eval $(call program_holder,$(TARGET_B)/obj/supervisor/programs.S,$(TARGET_B),$(PROGRAMS)))

# $(call set_script,SCRIPT[,SUPERVISOR]): makes the target the supervisor with that
# script.
define set_script
[ "$$(stat -c %s $(1))" -lt 4096 ] || \
	{ echo "$(1): longer than 4095 bytes" >&2; exit 1; }; \
cp $(1) $@.script; truncate -s 4096 $@.script; \
$(TARGET_OBJCOPY) --update-section .scenario=$@.script $(or $(2),$(TARGET_B)/supervisor.elf) $@; \
rm $@.script
endef
$(SCENARIOS:%=$(TARGET_B)/%.elf): $(TARGET_B)/%.elf: $(TARGET_B)/supervisor.elf $(TARGET)/scenarios/%.script
	$(call say,SCRIPT,$@)
	$(Q)$(call set_script,$(TARGET)/scenarios/$*.script)

$(TARGET_B)/bins.lst: $(TARGET)/target.mk
	$(call say,GEN,$@)
	$(Q)mkdir -p $(@D)
	$(Q)printf '%s\n' 'firmware.elf firmware' 'supervisor.elf kernel' \
		$(PROGRAMS:%='%.elf user') > $@

-include $(wildcard $(TARGET_B)/obj/*/*.d)

include $(TARGET)/benchmarks/benchmarks.mk
include $(TARGET)/sampled/sampled.mk
