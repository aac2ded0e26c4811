// SPDX-License-Identifier: Apache-2.0
// Types and functions shared by the modules of the out-of-order core.
//
// See soc_pkg for what yosys 0.23 supports. A vector with a part for each lane has 64 bits at
// most, or parts of 32 or 64 bits: the simulator assembles others from two words.

package ooo_pkg;

  // A fetch block: 16 bytes, aligned. The number of a halfword within it.
  typedef logic [2:0] halfword_t;

  // A path by which a block was reached, and its number: see path_history.sv.
  typedef logic [63:0] path_t;
  localparam int unsigned HistoryBits = 32'd7;
  typedef logic [HistoryBits-1:0] history_t;
  // Of entries that are found by path
  localparam int unsigned PathTagBits = 32'd9;

  // The state of the predictor before a block: the top of the return stack, bits 39:1 of an
  // address; the number of the path; the index of that top.

  typedef struct packed {
    logic [38:0] top;
    history_t    history;
    logic [2:0]  ras;
  } snapshot_t;

  // An instruction's prediction, and its fault.
  typedef struct packed {
    logic [9:0] unused;
    logic       torn;  // there is no instruction: see extract.sv
    logic       predicted;  // next_pc is the target of a predicted jump
    logic [2:0] bad;  // soc_pkg::bad_e: there is no instruction
    snapshot_t  snapshot;  // of the block with the last halfword of the instruction
  } extracted_t;

  // The outcome of a jump or branch, or of another instruction that was predicted as one
  // (KindNone). Its target is beside it.
  typedef struct packed {
    logic [11:0] unused;
    history_t    history;  // in the snapshot of its block
    logic [1:0]  kind;     // soc_pkg::kind_e
    logic        push;     // a call
    logic        indirect;
    logic        taken;
    logic        wide;     // 4 bytes
    logic [38:0] last;     // bits 39:1 of the address of its last halfword
  } outcome_t;

  // Bits of these structs.
  localparam int unsigned SnapshotBits = 49;
  localparam int unsigned ExtractedBits = 64;

  // A slot of the window, of which there are at most 64.
  typedef logic [5:0] slot_t;

  // A physical register. Tag 0 is x0: it is always ready, and nothing writes it.
  typedef logic [6:0] tag_t;
  localparam int unsigned TagBits = 7;
  localparam int unsigned Tags = 128;

  // The port by which an instruction issues.
  typedef enum logic [2:0] {
    PortAlu = 3'd0,
    PortBranch = 3'd1,
    PortMul = 3'd2,
    PortDiv = 3'd3,
    PortMem = 3'd4,
    PortFloat = 3'd5,
    PortHead = 3'd6  // issues only as the oldest of the window
  } port_e;

  // Where instructions issue: three integer ports and those of PortMem, PortFloat, PortHead.
  typedef enum logic [2:0] {
    IssueInt0 = 3'd0,
    IssueInt1 = 3'd1,
    IssueInt2 = 3'd2,
    IssueMem = 3'd3,
    IssueFloat = 3'd4,
    IssueHead = 3'd5
  } issue_e;
  localparam int unsigned IssuePorts = 6;

  // Sources of results. Those from RareSources on have one in few cycles: a simulator skips all of
  // them.
  typedef enum logic [2:0] {
    SourceAlu0 = 3'd0,
    SourceAlu1 = 3'd1,
    SourceAlu2 = 3'd2,
    SourceMem = 3'd3,
    SourceMul = 3'd4,
    SourceDiv = 3'd5,
    SourceFloat = 3'd6,
    SourceHead = 3'd7
  } source_e;
  localparam int unsigned Sources = 8;
  localparam int unsigned RareSources = 4;

  // Physical registers of an instruction; 0 for one that it does not have.
  typedef struct packed {
    tag_t rd;
    tag_t rs1;
    tag_t rs2;
    tag_t rs3;
  } tags_t;
  localparam int unsigned TagsBits = 28;

  // What the window keeps of a slot.
  typedef struct packed {
    tag_t       own;   // the spare register before the instruction took it
    tag_t       old;   // the register that it displaced; own, if it writes none
    logic [5:0] areg;  // soc_pkg::rd_t
    tags_t      tags;
  } entry_t;
  localparam int unsigned EntryBits = 48;
  localparam int unsigned EntryOwn = 41;
  localparam int unsigned EntryOld = 34;
  localparam int unsigned EntryAreg = 28;
  localparam int unsigned EntryRd = 21;

  // An instruction that enters the window; a lane of 32 bits is a word of the simulator.
  typedef struct packed {
    logic [2:0] unused;
    logic       valid;
    logic       alone;  // commits alone
    port_e      port;
    logic [5:0] rd;     // soc_pkg::rd_t, as rs1 to rs3
    logic [5:0] rs1;
    logic [5:0] rs2;
    logic [5:0] rs3;
  } dispatch_t;
  // The lowest bits of fields, for vectors of several lanes
  localparam int unsigned DispatchValid = 28;
  localparam int unsigned DispatchAlone = 27;
  localparam int unsigned DispatchPort = 24;
  localparam int unsigned DispatchRd = 18;
  localparam int unsigned DispatchRs3 = 0;

  // An instruction that issues.
  typedef struct packed {
    logic  valid;
    slot_t slot;
    tags_t tags;
  } issue_t;

  // A result, from one of the sources.
  typedef struct packed {
    logic [17:0] unused;
    logic        valid;
    slot_t       slot;
    tag_t        rd;
  } result_t;
  localparam int unsigned ResultValid = 13;
  localparam int unsigned ResultSlot = 7;
  localparam int unsigned ResultRd = 0;

  // Why an access of the memory port has no result.
  typedef enum logic [2:0] {
    DelayPort = 3'd0,  // the port made no access
    DelayMiss = 3'd1,  // the L1D
    DelayStore = 3'd2,  // an older store
    DelayWalk = 3'd3,
    DelayDevice = 3'd4,  // it is one to a device, which the head unit makes
    DelayHead = 3'd5  // the head unit makes it for another reason
  } delay_e;

  // Slots that the walk after a squash undoes in a cycle.
  localparam int unsigned WalkSlots = 8;

  // The number of the only bit that is set.
  function automatic slot_t number_of(input logic [63:0] bit_);
    logic [31:0] half;
    half = bit_[63:32] | bit_[31:0];
    number_of = {
      |bit_[63:32],
      |(half & 32'hffff0000),
      |(half & 32'hff00ff00),
      |(half & 32'hf0f0f0f0),
      |(half & 32'hcccccccc),
      |(half & 32'haaaaaaaa)
    };
  endfunction

  // Rotations of the lower `size` bits, 0 for 64, by less than size. The other bits of the
  // operand are zero, those of the result are not.
  function automatic logic [63:0] rotate_left(input logic [63:0] bits, input logic [5:0] by,
                                              input logic [5:0] size);
    rotate_left = bits << by | bits >> 6'(size - by);
  endfunction
  function automatic logic [63:0] rotate_right(input logic [63:0] bits, input logic [5:0] by,
                                               input logic [5:0] size);
    rotate_right = bits >> by | bits << 6'(size - by);
  endfunction

  // The index of a load or store among all loads or all stores, modulo 32. A queue has at most 16
  // entries, so the difference of two indexes is the number of entries between them; the lower
  // bits are the place of the entry in the queue.
  localparam int unsigned IndexBits = 5;
  typedef logic [IndexBits-1:0] index_t;

  // The bytes that an access touches. It is aligned, so they are in one group of 8 bytes.
  typedef struct packed {
    logic [52:0] group;  // the physical address without its lower 3 bits
    logic [7:0]  bytes;
  } footprint_t;

  // A line of 64 bytes: its physical address without the lower 6 bits.
  typedef logic [49:0] line_t;

  // How many bits are set.
  function automatic logic [2:0] count4(input logic [3:0] bits);
    count4 = 3'(64'h4332_3221_3221_2110 >> {bits, 2'd0});
  endfunction

  // The number of the only bit that is set.
  function automatic logic [3:0] number16(input logic [15:0] one);
    number16 = {|(one & 16'hff00), |(one & 16'hf0f0), |(one & 16'hcccc), |(one & 16'haaaa)};
  endfunction

  // What executes an instruction, in the upper half of a word of the payload; its immediate is in
  // the lower half, sign-extended from there, or a soc_pkg::float_t.
  typedef struct packed {
    logic        unused;
    logic        bad;  // there is no instruction, or it is illegal
    logic        again;  // executes nothing: it is fetched again, without prediction
    logic        returns;  // a jump that is a return
    logic        pushes;  // a jump that is a call
    logic        wide;  // 4 bytes
    logic        use_pc;  // the first operand is the pc
    logic        use_imm;  // the second operand is the immediate
    logic        word;  // the 32-bit form
    logic [2:0]  width;  // soc_pkg::width_t
    logic [3:0]  unit;  // soc_pkg::unit_e
    logic [3:0]  op;  // soc_pkg::op_t
    logic        store;
    logic        load;
    index_t      store_index;  // the loads and stores before it
    index_t      load_index;
    logic [31:0] imm;
  } work_t;
  localparam int unsigned WorkWidth = 52;
  localparam int unsigned WorkUnit = 48;
  localparam int unsigned WorkOp = 44;
  localparam int unsigned WorkStore = 43;
  localparam int unsigned WorkLoad = 42;

endpackage
