// SPDX-License-Identifier: Apache-2.0
// Reads internal state of one of several harts: peek.cc, applied to the module core.
#include "Vsmp.h"
#include "Vsmp__Syms.h"
#include "peek.h"
#include "smp.h"

#define PEEK_HART
#define CORE(name)	 (root->name)
#define rtl_x		 smp_x
#define rtl_set_x	 smp_set_x
#define rtl_f		 smp_f
#define rtl_next_pc	 smp_next_pc
#define rtl_read_trap	 smp_read_trap
#define rtl_csr		 smp_csr
#define rtl_save	 smp_save
#define rtl_l1d_modified smp_l1d_modified
#define rtl_l1d		 smp_l1d
#define rtl_translates	 smp_translates

using Vsoc___024root =
    decltype(Vsmp__Syms::TOP__soc_smp__DOT__gen_harts__BRA__0__KET____DOT__u_core);

static Vsoc___024root *peek_root(const struct rtl *r)
{
	return static_cast<Vsoc___024root *>(r->model);
}

#include "peek.cc"
