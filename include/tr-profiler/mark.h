/* SPDX-License-Identifier: Apache-2.0 */
/* Points, and regions from a begin to the end of that name on the same thread, of one
 * instruction each, for C, C++ and assembly: tr-marks(5). */
#ifndef TR_PROFILER_MARK_H
#define TR_PROFILER_MARK_H
/* clang-format off */
#define TR_POINT(number, name) TR_MARK_(number, 0, name)
#define TR_BEGIN(number, name) TR_MARK_(number, 1024, name)
#define TR_END(number, name) TR_MARK_(number, -2048, name)
#ifdef __ASSEMBLER__
#define TR_MARK_(n, kind, name) .if (n) < 0 || (n) > 1023; .error "a mark has a number from 0 to 1023"; .endif; 4242: slti x0, x0, (n) + kind; .pushsection .debug_tr_marks, ""; .dc.a 4242b; .asciz name; .popsection
#else
#define TR_MARK_(n, kind, name) __asm__ volatile("4242: slti x0, x0, %0\n.pushsection .debug_tr_marks, \"\"\n.dc.a 4242b\n.asciz " #name "\n.popsection" : : "i"((n) + kind + 0 * (int)sizeof(char[(n) >= 0 && (n) < 1024 ? 1 : -1])) : "memory")
#endif
/* clang-format on */
#endif
