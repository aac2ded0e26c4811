// SPDX-License-Identifier: Apache-2.0
// Decides whether the clock of a hart may be stopped.
//
// It may, while clk_req_o is low: the last two edges have changed nothing but time, which has a
// clock of its own in hart.sv, without input at the second, and no input has come since.
// clk_req_o is high in the cycle in which an input comes, so the hart has the edge that ends
// it. A change of mem_dram_i is seen in the second cycle after it. clk_i is the clock of the
// hart.

module hart_sleep (
  input logic clk_i,
  input logic rst_ni,
  input logic idle_i,  // of hart.sv

  // Inputs of the hart: what is valid in this cycle, and what may change in any
  input logic                imem_valid_i,
  input logic                dmem_rsp_valid_i,
  input logic                probe_valid_i,
  input logic                device_valid_i,  // an access that waits for its answer
  input device_pkg::irq_t    irq_lines_i,
  input mem_pkg::mem_dram_t  mem_dram_i,

  output logic clk_req_o
);

  logic asleep_q, idle_q, valid;
  device_pkg::irq_t irq_lines_q;
  mem_pkg::mem_dram_t mem_dram_q;
  assign valid = imem_valid_i || dmem_rsp_valid_i || probe_valid_i || device_valid_i;
  always_ff @(posedge clk_i) begin
    idle_q   <= idle_i && rst_ni;
    asleep_q <= 1'b0;
    if (idle_i) begin
      asleep_q <= idle_q && !valid && mem_dram_i == mem_dram_q;
      irq_lines_q <= irq_lines_i;
      mem_dram_q <= mem_dram_i;
    end
  end
  always_comb begin
    clk_req_o = 1'b1;
    if (asleep_q) clk_req_o = valid || irq_lines_i != irq_lines_q || mem_dram_i != mem_dram_q;
  end

endmodule
