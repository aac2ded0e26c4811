# SPDX-License-Identifier: Apache-2.0
# The library and the filters.

# Scripts and styles embedded in pictures, as lines of C.
EMBEDDED := $(patsubst filters/lib/%,$(B)/embedded/%.inc,$(wildcard filters/lib/*/*.js filters/lib/*/*.css))
$(B)/embedded/%.inc: filters/lib/%
	$(Q)mkdir -p $(@D); sed '/SPDX-License-Identifier/d; s/[\\"]/\\&/g; s/.*/"&",/' $< > $@

TR_OBJS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard filters/lib/*/*.c))
OBJS += $(TR_OBJS)
$(TR_OBJS): | $(EMBEDDED)
$(B)/libtr.a: $(TR_OBJS)
	$(call say,AR,$@)
	$(Q)rm -f $@; ar rcs $@ $^

# gcc would pack the fields of a row into vectors and unpack them again for each row.
$(TR_OBJS): CFLAGS += -fno-tree-slp-vectorize

FILTERS := $(basename $(notdir $(wildcard filters/tr-*.c)))
$(foreach f,$(FILTERS),$(eval $(call program,$(f),filters/$(f).c)))
