// SPDX-License-Identifier: Apache-2.0
// Types of the ports between the L1 caches and memory.

package mem_pkg;

  // The state of a line of the L1D after a probe.
  typedef enum logic [1:0] {
    ProbeShare = 2'd0,  // S
    ProbeInvalidate = 2'd1,  // I
    ProbeWrite = 2'd2  // I: another agent writes, which ends a reservation
  } probe_e;

  // The L1D and memory: a request, a beat of the answer, a beat of a write-back, and a
  // probe. sim/verilated/pins.h repeats these structs.
  typedef struct packed {
    logic        excl;  // to write: the grant must be exclusive
    logic        upgrade;  // the L1D has the line in S: one beat without data
    logic [55:0] addr;
  } line_req_t;

  typedef struct packed {
    logic        excl;  // the grant is exclusive
    logic [63:0] data;
  } line_rsp_t;

  // Requests that missed the L2 and wait for DRAM.
  typedef struct packed {
    logic dmem;
    logic imem;
  } mem_dram_t;

  typedef struct packed {
    logic [55:0] addr;
    logic [63:0] data;
  } writeback_t;

  typedef struct packed {
    probe_e      op;
    logic [55:0] addr;
  } probe_t;

endpackage
