# SPDX-License-Identifier: Apache-2.0
# The library and the filters.

TR_OBJS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard filters/lib/*/*.c))
OBJS += $(TR_OBJS)
$(B)/libtr.a: $(TR_OBJS)
	$(call say,AR,$@)
	$(Q)rm -f $@; ar rcs $@ $^

# What runs for every row: gcc would pack its numbers into vectors, and take them out
# again for each.
ROW_LOOPS := stream/codec_rows stream/reader_stacks stream/writer_rows stream/writer_stacks \
	match/match profile/profile_take unwind/unwind_rows unwind/unwind_flow unwind/unwind_stack
$(foreach f,$(ROW_LOOPS),$(eval CFLAGS_filters/lib/$f.c := -fno-tree-slp-vectorize))

FILTERS := $(basename $(notdir $(wildcard filters/tr-*.c)))
$(foreach f,$(FILTERS),$(eval $(call program,$(f),filters/$(f).c)))
