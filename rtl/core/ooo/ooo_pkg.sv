// SPDX-License-Identifier: Apache-2.0
// Types shared by the modules of the out-of-order core.

package ooo_pkg;

  // The state of the predictor before a block: the top of the return stack, bits 39:1 of an
  // address; the path of taken branches, the newest in the low bits; the index of that top.
  localparam int unsigned HistoryBits = 32'd14;
  typedef logic [HistoryBits-1:0] history_t;

  typedef struct packed {
    logic [38:0] top;
    history_t    history;
    logic [2:0]  ras;
  } snapshot_t;

endpackage
