# SPDX-License-Identifier: Apache-2.0
# Self-checking programs for the machine of sim/soc.h. They are the same for
# every kind of host build, so they live in build/isa, whatever SAN says.

ISA := build/isa
ISA_CC := riscv64-unknown-elf-gcc
ISA_CFLAGS := -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany \
	-Isim -Itests/isa -I$(ISA)
ISA_LDFLAGS := -nostdlib -static -T tests/isa/link.ld -Wl,--no-warn-rwx-segments
# One program for each source but the common one.
ISA_TESTS := $(filter-out lib,$(patsubst tests/isa/%.S,%,$(sort $(wildcard tests/isa/*.S))))
ISA_ELFS := $(ISA_TESTS:%=$(ISA)/%.elf)
ISA_HEADERS := $(wildcard tests/isa/*.h) sim/soc.h
ISA_TABLES := $(addprefix $(ISA)/,$(addsuffix .inc,op op-imm op-32 shift-imm mul div branch amo \
	c-op c-imm c-shift))

# The reference, with the extensions that the machine has not switched off.
ISA_QEMU := qemu-system-riscv64 -M virt -m 128M -nographic -monitor none \
	-cpu rv64,priv_spec=v1.12.0,f=off,d=off,h=off,sstc=off,zba=off,zbb=off,zbc=off,zbs=off -bios
ISA_QEMU_DIFFERS := $(shell sed -n 's/^\([a-z0-9-]*\):.*/\1/p' tests/isa/qemu-differs.txt)

$(ISA)/gen: tests/isa/gen.c
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O1 $(WARN) -o $@ $<

# The tables of expected results, computed on the host.
$(ISA_TABLES): $(ISA)/%.inc: $(ISA)/gen
	$(Q)$(ISA)/gen $* > $@

$(ISA)/lib.o: tests/isa/lib.S $(ISA_HEADERS) tests/isa/isa.mk
	$(call say,RVAS,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) -c -o $@ $<

$(ISA)/%.elf: tests/isa/%.S $(ISA)/lib.o $(ISA_TABLES) $(ISA_HEADERS) tests/isa/link.ld
	$(call say,RVAS,$<)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) $(ISA_LDFLAGS) -o $@ $(ISA)/lib.o $<

.PHONY: isa test-isa test-isa-traced test-isa-hardware isa-qemu
isa: $(ISA_ELFS) ## Build the self-checking programs
test-isa: $(ISA_ELFS) $(B)/bin/soc-model ## Run the self-checking programs on the model
	$(Q)tests/isa/run.sh $(B)/bin/soc-model $(ISA_ELFS)
test-isa-traced: $(ISA_ELFS) $(B)/bin/soc-model ## Run the self-checking programs while the model writes its trace
	$(Q)tests/isa/run.sh '$(B)/bin/soc-model --trace /dev/null' $(ISA_ELFS)
test-isa-hardware: $(ISA_ELFS) $(B)/bin/soc-sim ## Run the self-checking programs on the hardware, alone and in lockstep with the model
	$(Q)tests/isa/run.sh $(B)/bin/soc-sim $(ISA_ELFS)
	$(Q)tests/isa/run.sh '$(B)/bin/soc-sim --lockstep' $(ISA_ELFS)
isa-qemu: $(ISA_ELFS) ## Run the self-checking programs on QEMU, where it can judge
	$(Q)tests/isa/run.sh '$(ISA_QEMU)' \
		$(filter-out $(ISA_QEMU_DIFFERS:%=$(ISA)/%.elf),$(ISA_ELFS))
