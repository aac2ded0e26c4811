# SPDX-License-Identifier: Apache-2.0
# The run-time profiler: programs of the target, static, with musl, in build/linux-prof/bin/.
# prof-extract and prof-counts, which need no target, are also programs of the host, and the
# files that they write are the same.

PROF := sim/target/profiler
PROF_B := build/linux-prof
# A main program is prof-NAME.c; all others are modules. Those of inject/ use ptrace and the
# registers of the target, those of daemon/ its kernel.
PROF_PROGRAMS := $(basename $(notdir $(wildcard $(PROF)/prof-*.c)))
PROF_HOST := $(filter-out $(PROF)/prof-%,$(wildcard $(PROF)/*.c)) $(wildcard $(PROF)/extract/*.c)
PROF_MODULES := $(PROF_HOST) $(wildcard $(PROF)/inject/*.c $(PROF)/daemon/*.c)
PROF_TARGET_ONLY := prof-inject prof-daemon

# What the modules need of the library.
PROF_LIBRARY := $(wildcard filters/lib/stubs/*.c) $(addprefix filters/lib/,base/csv.c base/status.c base/utf8.c stream/decode.c)

$(foreach p,$(filter-out $(PROF_TARGET_ONLY),$(PROF_PROGRAMS)),$(eval $(call program,$(p),$(PROF)/$(p).c $(PROF_HOST))))

# For a scheduler, which includes prof.h.
all: $(B)/libprof.a
$(B)/libprof.a: $(patsubst %.c,$(B)/obj/%.o,$(PROF_HOST) $(PROF_LIBRARY))
	$(call say,AR,$@)
	$(Q)rm -f $@; ar rcs $@ $^

# --- the target's

PROF_CFLAGS := $(call linux_cflags,$(PROF_B)) $(GC_ARCH) -ffunction-sections
PROF_CPPFLAGS := -D_GNU_SOURCE -Ifilters/lib -Isim
PROF_LDFLAGS := -static -Wl,--build-id=sha1 -Wl,--fatal-warnings -Wl,--gc-sections
PROF_OBJS := $(patsubst %.c,$(PROF_B)/obj/%.o,$(PROF_MODULES) $(PROF_LIBRARY))
# The injector's.
PROF_OBJS += $(PROF_B)/obj/sim/run/trouble.o

$(eval $(call linux_text,$(PROF_B)/profiler.flags,$(call linux_anywhere,$(PROF_CPPFLAGS) $(PROF_CFLAGS) $(TARGET_CFLAGS) $(PROF_LDFLAGS))))
$(PROF_B)/obj/%.o: %.c $(PROF_B)/profiler.flags $(GC_MUSL_READY)
	$(call say,CC,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_MUSL) $(PROF_CPPFLAGS) $(PROF_CFLAGS) $(TARGET_CFLAGS) -MMD -MP -c -o $@ $<
-include $(PROF_OBJS:.o=.d) $(PROF_PROGRAMS:%=$(PROF_B)/obj/$(PROF)/%.d)
$(PROF_B)/libprof.a: $(PROF_OBJS)
	$(call say,AR,$@)
	$(Q)rm -f $@; $(LINUX_CROSS)ar rcs $@ $^
$(PROF_B)/bin/%: $(PROF_B)/obj/$(PROF)/%.o $(PROF_B)/libprof.a
	$(call say,LD,$@)
	$(Q)mkdir -p $(@D)
	$(Q)$(GC_MUSL) $(GC_ARCH) $(PROF_LDFLAGS) -o $@ $^
.PRECIOUS: $(PROF_B)/obj/%.o

.PHONY: linux-prof-programs
linux-prof-programs: $(PROF_PROGRAMS:%=$(PROF_B)/bin/%)
