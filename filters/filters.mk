# SPDX-License-Identifier: Apache-2.0
# The library and the filters.

# Scripts and styles embedded in pictures, as lines of C.
EMBEDDED := $(patsubst filters/lib/%,$(B)/embedded/%.inc,$(wildcard filters/lib/*/*.js filters/lib/*/*.css))
$(B)/embedded/%.inc: filters/lib/%
	$(Q)mkdir -p $(@D); sed '/SPDX-License-Identifier/d; s/[\\"]/\\&/g; s/.*/"&",/' $< > $@

# Messages in protobuf's encoding, which protoc-c compiles to C.
PROTOS := $(wildcard filters/lib/*/*.proto)
PROTO_SOURCES := $(PROTOS:filters/lib/%.proto=$(B)/embedded/%.pb-c.c)
$(B)/embedded/%.pb-c.c $(B)/embedded/%.pb-c.h: filters/lib/%.proto
	$(Q)mkdir -p $(@D); protoc-c --proto_path=filters/lib --c_out=$(B)/embedded $<
PROTO_OBJS := $(PROTO_SOURCES:%.c=%.o)
$(PROTO_OBJS): %.o: %.c $(B)/flags
	$(call say,CC,$<)
	$(Q)$(CC) $(CPPFLAGS) -std=c11 -O2 $(SANFLAGS) -c -o $@ $<

# The names of system calls.
SYSCALLS := $(B)/embedded/timeline/syscalls.inc
$(SYSCALLS): filters/lib/timeline/syscalls_unistd.h filters/lib/timeline/syscalls.awk
	$(Q)mkdir -p $(@D); $(CC) -E -dM $< | awk -f filters/lib/timeline/syscalls.awk > $@

TR_OBJS := $(patsubst %.c,$(B)/obj/%.o,$(wildcard filters/lib/*/*.c))
OBJS += $(TR_OBJS)
$(TR_OBJS): | $(EMBEDDED) $(PROTO_SOURCES) $(SYSCALLS)
$(B)/libtr.a: $(TR_OBJS) $(PROTO_OBJS)
	$(call say,AR,$@)
	$(Q)rm -f $@; ar rcs $@ $^

# The part for programs of others, which reads and writes streams: it needs no more than
# these libraries. Its headers are PUBLIC_HEADERS.
STREAM_LIBS := -lzstd -lxxhash -lpthread
STREAM_OBJS := $(filter $(B)/obj/filters/lib/stream/%,$(TR_OBJS)) $(patsubst %,$(B)/obj/filters/lib/base/%.o,buffer map status utf8)
$(B)/libtrstream.a: $(STREAM_OBJS)
	$(call say,AR,$@)
	$(Q)rm -f $@; ar rcs $@ $^

# gcc would pack the fields of a row into vectors and unpack them again for each row.
$(TR_OBJS): CFLAGS += -fno-tree-slp-vectorize

FILTERS := $(basename $(notdir $(wildcard filters/tr-*.c)))
$(foreach f,$(FILTERS),$(eval $(call program,$(f),filters/$(f).c)))
