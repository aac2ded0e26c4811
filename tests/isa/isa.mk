# SPDX-License-Identifier: Apache-2.0
# Self-checking programs for the machine of sim/soc.h. They do not depend on the kind of
# host build, so they are in build/isa even with SAN.

ISA := build/isa
ISA_CC := riscv64-unknown-elf-gcc
ISA_CFLAGS := -march=rv64imac_zicsr_zifencei -mabi=lp64 -mcmodel=medany \
	-Isim -Itests/isa -I$(ISA)
ISA_LDFLAGS := -nostdlib -static -T tests/isa/link.ld -Wl,--no-warn-rwx-segments
# Programs that check the timing of one core, and run on that alone.
ISA_INORDER := counter-interlocks float-interlocks float-latency
ISA_OOO := $(patsubst tests/isa/%.S,%,$(wildcard tests/isa/ooo-*.S))
ISA_OTHER_CORE := $(if $(filter inorder,$(CORE)),$(ISA_OOO),$(ISA_INORDER))
# One program per source file, except the shared ones.
ISA_PROGRAMS := $(filter-out lib $(ISA_OTHER_CORE),$(patsubst tests/isa/%.S,%,$(sort $(wildcard tests/isa/*.S))))
ISA_TESTS := $(filter-out float-% copy-% disk-%,$(ISA_PROGRAMS))
ISA_ELFS := $(ISA_TESTS:%=$(ISA)/%.elf)
# Programs that need the F and D extensions, and those that check a machine without them.
ISA_WITHOUT_FLOAT := csr-warl mstatus-warl
ISA_FLOAT := $(patsubst %,$(ISA)/%.elf,$(filter float-%,$(ISA_PROGRAMS)))
# Programs that fail with case 254 on a machine that counts no events, as on the model.
ISA_SOURCES := $(wildcard tests/isa/*.S)
ISA_COUNTS := $(patsubst tests/isa/%.S,$(ISA)/%.elf,$(if $(ISA_SOURCES),$(shell grep -l COUNTS_EVENTS $(ISA_SOURCES))))
# $(call isa_model,MACHINE COMMAND,PROGRAMS)
isa_model = tests/isa/run.sh '$(1)' $(filter-out $(ISA_COUNTS),$(2)); ISA_EXIT=254 tests/isa/run.sh '$(1)' $(filter $(ISA_COUNTS),$(2))
# Programs that need the copy unit.
ISA_COPY := $(patsubst tests/isa/%.S,$(ISA)/%.elf,$(sort $(wildcard tests/isa/copy-*.S)))
# Programs that need the disk, and the file with its contents.
ISA_DISK := $(patsubst tests/isa/%.S,$(ISA)/%.elf,$(sort $(wildcard tests/isa/disk-*.S)))
ISA_DISK_FILE := $(ISA)/disk.img
# A medium that takes no time, so that a checkpoint is often taken while the hardware moves data.
ISA_DISK_QUICK := --disk-access 0 --disk-sector 1
# It reserves a line while a request is under way, which on the model these have then ended.
ISA_DISK_SLOW := disk-reserved
ISA_FLOAT_TABLES := $(ISA)/float-s.inc $(ISA)/float-d.inc
ISA_HEADERS := $(wildcard tests/isa/*.h) sim/soc.h
ISA_TABLES := $(addprefix $(ISA)/,$(addsuffix .inc,op op-imm op-32 shift-imm mul div branch amo \
	c-op c-imm c-shift))

# The reference, with extensions that the machine lacks disabled.
ISA_QEMU := qemu-system-riscv64 -M virt -m 128M -nographic -monitor none \
	-cpu rv64,priv_spec=v1.12.0,f=off,d=off,h=off,sstc=off,zba=off,zbb=off,zbc=off,zbs=off -bios
ISA_QEMU_DISK := $(filter-out -bios,$(ISA_QEMU)) -global virtio-mmio.force-legacy=false \
	-drive file=$(ISA_DISK_FILE),format=raw,if=none,id=disk,snapshot=on \
	-device virtio-blk-device,drive=disk,serial=soc-disk-of-20-bytes,bus=virtio-mmio-bus.7 -bios
ISA_QEMU_DIFFERS := $(shell sed -n 's/^\([a-z0-9-]*\):.*/\1/p' tests/isa/qemu-differs.txt)

$(ISA)/gen: tests/isa/gen.c
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O1 $(WARN) -o $@ $<

# Tables of expected results, computed on the host.
$(ISA_TABLES): $(ISA)/%.inc: $(ISA)/gen
	$(Q)$(ISA)/gen $* > $@

$(ISA)/lib.o: tests/isa/lib.S $(ISA_HEADERS) tests/isa/isa.mk
	$(call say,RVAS,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) -c -o $@ $<

$(ISA)/%.elf: tests/isa/%.S $(ISA)/lib.o $(ISA_TABLES) $(ISA_HEADERS) tests/isa/link.ld
	$(call say,RVAS,$<)
	$(Q)$(ISA_CC) $(ISA_CFLAGS) $(ISA_LDFLAGS) -o $@ $(ISA)/lib.o $<

$(ISA)/gen-float: tests/isa/gen-float.c
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) -std=c11 -O1 -frounding-math $(WARN) -o $@ $< -lm

$(ISA_FLOAT_TABLES): $(ISA)/float-%.inc: $(ISA)/gen-float
	$(Q)$(ISA)/gen-float $* > $@

$(ISA_FLOAT): ISA_CFLAGS += -march=rv64gc
$(ISA_FLOAT): $(ISA_FLOAT_TABLES)

$(ISA_DISK_FILE): tests/isa/isa.mk
	$(Q)mkdir -p $(@D); seq -f %07.0f 0 8191 > $@

.PHONY: isa test-isa test-isa-traced test-isa-hardware isa-qemu
isa: $(ISA_ELFS) $(ISA_FLOAT) $(ISA_COPY) $(ISA_DISK) ## Build the self-checking programs
test-isa: $(ISA_ELFS) $(ISA_FLOAT) $(ISA_COPY) $(ISA_DISK) $(ISA_DISK_FILE) $(B)/bin/soc-model ## Run the self-checking programs on the model
	$(Q)$(call isa_model,$(B)/bin/soc-model,$(ISA_ELFS))
	$(Q)$(call isa_model,$(B)/bin/soc-model --isa rv64gc,$(filter-out $(ISA_WITHOUT_FLOAT:%=$(ISA)/%.elf),$(ISA_ELFS)) $(ISA_FLOAT))
	$(Q)tests/isa/run.sh '$(B)/bin/soc-model --copy-unit' $(ISA_COPY)
	$(Q)for options in '' '--disk-access 1000001'; do \
		tests/isa/run.sh "$(B)/bin/soc-model --disk $(ISA_DISK_FILE) $$options" $(ISA_DISK) || exit 1; done
	$(Q)tests/isa/run.sh '$(B)/bin/soc-model --disk $(ISA_DISK_FILE) $(ISA_DISK_QUICK)' $(filter-out %/$(ISA_DISK_SLOW).elf,$(ISA_DISK))
test-isa-traced: $(ISA_ELFS) $(ISA_FLOAT) $(ISA_COPY) $(ISA_DISK) $(ISA_DISK_FILE) $(B)/bin/soc-model ## Run the self-checking programs while the model writes its trace
	$(Q)$(call isa_model,$(B)/bin/soc-model --trace /dev/null,$(ISA_ELFS))
	$(Q)$(call isa_model,$(B)/bin/soc-model --isa rv64gc --trace /dev/null,$(ISA_FLOAT))
	$(Q)tests/isa/run.sh '$(B)/bin/soc-model --copy-unit --trace /dev/null' $(ISA_COPY)
	$(Q)tests/isa/run.sh '$(B)/bin/soc-model --disk $(ISA_DISK_FILE) --trace /dev/null' $(ISA_DISK)
test-isa-hardware: $(ISA_ELFS) $(ISA_FLOAT) $(ISA_COPY) $(ISA_DISK) $(ISA_DISK_FILE) $(B)/bin/soc-sim ## Run the self-checking programs on the hardware, and in lockstep
	$(Q)tests/isa/run.sh $(B)/bin/soc-sim $(ISA_ELFS)
	$(Q)tests/isa/run.sh '$(B)/bin/soc-sim --lockstep' $(ISA_ELFS)
	$(Q)tests/isa/run.sh '$(B)/bin/soc-sim --isa rv64gc' $(ISA_FLOAT)
	$(Q)tests/isa/run.sh '$(B)/bin/soc-sim --isa rv64gc --trace /dev/null' $(ISA_FLOAT)
	$(Q)tests/isa/run.sh '$(B)/bin/soc-sim --isa rv64gc --lockstep' $(filter-out $(ISA_WITHOUT_FLOAT:%=$(ISA)/%.elf),$(ISA_ELFS)) $(ISA_FLOAT)
	$(Q)for options in '' '--no-skip' '--lockstep' '--lockstep --l2-latency 1 --dram-latency 3'; do \
		tests/isa/run.sh "$(B)/bin/soc-sim --copy-unit $$options" $(ISA_COPY) || exit 1; done
	$(Q)for options in '' '--no-skip' '--lockstep' '--lockstep $(ISA_DISK_QUICK)' '--lockstep --l2-latency 1 --dram-latency 3'; do \
		tests/isa/run.sh "$(B)/bin/soc-sim --disk $(ISA_DISK_FILE) $$options" $(ISA_DISK) || exit 1; done
# Programs that two machines pass on to each other by checkpoints: not those that count events, which
# the model does not, not the one with input, which the first machine has read, and not the one that
# measures steps of mtime, since the out-of-order core begins 1,024 cycles after it resumes.
ISA_PASSED = $(filter-out $(ISA_COUNTS) $(addprefix $(ISA)/,counter-timebase.elf dev-uart-receive.elf),$(ISA_ELFS))
# $(call isa_pass_on,MACHINE COMMAND,OTHER COMMAND,PROGRAMS,CYCLES...)
isa_pass_on = for cycles in $(4); do CHECKPOINT_FIRST='$(1)' CHECKPOINT_SECOND='$(2)' ISA_TIMEOUT=200 \
	tests/isa/run.sh "tests/isa/checkpoint.sh $$cycles" $(3) || exit 1; done
# $(call isa_pass_random,MACHINE COMMAND,OTHER COMMAND)
isa_pass_random = CHECKPOINT_FIRST='$(1)' CHECKPOINT_SECOND='$(2)' RANDOM_PROGRAM=$(B)/random/random-program RANDOM_SEEDS=/dev/null \
	RANDOM_TIMEOUT=200 tests/random/run.sh 'tests/isa/checkpoint.sh 20000' 1 5 60000
.PHONY: test-checkpoint test-checkpoint-cores
test-checkpoint test-checkpoint-cores: export RANDOM_WORK = $(RANDOM_DIR)/$@
test-checkpoint: $(ISA_ELFS) $(ISA_FLOAT) $(ISA_DISK) $(ISA_DISK_FILE) $(B)/bin/soc-model $(B)/bin/soc-sim $(B)/random/random-program ## Pass programs on by checkpoints, from the hardware to the model and back
	$(Q)$(call isa_pass_on,$(B)/bin/soc-sim --lockstep,$(B)/bin/soc-model,$(ISA_PASSED),300 1000)
	$(Q)$(call isa_pass_on,$(B)/bin/soc-sim,$(B)/bin/soc-sim --lockstep,$(ISA_PASSED),600)
	$(Q)$(call isa_pass_on,$(B)/bin/soc-sim --isa rv64gc --lockstep,$(B)/bin/soc-model,$(filter-out $(ISA_COUNTS),$(ISA_FLOAT)),5000)
	$(Q)$(call isa_pass_on,$(B)/bin/soc-sim --harts 2 --lockstep,$(B)/bin/soc-model,$(filter-out $(SMP_HARDWARE),$(SMP_ELFS)),2000)
	$(Q)$(call isa_pass_on,$(B)/bin/soc-sim --disk $(ISA_DISK_FILE) --lockstep,$(B)/bin/soc-model --disk $(ISA_DISK_FILE),$(ISA_DISK),9000)
	$(Q)$(call isa_pass_on,$(B)/bin/soc-sim --disk $(ISA_DISK_FILE) $(ISA_DISK_QUICK),$(B)/bin/soc-sim --disk $(ISA_DISK_FILE) $(ISA_DISK_QUICK) --lockstep,$(ISA_DISK),300 1100 2000)
	$(Q)export CHECKPOINT_OPTIONS=--checkpoint-warm; $(call isa_pass_on,$(B)/bin/soc-sim --lockstep,$(B)/bin/soc-model,$(ISA_PASSED),1000)
	$(Q)export CHECKPOINT_OPTIONS=--checkpoint-warm; \
		$(call isa_pass_on,$(B)/bin/soc-sim --disk $(ISA_DISK_FILE) --lockstep,$(B)/bin/soc-model --disk $(ISA_DISK_FILE),$(ISA_DISK),2500)
	$(Q)$(call isa_pass_random,$(B)/bin/soc-sim --lockstep,$(B)/bin/soc-sim)
test-checkpoint-cores: $(ISA_ELFS) $(ISA_DISK) $(ISA_DISK_FILE) $(B)/bin/soc-sim $(B)/bin/soc-sim-ooo $(B)/random/random-program ## Pass them on from either core to the other
	$(Q)$(call isa_pass_on,$(B)/bin/soc-sim --lockstep,$(B)/bin/soc-sim --core ooo --lockstep,$(ISA_PASSED),300 1000)
	$(Q)$(call isa_pass_on,$(B)/bin/soc-sim --disk $(ISA_DISK_FILE) $(ISA_DISK_QUICK) --lockstep,$(B)/bin/soc-sim --core ooo --disk $(ISA_DISK_FILE) $(ISA_DISK_QUICK) --lockstep,$(ISA_DISK),700 2000)
	$(Q)export CHECKPOINT_OPTIONS=--checkpoint-warm; \
		$(call isa_pass_on,$(B)/bin/soc-sim --core ooo --disk $(ISA_DISK_FILE) --lockstep,$(B)/bin/soc-sim --disk $(ISA_DISK_FILE) --lockstep,$(ISA_PASSED) $(ISA_DISK),2500)
	$(Q)$(call isa_pass_random,$(B)/bin/soc-sim --core ooo --lockstep,$(B)/bin/soc-sim --lockstep)
# QEMU has another opinion of features alone, and a clock of its own.
isa-qemu: $(ISA_ELFS) $(ISA_FLOAT) $(ISA)/disk-requests.elf $(ISA_DISK_FILE) ## Run the self-checking programs on QEMU, except where it differs
	$(Q)tests/isa/run.sh '$(ISA_QEMU)' \
		$(filter-out $(ISA_QEMU_DIFFERS:%=$(ISA)/%.elf),$(ISA_ELFS))
	$(Q)tests/isa/run.sh '$(subst f=off$(comma)d=off$(comma),,$(ISA_QEMU))' \
		$(filter-out $(ISA_QEMU_DIFFERS:%=$(ISA)/%.elf),$(ISA_FLOAT))
	$(Q)tests/isa/run.sh '$(ISA_QEMU_DISK)' $(ISA)/disk-requests.elf
