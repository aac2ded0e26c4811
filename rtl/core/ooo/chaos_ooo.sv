// SPDX-License-Identifier: Apache-2.0
// Random inputs of the out-of-order core for tests, in builds with CHAOS defined: predictions,
// violations of loads that are right, and lines that are told to leave the L1D.
//
// Each of the three happens about once in 2**n cycles. All draw another n, of 7 from Rate on, or
// none for never, every 1024 cycles. Predicted targets are near those of recent fetches, or
// anywhere; the lines are of recent accesses.

`ifdef CHAOS
module chaos_ooo #(
  parameter int unsigned Rate = 1,  // 0 to 5
  parameter logic [63:0] Seed = 64'h9e37_79b9_7f4a_7c15
) (
  input logic clk_i,
  input logic rst_ni,

  input logic [63:0]    fetch_pc_i,
  input logic           data_i,       // an access of the L1D, and its line
  input mem_pkg::line_t data_line_i,

  output logic               predict_o,  // as chaos_* of core_ooo.sv
  output logic               taken_o,
  output ooo_pkg::halfword_t last_o,
  output logic [63:1]        target_o,
  output logic               violate_o,
  output logic               evict_o,
  output mem_pkg::line_t     evict_line_o
);

  // A xorshift generator; the program changes its state now and then.
  logic [63:0] random_q, random0, random1, random2;
  logic [9:0] cycle_q;
  logic period;
  assign period = cycle_q == '0;
  assign random0 = random_q ^ random_q << 13;
  assign random1 = random0 ^ random0 >> 7;
  assign random2 = random1 ^ random1 << 17;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      cycle_q <= '0;
      random_q <= Seed;
    end else begin
      cycle_q <= cycle_q + 1'b1;
      random_q <= random2;
      if (period && random2 != fetch_pc_i) random_q <= random2 ^ fetch_pc_i;
    end
  end

  // 12 bits of the generator for each kind, of which the lower ones decide
  logic [2:0] happens;
  for (genvar kind = 0; kind < 3; kind++) begin : gen_kind
    logic [2:0] n_q;
    logic [11:0] mask;
    assign mask = ~(12'hfff << n_q << Rate);
    assign happens[kind] = n_q != 3'd7 && (random_q[12*kind+:12] & mask) == '0;
    always_ff @(posedge clk_i) begin
      if (!rst_ni) n_q <= '0;
      else if (period) n_q <= random_q[36+3*kind+:3];
    end
  end

  logic [63:1] targets_q[16];
  mem_pkg::line_t lines_q[8];
  always_ff @(posedge clk_i) begin
    if (random_q[47:46] == '0) targets_q[random_q[51:48]] <= fetch_pc_i[63:1];
    if (data_i && random_q[47]) lines_q[random_q[50:48]] <= data_line_i;
  end

  assign predict_o = happens[0];
  assign violate_o = happens[1];
  assign evict_o = happens[2];
  assign taken_o = random_q[52];
  assign last_o = random_q[55:53];
  always_comb begin
    target_o = targets_q[random_q[59:56]] + 63'(random_q[62:60]) - 63'd3;
    if (random_q[50:46] == '0) target_o = {random_q[31:0], random_q[63:33]};
  end
  assign evict_line_o = lines_q[random_q[58:56]];

endmodule
`endif
