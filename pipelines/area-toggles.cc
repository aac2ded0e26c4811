// SPDX-License-Identifier: Apache-2.0
// Writes how often each signal has changed, when the simulation of `make area` is over:
// into coverage.dat, while the model that has counted is still there.
#include "rtl/rtl.h"
#include "verilated.h"
#include "verilated_cov.h"

extern "C" void __real_rtl_release(struct rtl *r);
extern "C" void __wrap_rtl_release(struct rtl *r);

void __wrap_rtl_release(struct rtl *r)
{
	Verilated::threadContextp()->coveragep()->write();
	__real_rtl_release(r);
}
