/* SPDX-License-Identifier: Apache-2.0 */
/* Whether this is the build of `make fuzz`, in which no checksum is compared: a fuzzer
 * cannot guess one. */
#ifndef TR_FUZZED_H
#define TR_FUZZED_H

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
enum { TR_IS_FUZZED = 1 };
#else
enum { TR_IS_FUZZED = 0 };
#endif

#endif
