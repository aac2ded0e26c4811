# SPDX-License-Identifier: Apache-2.0
# The sink for cores of others: build/lib/libtr_trace.a and .so, which trace_sink.sv calls.

TRACE_LIBS := $(B)/lib/libtr_trace.a $(B)/lib/libtr_trace.so
TRACE_OWN := $(patsubst %.c,$(B)/pic/%.o,$(wildcard rtl/trace/*.c))
TRACE_OBJS := $(TRACE_OWN) $(patsubst %.c,$(B)/pic/%.o,$(wildcard filters/lib/base/*.c filters/lib/stream/*.c))
OBJS += $(TRACE_OBJS)
all: $(TRACE_LIBS)

# Part of a shared library, and of programs that are linked with it.
$(B)/pic/%.o: %.c $(B)/flags
	$(call say,CC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(CC) $(CPPFLAGS) -isystem $(VERILATOR_ROOT)/include/vltstd $(CFLAGS) -fPIC -MMD -MP -c -o $@ $<

$(B)/lib/libtr_trace.a: $(TRACE_OBJS)
	$(call say,AR,$@)
	$(Q)mkdir -p $(@D)
	$(Q)rm -f $@; ar rcs $@ $^

# The simulator that loads it has the functions of svdpi.h.
$(B)/lib/libtr_trace.so: $(TRACE_OWN) $(B)/lib/libtr_trace.a
	$(call say,LD,$@)
	$(Q)$(CC) $(LDFLAGS) -shared -Wl,--exclude-libs,ALL -Wl,--gc-sections -o $@ $^ -lzstd -lxxhash

# The example: a small core, and a program for it, in build/small.
SMALL := $(B)/small
SMALL_RTL := rtl/trace/example/small_pkg.sv $(filter-out %_pkg.sv %/bind.sv %/testbench.sv %/small_reasons.sv,$(sort $(wildcard rtl/trace/example/*.sv)))
SMALL_SIM := $(SMALL_RTL) $(addprefix rtl/trace/,example/testbench.sv example/small_reasons.sv trace_sink.sv example/bind.sv)
SMALL_CC := riscv64-unknown-elf-gcc
SMALL_CFLAGS := -march=rv32imc_zicsr -mabi=ilp32 -O2 -g -ffreestanding -msave-restore $(WARN) -fdebug-prefix-map="$$PWD"=.
# Debian's gcc has no libraries for rv32imc: those for rv32im are linked.
SMALL_LDFLAGS := -march=rv32im -mabi=ilp32 -nostdlib -static -T rtl/trace/example/small.ld -Wl,--build-id=sha1 \
	-Wl,--no-warn-rwx-segments
SMALL_OBJS := $(addprefix $(SMALL)/,start.o trap.o main.o)
OBJS += $(SMALL_OBJS)
# $(call verilate,NAME,ARGUMENTS): the program build/small/NAME. Its output is shown if it fails.
# Verilator does not link again when only the library has changed.
verilate = mkdir -p $(SMALL); rm -f $@; verilator --binary -O3 -Mdir $(SMALL)/$(1).verilated -o ../$(1) $(2) $(abspath $(B)/lib/libtr_trace.a) \
	-LDFLAGS '$(SANFLAGS) -lzstd -lxxhash' > $(SMALL)/$(1).log 2>&1 || { cat $(SMALL)/$(1).log; exit 1; }

$(SMALL)/sim: $(SMALL_SIM) $(B)/lib/libtr_trace.a
	$(call without_spaces,the small core)
	$(call say,VERIL,$@)
	$(Q)$(call verilate,sim,--top-module testbench $(SMALL_SIM))

$(SMALL)/%.o: rtl/trace/example/%.c
	$(call say,RVCC,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(SMALL_CC) $(SMALL_CFLAGS) -MMD -MP -c -o $@ $<
$(SMALL)/%.o: rtl/trace/example/%.S
	$(call say,RVAS,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(SMALL_CC) $(SMALL_CFLAGS) -c -o $@ $<
$(SMALL)/example.elf: $(SMALL_OBJS) rtl/trace/example/small.ld
	$(call say,RVLD,$@)
	$(Q)$(SMALL_CC) $(SMALL_LDFLAGS) -o $@ $(SMALL_OBJS) -lgcc
# Words for $readmemh.
$(SMALL)/%.hex: $(SMALL)/%.elf
	$(Q)riscv64-unknown-elf-objcopy -O binary $< $(@:.hex=.bin)
	$(Q)od -An -v -tx4 -w4 $(@:.hex=.bin) > $@

.PHONY: small-core
small-core: $(addprefix $(SMALL)/,sim example.hex) $(FILTERS:%=$(B)/bin/%) $(TRACE_LIBS) ## Profile the program of a small core, by the sink and the filters
	$(call say,TRACE,$(SMALL)/example.svg)
	$(Q)PATH=$$PWD/$(B)/bin:$$PATH; cd $(SMALL); \
	tr-capture -- ./sim +program=example.hex 2> console.txt | tr-match --bins example.elf | tr-unwind \
		| tr-fold --svg example.svg > example.folded

.PHONY: trace-lint
trace-lint: ## Lint the sink and the small core
	$(call say,LINT,rtl/trace)
	$(Q)verilator --lint-only -Wall rtl/trace/trace_sink.sv
	$(Q)verilator --lint-only -Wall -GNRET=4 -GXLEN=64 '-GClasses="a,b"' '-GCounters="a,b"' -GNCounters=2 '-GFlags="a"' "-GHasLoad=1'b1" rtl/trace/trace_sink.sv
	$(Q)verilator --lint-only -Wall rtl/trace/example/small_reasons.sv
	$(Q)verilator --lint-only -Wall --top-module small_core $(SMALL_RTL)
