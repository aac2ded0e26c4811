# SPDX-License-Identifier: Apache-2.0
# The ELF files that the unit tests of the image library open.

IMAGE_DIR := build/image-fixtures
IMAGE_SRC := tests/image
IMAGE_CC := riscv64-unknown-elf-gcc
IMAGE_CFLAGS := -O2 -ffunction-sections -freorder-blocks-and-partition \
	-nostdlib -Wl,--gc-sections -Wl,--build-id -Wl,-e,_start

IMAGE_FIXTURES := $(addprefix $(IMAGE_DIR)/,linked.so linked-stripped.so linked32.so linked32-stripped.so dwarf5.elf dwarf4.elf nodwarf.elf \
	stripped.elf rv32.elf lto.elf scopes.elf object.o program.elf program.symbols \
	tables.elf tables-stripped.elf tables32.elf tables32-stripped.elf dynamic.so dynamic-stripped.so \
	separate.elf separate.debug linked.elf other.debug module.ko \
	inlined-5.elf inlined-4.elf inlined-lto.elf inlined-class.elf indexed.elf alternate.elf \
	inlined-5.places inlined-4.places inlined-lto.places inlined-class.places)

$(IMAGE_FIXTURES): tests/image/image.mk | $(IMAGE_DIR)
$(IMAGE_DIR):
	$(Q)mkdir -p $@

IMAGE_BOTH := $(IMAGE_SRC)/functions.c $(IMAGE_SRC)/labels.S
image_link = $(IMAGE_CC) $(IMAGE_CFLAGS) $(1) -o $@ $(filter %.c %.cc %.S,$^)

$(IMAGE_DIR)/dwarf5.elf: $(IMAGE_BOTH)
	$(call say,ELF,$@)
	$(Q)$(call image_link,-gdwarf-5)
$(IMAGE_DIR)/dwarf4.elf: $(IMAGE_BOTH)
	$(call say,ELF,$@)
	$(Q)$(call image_link,-gdwarf-4)
$(IMAGE_DIR)/nodwarf.elf: $(IMAGE_BOTH)
	$(call say,ELF,$@)
	$(Q)$(call image_link,)
$(IMAGE_DIR)/rv32.elf: $(IMAGE_BOTH)
	$(call say,ELF,$@)
	$(Q)$(call image_link,-g -march=rv32imac -mabi=ilp32)
$(IMAGE_DIR)/lto.elf: $(IMAGE_BOTH)
	$(call say,ELF,$@)
	$(Q)$(call image_link,-g -flto)
$(IMAGE_DIR)/scopes.elf: $(IMAGE_SRC)/scopes.cc $(IMAGE_SRC)/labels.S
	$(call say,ELF,$@)
	$(Q)$(call image_link,-g -fno-inline -fno-exceptions -ffreestanding)
$(IMAGE_DIR)/object.o: $(IMAGE_SRC)/functions.c
	$(call say,ELF,$@)
	$(Q)$(call image_link,-g -c)
$(IMAGE_DIR)/stripped.elf: $(IMAGE_DIR)/dwarf5.elf
	$(call say,ELF,$@)
	$(Q)riscv64-unknown-elf-strip -s -o $@ $<

# Unwind tables; a shared object, with the compiler of Debian's riscv64, and the symbol that
# newer linkers add to its stubs.
IMAGE_TABLES := -fasynchronous-unwind-tables
$(IMAGE_DIR)/tables.elf: $(IMAGE_BOTH)
	$(call say,ELF,$@)
	$(Q)$(call image_link,$(IMAGE_TABLES))
$(IMAGE_DIR)/tables32.elf: $(IMAGE_BOTH)
	$(call say,ELF,$@)
	$(Q)$(call image_link,$(IMAGE_TABLES) -march=rv32imac -mabi=ilp32)
$(IMAGE_DIR)/dynamic.so: $(IMAGE_SRC)/dynamic.cc
	$(call say,ELF,$@)
	$(Q)riscv64-linux-gnu-gcc -O2 -nostdlib -shared -fPIC -o $@ $<
	$(Q)riscv64-linux-gnu-objcopy --add-symbol _PROCEDURE_LINKAGE_TABLE_=.plt:0,local,object $@
$(IMAGE_DIR)/%-stripped.elf: $(IMAGE_DIR)/%.elf
	$(Q)riscv64-unknown-elf-strip -s -o $@ $<
$(IMAGE_DIR)/%-stripped.so: $(IMAGE_DIR)/%.so
	$(Q)riscv64-unknown-elf-strip -s -o $@ $<

$(IMAGE_DIR)/module.ko: $(IMAGE_SRC)/module.S
	$(call say,ELF,$@)
	$(Q)riscv64-linux-gnu-gcc -march=rv64ima -mabi=lp64 -mno-relax -c -o $@ $<
# Debug information in a file of its own, found by build-id or by link, and that of
# another build.
$(IMAGE_DIR)/separate.elf: $(IMAGE_DIR)/dwarf5.elf
	$(Q)riscv64-unknown-elf-strip -s -o $@ $<
$(IMAGE_DIR)/separate.debug: $(IMAGE_DIR)/dwarf5.elf
	$(Q)$(TARGET_OBJCOPY) --only-keep-debug $< $@
$(IMAGE_DIR)/other.debug: $(IMAGE_DIR)/dwarf4.elf
	$(Q)$(TARGET_OBJCOPY) --only-keep-debug $< $@
$(IMAGE_DIR)/linked.elf: $(IMAGE_DIR)/separate.elf $(IMAGE_DIR)/separate.debug
	$(Q)$(TARGET_OBJCOPY) --add-gnu-debuglink=$(IMAGE_DIR)/separate.debug $< $@

# A shared object, with a linkage table and without unwind tables.
$(IMAGE_DIR)/linked.so: $(IMAGE_SRC)/linked.c
	$(call say,ELF,$@)
	$(Q)riscv64-linux-gnu-gcc -O1 -foptimize-sibling-calls -fPIC -fvisibility=hidden \
		-fno-asynchronous-unwind-tables -shared -nostdlib -o $@ $<
$(IMAGE_DIR)/linked32.so: $(IMAGE_SRC)/linked.c
	$(call say,ELF,$@)
	$(Q)riscv64-linux-gnu-gcc -march=rv32imac -mabi=ilp32 -O1 -foptimize-sibling-calls -fPIC -fvisibility=hidden \
		-fno-asynchronous-unwind-tables -shared -nostdlib -o $@ $<
$(IMAGE_DIR)/linked-stripped.so: $(IMAGE_DIR)/linked.so
	$(call say,ELF,$@)
	$(Q)riscv64-linux-gnu-strip -o $@ $<

# Inlined calls, and addr2line's output for each instruction: the calls from the innermost
# outwards, and the file and line.
IMAGE_INLINED := $(IMAGE_SRC)/inlined.c $(IMAGE_SRC)/inlined_other.c $(IMAGE_SRC)/inlined.h
$(IMAGE_DIR)/inlined-5.elf: $(IMAGE_INLINED)
	$(call say,ELF,$@)
	$(Q)$(call image_link,-gdwarf-5)
$(IMAGE_DIR)/inlined-4.elf: $(IMAGE_INLINED)
	$(call say,ELF,$@)
	$(Q)$(call image_link,-gdwarf-4)
$(IMAGE_DIR)/inlined-lto.elf: $(IMAGE_INLINED)
	$(call say,ELF,$@)
	$(Q)$(call image_link,-g -flto)
$(IMAGE_DIR)/inlined-class.elf: $(IMAGE_SRC)/inlined.cc
	$(call say,ELF,$@)
	$(Q)$(call image_link,-g -fno-exceptions -ffreestanding)
$(IMAGE_DIR)/indexed.elf $(IMAGE_DIR)/alternate.elf: $(IMAGE_DIR)/%.elf: $(IMAGE_SRC)/%.S
	$(call say,ELF,$@)
	$(Q)$(IMAGE_CC) -march=rv64imac -mabi=lp64 -mno-relax -nostdlib -o $@ $<
$(IMAGE_DIR)/%.places: $(IMAGE_DIR)/%.elf
	$(Q)riscv64-unknown-elf-objdump -d $< | sed -nE 's/^ +([0-9a-f]+):\t.*/\1/p' \
		| riscv64-unknown-elf-addr2line -a -f -i -C -e $< | awk '\
		/^0x/ { if (NR > 1) print line; line = calls = ""; address = $$1; n = 0; next } \
		n++ % 2 == 0 { calls = calls " " $$0; next } \
		n == 2 { sub(/ .*/, ""); sub(/.*\//, ""); place = $$0 } \
		{ line = address calls " " place } END { print line }' > $@

# A whole program with its C library, and readelf's output for its symbols.
$(IMAGE_DIR)/program.elf: $(IMAGE_SRC)/program.c
	$(call say,ELF,$@)
	$(Q)$(IMAGE_CC) --specs=picolibc.specs --oslib=semihost -march=rv64imac \
		-mabi=lp64 -mcmodel=medany -O2 -g -o $@ $<
$(IMAGE_DIR)/program.symbols: $(IMAGE_DIR)/program.elf
	$(Q)riscv64-unknown-elf-readelf -sW $< > $@

IMAGE_TESTS := $(filter image-%,$(basename $(notdir $(wildcard tests/unit/image-*.c))))
$(foreach t,$(IMAGE_TESTS),$(eval \
	CFLAGS_tests/unit/$(t).c := -Itests/image -DFIXTURES='"$(IMAGE_DIR)"'))
test-unit: | $(IMAGE_FIXTURES)
