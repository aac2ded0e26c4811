// SPDX-License-Identifier: Apache-2.0
// The configuration of a hart: its core, and the sizes of what it contains. These are the defaults
// of parameters that soc.sv and soc_smp.sv hand to each hart.

package config_pkg;

  typedef enum logic [0:0] {
    CoreInorder = 1'd0,
    CoreOoo = 1'd1
  } core_e;

  // Caches and TLBs: numbers that are powers of two; icache.sv, dcache.sv and tlb.sv have the limits
  localparam int unsigned L1iSets = 64;
  localparam int unsigned L1iWays = 4;
  localparam int unsigned L1dSets = 64;
  localparam int unsigned L1dWays = 4;
  localparam int unsigned ItlbSets = 64;
  localparam int unsigned ItlbWays = 1;
  localparam int unsigned DtlbSets = 64;
  localparam int unsigned DtlbWays = 1;

  // The predictor, as in predictor.sv
  localparam int unsigned BtbEntries = 256;
  localparam int unsigned BhtEntries = 512;
  localparam int unsigned RasEntries = 8;

  // The out-of-order core, as in core_ooo.sv: its slots, its loads and stores, its predictor
  localparam int unsigned OooWindow = 64;
  localparam int unsigned OooQueue = 16;
  localparam int unsigned OooBtbSets = 256;
  localparam int unsigned OooBranches = 1024;  // in each table of directions

endpackage
