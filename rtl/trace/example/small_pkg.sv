// SPDX-License-Identifier: Apache-2.0
// Types of the small core.

package small_pkg;

  localparam logic [1:0] PrivU = 2'd0;
  localparam logic [1:0] PrivM = 2'd3;

  // Major opcodes
  localparam logic [6:0] OpLoad = 7'h03;
  localparam logic [6:0] OpFence = 7'h0f;
  localparam logic [6:0] OpImm = 7'h13;
  localparam logic [6:0] OpAuipc = 7'h17;
  localparam logic [6:0] OpStore = 7'h23;
  localparam logic [6:0] OpReg = 7'h33;
  localparam logic [6:0] OpLui = 7'h37;
  localparam logic [6:0] OpBranch = 7'h63;
  localparam logic [6:0] OpJalr = 7'h67;
  localparam logic [6:0] OpJal = 7'h6f;
  localparam logic [6:0] OpSystem = 7'h73;

  // Causes of traps; bit 4 of a cause_t is that of interrupts.
  typedef logic [4:0] cause_t;
  localparam cause_t CauseFetchAccess = 5'd1;
  localparam cause_t CauseIllegal = 5'd2;
  localparam cause_t CauseBreakpoint = 5'd3;
  localparam cause_t CauseLoadMisaligned = 5'd4;
  localparam cause_t CauseLoadAccess = 5'd5;
  localparam cause_t CauseStoreMisaligned = 5'd6;
  localparam cause_t CauseStoreAccess = 5'd7;
  localparam cause_t CauseEcallU = 5'd8;
  localparam cause_t CauseEcallM = 5'd11;
  localparam cause_t CauseTimer = 5'h17;
  localparam cause_t CauseExternal = 5'h1b;

endpackage
