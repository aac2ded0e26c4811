# SPDX-License-Identifier: Apache-2.0
# soc-restore, which contains the code that runs on other simulators.

RESTORE_O := $(TARGET_B)/obj/restore
RESTORE_CODE := $(B)/embedded/restore/restore.inc
$(RESTORE_O)/restore.elf: $(TARGET)/restore/restore.S $(TARGET)/csr.h sim/restore/table.h sim/soc.h $(TARGET_B)/flags
	$(call say,AS,$<)
	$(Q)mkdir -p $(@D)
	$(Q)$(TARGET_CC) -march=rv64imac_zicsr_zifencei -mabi=lp64 -Isim -nostdlib -static -Wl,--build-id=none -Wl,-Ttext=0 -o $@ $<
$(RESTORE_O)/restore.bin: $(RESTORE_O)/restore.elf
	$(Q)$(TARGET_OBJCOPY) -O binary -j .text $< $@
$(RESTORE_CODE): $(RESTORE_O)/restore.bin
	$(Q)mkdir -p $(@D); od -An -v -tx1 $< | sed 's/ \(..\)/0x\1,/g' > $@

$(B)/obj/sim/restore/page.o: | $(RESTORE_CODE)
$(eval $(call program,soc-restore,$(addprefix sim/restore/,elf.c page.c soc-restore.c)))
$(B)/bin/soc-restore: $(CHECKPOINT_OBJS) $(B)/libsocmodel.a

$(B)/unit/restore-elf: $(B)/obj/sim/restore/elf.o $(B)/obj/sim/restore/page.o $(B)/libsocmodel.a
$(B)/unit/restore-elf: LDLIBS := $(B)/libsocmodel.a $(LDLIBS)
