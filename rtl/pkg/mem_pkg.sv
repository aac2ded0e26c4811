// SPDX-License-Identifier: Apache-2.0
// Types of the ports between the L1 caches and memory.

package mem_pkg;

  // The state of a line of the L1D after a probe.
  typedef enum logic [1:0] {
    ProbeShare = 2'd0,  // S
    ProbeInvalidate = 2'd1,  // I
    ProbeWrite = 2'd2  // I: another agent writes, which ends a reservation
  } probe_e;

  // The L1D: what it does, and the state of a line.
  typedef enum logic [2:0] {
    L1dClear = 3'd0,  // after reset, clears one set per cycle
    L1dReady = 3'd1,
    L1dVictim = 3'd2,  // writes back a victim
    L1dFill = 3'd3,
    L1dProbe = 3'd4,  // writes back probed data
    L1dSnoop = 3'd5  // the same, while a miss waits for its first beat
  } l1d_state_e;

  typedef enum logic [1:0] {
    LineInvalid = 2'd0,
    LineShared = 2'd1,
    LineExclusive = 2'd2,
    LineModified = 2'd3
  } line_state_e;

  // The L1D and memory: a request, a beat of the answer, a beat of a write-back, and a
  // probe. sim/verilated/pins.h repeats these structs. An L1D with several misses at a time has
  // numbers for them: each beat has the one of its request.
  localparam int unsigned LineIdBits = 3;

  typedef struct packed {
    logic [LineIdBits-1:0] id;
    logic                  excl;  // to write: the grant must be exclusive
    logic                  upgrade;  // the L1D has the line in S: one beat without data
    logic [55:0]           addr;
  } line_req_t;

  typedef struct packed {
    logic [LineIdBits-1:0] id;
    logic                  excl;  // the grant is exclusive
    logic [63:0]           data;
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

  // The DMA port: a request for a line, a beat of a line that is written, and a beat of one
  // that was read. The upper bits of an identifier are the number of the master, the lower
  // DmaLineBits that of a line. Reads and writes have identifiers of their own, for each master
  // DmaLines lines. A beat that is written has its place in the line, and byte enables; the last
  // of a line is marked, and bytes without a beat are not written.
  localparam int unsigned DmaLines = 8;
  localparam int unsigned DmaLineBits = 3;
  localparam int unsigned DmaMasterBits = 3;
  localparam int unsigned DmaIdBits = DmaMasterBits + DmaLineBits;

  // The masters of DMA. The copy unit of each hart is one, from DmaMasterCopy on.
  typedef enum logic [DmaMasterBits-1:0] {
    DmaMasterNic = 3'd0,
    DmaMasterCopy = 3'd1
  } dma_master_e;

  typedef struct packed {
    logic                 write;
    logic [DmaIdBits-1:0] id;
    logic [55:0]          addr;
  } dma_req_t;

  typedef struct packed {
    logic                 last;
    logic [DmaIdBits-1:0] id;
    logic [2:0]           beat;
    logic [7:0]           strb;
    logic [63:0]          data;
  } dma_beat_t;

  typedef struct packed {
    logic [DmaIdBits-1:0] id;
    logic [63:0]          data;
  } dma_rsp_t;

  // A copy: physical addresses. `*_splits`: the permissions hold only for the aligned 4 bytes
  // around that address, else for its page.
  typedef struct packed {
    logic        source_splits;
    logic        destination_splits;
    logic [63:0] length;  // in bytes, at most; not 0
    logic [55:0] source;
    logic [55:0] destination;
  } copy_t;
  localparam int unsigned CopyCountBits = 13;  // up to 4096 bytes are copied

  // Bits of these structs, for ports with one for each hart.
  localparam int unsigned LineReqBits = 61;
  localparam int unsigned LineRspBits = 68;
  localparam int unsigned WritebackBits = 120;
  localparam int unsigned ProbeBits = 58;
  localparam int unsigned CopyBits = 178;
  localparam int unsigned DmaReqBits = 63;
  localparam int unsigned DmaBeatBits = 82;

  // A line: address bits 55:6.
  localparam int unsigned LineBits = 50;
  typedef logic [LineBits-1:0] line_t;

  // A transaction of the crossbar.
  typedef struct packed {
    logic  owns;  // the others lose the line: it will be written
    logic  upgrade;  // the L1D has the line in S
    logic  writes;  // DMA writes the line
    line_t line;
  } claim_t;

  // The crossbar and memory: a request for a line, a beat of the answer, and a write of up
  // to 8 bytes, by DMA or of data that an L1D has written back.
  typedef struct packed {
    logic [4:0]  id;
    logic [55:0] addr;
  } read_t;

  typedef struct packed {
    logic [4:0]  id;
    logic [63:0] data;
  } read_rsp_t;

  typedef struct packed {
    logic        dma;
    logic [52:0] word;  // address bits 55:3
    logic [7:0]  strb;  // the bytes to write
    logic [63:0] data;
  } write_t;

  // DMA at the crossbar: a request for a line, with the id of a transaction; a beat of a line
  // that is written; an answer.
  localparam int unsigned CrossbarIdBits = 3;

  typedef struct packed {
    logic                      write;
    logic [CrossbarIdBits-1:0] id;
    logic [55:0]               addr;
  } crossbar_req_t;

  typedef struct packed {
    logic [7:0]  strb;
    logic [63:0] data;
  } crossbar_word_t;

  typedef struct packed {
    logic [CrossbarIdBits-1:0] id;
    logic [63:0]               data;
  } crossbar_rsp_t;

endpackage
