// SPDX-License-Identifier: Apache-2.0
// Of what squashes in a cycle, the oldest: a jump or branch that was predicted wrong, a load
// that was executed too early (violation), or the oldest instruction, a load that is marked
// (flush).
//
// Combinational. A squash at a load includes it, so that it is fetched again. load_o asks the
// payload for this load.

module redirect #(
  parameter int unsigned Window = 64
) (
  input ooo_pkg::slot_t head_i,

  input logic                       branch_i,
  input logic                       branch_again_i,      // the instruction leaves as well
  input ooo_pkg::slot_t             branch_slot_i,
  input logic                [63:0] branch_target_i,
  input ooo_pkg::work_t             branch_work_i,
  input ooo_pkg::extracted_t        branch_extracted_i,

  input logic           violation_i,
  input ooo_pkg::slot_t violation_slot_i,
  input logic           flush_i,

  output logic                       load_o,
  output ooo_pkg::slot_t             load_slot_o,
  input  ooo_pkg::work_t             load_work_i,
  input  logic                [63:0] load_pc_i,
  input  ooo_pkg::extracted_t        load_extracted_i,

  output logic                      squash_o,
  output logic                      squash_inclusive_o,
  output ooo_pkg::slot_t            squash_slot_o,
  output ooo_pkg::index_t           squash_load_index_o,
  output ooo_pkg::index_t           squash_store_index_o,
  output logic               [63:0] pc_o,
  output logic                      plain_o,
  output ooo_pkg::snapshot_t        snapshot_o,
  output logic                      violates_o            // the violation squashes
);

  localparam int unsigned SlotBits = $clog2(Window);

  logic [SlotBits-1:0] branch_age, violation_age;
  always_comb begin
    branch_age = '0;
    violation_age = '0;
    violates_o = 1'b0;
    if (violation_i) begin
      branch_age = branch_slot_i[SlotBits-1:0] - head_i[SlotBits-1:0];
      violation_age = violation_slot_i[SlotBits-1:0] - head_i[SlotBits-1:0];
      violates_o = !flush_i && (!branch_i || violation_age < branch_age);
    end
  end
  assign load_o = violates_o || flush_i;
  assign load_slot_o = flush_i ? head_i : violation_slot_i;

  assign squash_o = branch_i || violation_i || flush_i;
  always_comb begin
    squash_inclusive_o = 1'b0;
    squash_slot_o = '0;
    squash_load_index_o = '0;
    squash_store_index_o = '0;
    pc_o = '0;
    plain_o = 1'b0;
    snapshot_o = '0;
    if (load_o) begin
      squash_inclusive_o = 1'b1;
      squash_slot_o = load_slot_o;
      squash_load_index_o = load_work_i.load_index;
      squash_store_index_o = load_work_i.store_index;
      pc_o = load_pc_i;
      snapshot_o = load_extracted_i.snapshot;
    end else if (branch_i) begin
      squash_inclusive_o = branch_again_i;
      squash_slot_o = branch_slot_i;
      squash_load_index_o = branch_work_i.load_index;
      squash_store_index_o = branch_work_i.store_index;
      pc_o = branch_target_i;
      plain_o = branch_again_i;
      snapshot_o = branch_extracted_i.snapshot;
    end
  end

endmodule
