// SPDX-License-Identifier: Apache-2.0
// What is known of the instructions of the window beside what the window keeps, in arrays by
// slot.
//
// Written at dispatch: lane n to slot slot_i + n, modulo Window. Reads are combinational, and
// are 0 without a request: one for each port that issues, one for the slot at which the core
// squashes by itself (squash_*), and those of what commits, lane n of slot commit_slot_i + n.

module payload #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64
) (
  input logic clk_i,

  input ooo_pkg::slot_t                              slot_i,
  input logic           [                 Width-1:0] write_i,
  input logic           [              64*Width-1:0] work_i,         // ooo_pkg::work_t
  input logic           [ooo_pkg::IndexBits*Width-1:0] load_index_i,   // of work_t
  input logic           [ooo_pkg::IndexBits*Width-1:0] store_index_i,
  input logic           [              32*Width-1:0] insn_i,         // raw
  input logic           [              64*Width-1:0] pc_i,
  input logic           [              64*Width-1:0] next_pc_i,
  input logic           [              64*Width-1:0] extracted_i,    // ooo_pkg::extracted_t

  input  logic                          int0_i,
  input  ooo_pkg::slot_t                int0_slot_i,
  output ooo_pkg::work_t                int0_work_o,
  output logic                   [63:0] int0_pc_o,
  output logic                   [63:0] int0_next_pc_o,
  output ooo_pkg::extracted_t           int0_extracted_o,

  input  logic                  int1_i,
  input  ooo_pkg::slot_t        int1_slot_i,
  output ooo_pkg::work_t        int1_work_o,
  output logic           [63:0] int1_pc_o,

  input  logic                  int2_i,
  input  ooo_pkg::slot_t        int2_slot_i,
  output ooo_pkg::work_t        int2_work_o,
  output logic           [63:0] int2_pc_o,

  input  logic                  mem_i,
  input  ooo_pkg::slot_t        mem_slot_i,
  output ooo_pkg::work_t        mem_work_o,
  output logic           [63:0] mem_pc_o,

  input  logic                  float_i,
  input  ooo_pkg::slot_t        float_slot_i,
  output ooo_pkg::work_t        float_work_o,

  input  logic                  head_i,
  input  ooo_pkg::slot_t        head_slot_i,
  output ooo_pkg::work_t        head_work_o,
  output logic           [31:0] head_insn_o,
  output logic           [63:0] head_pc_o,
  output ooo_pkg::extracted_t   head_extracted_o,  // `bad` may be BadIllegal

  input  logic                          commit_i,
  input  logic                          commit_closer_i,  // with commit_i: commit_work_o, too
  input  ooo_pkg::slot_t                commit_slot_i,
  output logic           [64*Width-1:0] commit_work_o,  // ooo_pkg::work_t
  output logic           [32*Width-1:0] commit_insn_o,
  output logic           [64*Width-1:0] commit_pc_o,

  input  logic                          squash_i,
  input  ooo_pkg::slot_t                squash_slot_i,
  output ooo_pkg::work_t                squash_work_o,
  output logic                   [63:0] squash_pc_o,
  output ooo_pkg::extracted_t           squash_extracted_o,

  input  logic                  blocked_i,
  input  ooo_pkg::slot_t        blocked_slot_i,
  output ooo_pkg::work_t        blocked_work_o
);

  localparam int unsigned SlotBits = $clog2(Window);

  logic [63:0] work_q[Window];
  logic [63:0] pc_q[Window];
  logic [63:0] next_pc_q[Window];
  logic [63:0] extracted_q[Window];
  logic [31:0] insn_q[Window];

  for (genvar lane = 0; lane < Width; lane++) begin : gen_write
    logic [SlotBits-1:0] slot;
    assign slot = slot_i[SlotBits-1:0] + SlotBits'(lane);
    always_ff @(posedge clk_i) begin
      if (write_i[lane]) begin
        work_q[slot] <= {
          work_i[64*lane+ooo_pkg::WorkLoad+:22],
          store_index_i[5*lane+:5],
          load_index_i[5*lane+:5],
          work_i[64*lane+:32]
        };
        pc_q[slot] <= pc_i[64*lane+:64];
        next_pc_q[slot] <= next_pc_i[64*lane+:64];
        extracted_q[slot] <= extracted_i[64*lane+:64];
        insn_q[slot] <= insn_i[32*lane+:32];
      end
    end
  end

  always_comb begin
    int0_work_o = '0;
    int0_pc_o = '0;
    int0_next_pc_o = '0;
    int0_extracted_o = '0;
    if (int0_i) begin
      int0_work_o = work_q[int0_slot_i[SlotBits-1:0]];
      int0_pc_o = pc_q[int0_slot_i[SlotBits-1:0]];
      int0_next_pc_o = next_pc_q[int0_slot_i[SlotBits-1:0]];
      int0_extracted_o = extracted_q[int0_slot_i[SlotBits-1:0]];
    end
  end
  always_comb begin
    int1_work_o = '0;
    int1_pc_o = '0;
    if (int1_i) begin
      int1_work_o = work_q[int1_slot_i[SlotBits-1:0]];
      int1_pc_o = pc_q[int1_slot_i[SlotBits-1:0]];
    end
  end
  always_comb begin
    int2_work_o = '0;
    int2_pc_o = '0;
    if (int2_i) begin
      int2_work_o = work_q[int2_slot_i[SlotBits-1:0]];
      int2_pc_o = pc_q[int2_slot_i[SlotBits-1:0]];
    end
  end
  always_comb begin
    mem_work_o = '0;
    mem_pc_o = '0;
    if (mem_i) begin
      mem_work_o = work_q[mem_slot_i[SlotBits-1:0]];
      mem_pc_o = pc_q[mem_slot_i[SlotBits-1:0]];
    end
  end
  always_comb begin
    float_work_o = '0;
    if (float_i) float_work_o = work_q[float_slot_i[SlotBits-1:0]];
  end
  always_comb begin
    head_work_o = '0;
    head_insn_o = '0;
    head_pc_o = '0;
    head_extracted_o = '0;
    if (head_i) begin
      head_work_o = work_q[head_slot_i[SlotBits-1:0]];
      head_insn_o = insn_q[head_slot_i[SlotBits-1:0]];
      head_pc_o = pc_q[head_slot_i[SlotBits-1:0]];
      head_extracted_o = extracted_q[head_slot_i[SlotBits-1:0]];
      if (head_work_o.bad && head_extracted_o.bad == soc_pkg::BadNone)
        head_extracted_o.bad = soc_pkg::BadIllegal;
    end
  end
  // The lanes together, since a simulator clears them at once.
  logic [SlotBits-1:0] commit_slot;
  always_comb begin
    commit_slot = '0;
    commit_work_o = '0;
    commit_insn_o = '0;
    commit_pc_o = '0;
    if (commit_i)
      for (int lane = 0; lane < Width; lane++) begin
        commit_slot = commit_slot_i[SlotBits-1:0] + SlotBits'(lane);
        commit_insn_o[32*lane+:32] = insn_q[commit_slot];
        commit_pc_o[64*lane+:64] = pc_q[commit_slot];
        if (commit_closer_i) commit_work_o[64*lane+:64] = work_q[commit_slot];
      end
  end
  always_comb begin
    squash_work_o = '0;
    squash_pc_o = '0;
    squash_extracted_o = '0;
    if (squash_i) begin
      squash_work_o = work_q[squash_slot_i[SlotBits-1:0]];
      squash_pc_o = pc_q[squash_slot_i[SlotBits-1:0]];
      squash_extracted_o = extracted_q[squash_slot_i[SlotBits-1:0]];
    end
  end
  always_comb begin
    blocked_work_o = '0;
    if (blocked_i) blocked_work_o = work_q[blocked_slot_i[SlotBits-1:0]];
  end

endmodule
