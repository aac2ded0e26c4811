# SPDX-License-Identifier: Apache-2.0
# The functional model: a library.

MODEL := $(addprefix sim/model/,access.c block.c bus.c cause.c copy.c csr.c csr_write.c decode.c \
	decode16.c decode_float.c disk.c float.c float_compare.c float_insn.c hart_run.c harts.c interp.c interp_recorded.c load.c \
	log.c mmu.c model.c old_code.c plic.c pmp.c state.c step.c tables.c trap.c uart.c uses.c virtio.c)
MODEL_OBJS := $(MODEL:%.c=$(B)/obj/%.o)
OBJS += $(MODEL_OBJS)

# Each operation keeps its own indirect jump, which threaded code relies on; clang does
# not merge them.
CFLAGS_sim/model/interp.c := $(if $(findstring clang,$(CC)),,-fno-gcse -fno-crossjumping)
CFLAGS_sim/model/interp_recorded.c := $(CFLAGS_sim/model/interp.c)

$(B)/libsocmodel.a: $(MODEL_OBJS)
	$(call say,AR,$@)
	$(Q)rm -f $@; ar rcs $@ $^

# Unit tests of the model link it as well.
$(patsubst tests/unit/%.c,$(B)/unit/%,$(wildcard tests/unit/soc-*.c)): $(B)/libsocmodel.a
