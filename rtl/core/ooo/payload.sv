// SPDX-License-Identifier: Apache-2.0
// What is known of the instructions of the window beside what the window keeps, in arrays by
// slot.
//
// Written at dispatch: lane n to slot slot_i + n, modulo Window. Reads are combinational, and
// are 0 without a request: one for each port that issues, and one for the slot at which the core
// squashes by itself (squash_*).

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
  input logic           [              32*Width-1:0] insn_i,
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

  input  logic                          squash_i,
  input  ooo_pkg::slot_t                squash_slot_i,
  output ooo_pkg::work_t                squash_work_o,
  output logic                   [63:0] squash_pc_o,
  output ooo_pkg::extracted_t           squash_extracted_o
);

  localparam int unsigned SlotBits = $clog2(Window);

  logic [63:0] work_q[Window];
  logic [63:0] pc_q[Window];
  logic [63:0] next_pc_q[Window];
  logic [63:0] extracted_q[Window];
  logic [31:0] insn_q[Window];  // not read here: for those who look at what commits

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
    squash_work_o = '0;
    squash_pc_o = '0;
    squash_extracted_o = '0;
    if (squash_i) begin
      squash_work_o = work_q[squash_slot_i[SlotBits-1:0]];
      squash_pc_o = pc_q[squash_slot_i[SlotBits-1:0]];
      squash_extracted_o = extracted_q[squash_slot_i[SlotBits-1:0]];
    end
  end

endmodule
