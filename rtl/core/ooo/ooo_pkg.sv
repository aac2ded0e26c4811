// SPDX-License-Identifier: Apache-2.0
// Types shared by the modules of the out-of-order core.
//
// See soc_pkg for what yosys 0.23 supports. A vector with a part for each lane has 64 bits at
// most, or parts of 32 or 64 bits: the simulator assembles others from two words.

package ooo_pkg;

  // A fetch block: 16 bytes, aligned. The number of a halfword within it.
  typedef logic [2:0] halfword_t;

  // The state of the predictor before a block: the top of the return stack, bits 39:1 of an
  // address; the path of taken branches, the newest in the low bits; the index of that top.
  localparam int unsigned HistoryBits = 32'd14;
  typedef logic [HistoryBits-1:0] history_t;

  typedef struct packed {
    logic [38:0] top;
    history_t    history;
    logic [2:0]  ras;
  } snapshot_t;

  // An instruction's prediction, and its fault.
  typedef struct packed {
    logic [2:0] unused;
    logic       torn;  // there is no instruction: see extract.sv
    logic       predicted;  // next_pc is the target of a predicted jump
    logic [2:0] bad;  // soc_pkg::bad_e: there is no instruction
    snapshot_t  snapshot;  // of the block with the last halfword of the instruction
  } extracted_t;

  // Bits of that struct.
  localparam int unsigned ExtractedBits = 64;

endpackage
