/* SPDX-License-Identifier: Apache-2.0 */
/* What names of ISAs tell of the encodings of C.FSDSP. */
#include "stream/isa.h"

#include <string.h>

#include "check.h"
#include "stream/header.h"

static const struct {
	const char *text;
	unsigned flag;
} names[] = {
    {"rv32imac_zicsr_zcmp", TR_ISA_ZCMP},
    {"rv32ima_zicsr_zca_zcb_zcmp", TR_ISA_ZCMP},
    {"rv32ima_zcmt", TR_ISA_ZCMP},
    {"rv64ima_zce", TR_ISA_ZCMP},
    {"RV32IMA_Zca_Zcmp", TR_ISA_ZCMP},
    {"rv32e1p9_m2p0_zca1p0_zcmp1p0", TR_ISA_ZCMP},
    {"rv32imfd_zca_zcmp", TR_ISA_ZCMP}, /* D without its compressed loads and stores */
    {"rv32imac", TR_ISA_ZCMP},		/* no D: there is no C.FSDSP */
    {"rv32imafc", TR_ISA_ZCMP},
    {"rv32i2p1_m2p0_a2p1_c2p0_zicsr2p0", TR_ISA_ZCMP},
    {"rv64gc", TR_ISA_ZCD},
    {"rv32imafdc", TR_ISA_ZCD},
    {"rv64i2p1_m2p0_a2p1_f2p2_d2p2_c2p0_zicsr2p0_zifencei2p0", TR_ISA_ZCD},
    {"rv64i2_d2_c2", TR_ISA_ZCD},
    {"rv64imafdcsu", TR_ISA_ZCD}, /* as older tools name S-mode */
    {"rv64imafdch_sscofpmf", TR_ISA_ZCD},
    {"rv64imafdcp", TR_ISA_ZCD},
    {"rv64imacv", TR_ISA_ZCD}, /* V includes D */
    {"rv32imafd_zca_zcd", TR_ISA_ZCD},
    {"rv32imfd_zca", 0}, /* neither */
    {"rv64gc_xzcmp", TR_ISA_ZCD},
    {"rv64gc_zcmpx", TR_ISA_ZCD},
    {"rva22u64", 0}, /* a profile */
    {"rv", 0},
    {"", 0},
    {"unknown", 0},
};

static void from_header(void)
{
	struct tr_header *header = tr_header_new();
	CHECK_EQ(tr_header_isa(header), 64);
	tr_header_set(header, "isa", "rv32imac_zcmp");
	CHECK_EQ(tr_header_isa(header), 64 | TR_ISA_ZCMP);
	tr_header_set(header, "xlen", "32");
	CHECK_EQ(tr_header_isa(header), 32 | TR_ISA_ZCMP);
	tr_header_free(header);
}

int main(void)
{
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		const char *text = names[i].text;
		CHECK_EQ(tr_isa_parse(32, text, strlen(text)), 32 | names[i].flag);
	}
	from_header();
	return check_done();
}
