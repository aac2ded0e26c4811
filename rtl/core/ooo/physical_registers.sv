// SPDX-License-Identifier: Apache-2.0
// The values of the physical registers.
//
// Reads are combinational; a result is written at the clock edge. After reset all registers are
// cleared, one a cycle; ready_o is 0 until then. Register 0 is never written.
//
// With commit_i, what the instructions that commit have written is read, 0 without a register. An
// instruction of the head unit commits alone, in the cycle of its result.

module physical_registers #(
  parameter int unsigned Width = 4
) (
  input  logic clk_i,
  input  logic rst_ni,
  output logic ready_o,

  input  ooo_pkg::tags_t        int0_i,      // of which rs1 and rs2 are read
  output logic           [63:0] int0_rs1_o,
  output logic           [63:0] int0_rs2_o,
  input  ooo_pkg::tags_t        int1_i,
  output logic           [63:0] int1_rs1_o,
  output logic           [63:0] int1_rs2_o,
  input  ooo_pkg::tags_t        int2_i,
  output logic           [63:0] int2_rs1_o,
  output logic           [63:0] int2_rs2_o,
  input  ooo_pkg::tags_t        mem_i,
  output logic           [63:0] mem_rs1_o,
  output logic           [63:0] mem_rs2_o,
  input  ooo_pkg::tags_t        float_i,
  output logic           [63:0] float_rs1_o,
  output logic           [63:0] float_rs2_o,
  output logic           [63:0] float_rs3_o,
  input  ooo_pkg::tags_t        head_i,
  output logic           [63:0] head_rs1_o,
  output logic           [63:0] head_rs2_o,
  output logic           [63:0] head_rs3_o,

  input  logic                commit_i,
  input  logic [ 7*Width-1:0] commit_rd_i,
  output logic [64*Width-1:0] commit_value_o,

  // Results
  input ooo_pkg::result_t        alu0_i,
  input logic             [63:0] alu0_value_i,
  input ooo_pkg::result_t        alu1_i,
  input logic             [63:0] alu1_value_i,
  input ooo_pkg::result_t        alu2_i,
  input logic             [63:0] alu2_value_i,
  input ooo_pkg::result_t        mul_i,
  input logic             [63:0] mul_value_i,
  input ooo_pkg::result_t        div_i,
  input logic             [63:0] div_value_i,
  input ooo_pkg::result_t        mem_result_i,
  input logic             [63:0] mem_value_i,
  input ooo_pkg::result_t        float_result_i,
  input logic             [63:0] float_value_i,
  input ooo_pkg::result_t        head_result_i,
  input logic             [63:0] head_value_i
);

  logic [63:0] values_q[ooo_pkg::Tags];
  logic [7:0] clear_q;  // registers cleared since reset; the upper bit: all of them
  assign ready_o = clear_q[7];

  assign int0_rs1_o = values_q[int0_i.rs1];
  assign int0_rs2_o = values_q[int0_i.rs2];
  assign int1_rs1_o = values_q[int1_i.rs1];
  assign int1_rs2_o = values_q[int1_i.rs2];
  assign int2_rs1_o = values_q[int2_i.rs1];
  assign int2_rs2_o = values_q[int2_i.rs2];
  assign mem_rs1_o = values_q[mem_i.rs1];
  assign mem_rs2_o = values_q[mem_i.rs2];
  assign float_rs1_o = values_q[float_i.rs1];
  assign float_rs2_o = values_q[float_i.rs2];
  assign float_rs3_o = values_q[float_i.rs3];
  assign head_rs1_o = values_q[head_i.rs1];
  assign head_rs2_o = values_q[head_i.rs2];
  assign head_rs3_o = values_q[head_i.rs3];

  logic [6:0] commit_tag;
  always_comb begin
    commit_tag = '0;
    commit_value_o = '0;
    if (commit_i)
      for (int lane = 0; lane < Width; lane++) begin
        commit_tag = commit_rd_i[7*lane+:7];
        if (commit_tag != '0)
          commit_value_o[64*lane+:64] =
              lane == 0 && head_result_i.valid ? head_value_i : values_q[commit_tag];
      end
  end

  // Nested, since a simulator evaluates both operands of &&
  always_ff @(posedge clk_i) begin
    if (!clear_q[7]) values_q[clear_q[6:0]] <= '0;
    else if (alu0_i.valid) if (alu0_i.rd != '0) values_q[alu0_i.rd] <= alu0_value_i;
    if (alu1_i.valid) if (alu1_i.rd != '0) values_q[alu1_i.rd] <= alu1_value_i;
    if (alu2_i.valid) if (alu2_i.rd != '0) values_q[alu2_i.rd] <= alu2_value_i;
    if (mem_result_i.valid)
      if (mem_result_i.rd != '0) values_q[mem_result_i.rd] <= mem_value_i;
    if (mul_i.valid || div_i.valid || float_result_i.valid || head_result_i.valid) begin
      if (mul_i.valid && mul_i.rd != '0) values_q[mul_i.rd] <= mul_value_i;
      if (div_i.valid && div_i.rd != '0) values_q[div_i.rd] <= div_value_i;
      if (float_result_i.valid && float_result_i.rd != '0)
        values_q[float_result_i.rd] <= float_value_i;
      if (head_result_i.valid && head_result_i.rd != '0)
        values_q[head_result_i.rd] <= head_value_i;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) clear_q <= '0;
    else if (!clear_q[7]) clear_q <= clear_q + 8'd1;
  end

endmodule
