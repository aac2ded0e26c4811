/* SPDX-License-Identifier: Apache-2.0 */
/* The Verilated SoC with several harts (rtl/soc_smp.sv) behind a C interface. Each hart
 * has a struct rtl, in which its tokens are recorded, and its marks of the counters. The
 * counters are those of the SoC; other members of struct rtl are not used. */
#ifndef VERILATED_SMP_H
#define VERILATED_SMP_H

#include "rtl.h"
#include "smp_memory.h"

enum { SMP_HARTS = 2 };

#ifdef __cplusplus
extern "C" {
#endif

struct smp {
	void *model;
	struct rtl harts[SMP_HARTS];

	/* Control of the loop, as in struct rtl. */
	uint64_t until, instret; /* instret: of all harts */
	bool has_float, has_nic, has_copy, seen, all, classes, skips, dozing;

	unsigned fresh; /* harts whose logic is evaluated; of the loop */

	/* Inputs; updated in the model if `changed`. */
	struct smp_pins pins;
	struct wire_pins link;
	bool rx_valid, changed;
	uint8_t rx_data;

	/* Results: of which harts a token or a trap is to be handled, one bit each; the
	 * caller may clear them. `next`: of which harts RTL_NEXT is. */
	uint64_t cycle, tokens;
	unsigned committed, trapped, next;
	/* With `all`: a probe may have taken the line that a hart has reserved since its
	 * last LR. */
	bool probed[SMP_HARTS];
};

/* As rtl_init(), and the functions of the same names. */
bool smp_init(struct smp *s, const struct rtl_config *config);
void smp_release(struct smp *s);
void smp_count_classes(struct smp *s);
void smp_observe(struct smp *s, bool all);
/* Like rtl_run(); returns reasons of rtl.h. */
unsigned smp_run(struct smp *s);

/* Outputs in the cycle after the one that has ended. */
struct smp_ports {
	bool read, write, tx_valid, link_valid;
	bool dma; /* the write is of DMA */
	/* With `all`, or a write of DMA, of DMA: 8 bytes that a master has read; the
	 * masters of these and of the write, as in mem_pkg.sv. */
	bool answer;
	uint8_t answer_master, write_master;
	uint64_t answer_address, answer_data;
	uint8_t read_id, strobe, tx_data;
	uint64_t read_address, write_address, data;
	struct wire_word link;
};
void smp_read_ports(const struct smp *s, struct smp_ports *ports);
bool smp_rx_ready(const struct smp *s);
bool smp_power(const struct smp *s, uint32_t *value);
void smp_timer(const struct smp *s, unsigned hart, uint64_t *mtime, uint64_t *mtimecmp);

/* As the functions of rtl.h, for one hart. */
bool smp_asleep(const struct rtl *hart);
void smp_read_commit(const struct rtl *hart, struct rtl_commit *commit);
void smp_read_trap(const struct rtl *hart, struct rtl_commit *commit);
uint64_t smp_x(const struct rtl *hart, unsigned reg);
void smp_set_x(struct rtl *hart, unsigned reg, uint64_t value);
bool smp_f(const struct rtl *hart, unsigned reg, uint64_t *value);
bool smp_csr(const struct rtl *hart, unsigned csr, uint64_t *value);
bool smp_l1d(const struct rtl *hart, uint64_t address, uint64_t *bytes);
bool smp_translates(const struct rtl *hart, unsigned entry, unsigned asid);
uint64_t smp_next_pc(const struct rtl *hart);

#ifdef __cplusplus
}
#endif

#endif
