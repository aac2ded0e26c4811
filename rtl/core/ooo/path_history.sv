// SPDX-License-Identifier: Apache-2.0
// The path by which a block was reached: where taken jumps were and where they went, the newest
// in the low bits.
//
// Each path has a number, by which it is found again: number_o is that of path_o. A taken jump
// moves to the next number. So many are kept that none in use is overwritten: an instruction in
// the window or in front of it is one jump at most.
//
// old_path_o is combinational on old_number_i. While clear_i is high, all is 0.

module path_history (
  input logic clk_i,
  input logic rst_ni,
  input logic clear_i,

  output ooo_pkg::path_t    path_o,
  output ooo_pkg::history_t number_o,

  // To the path of redirect_number_i with redirect_i, and past a jump with jumps_i
  input logic              redirect_i,
  input ooo_pkg::history_t redirect_number_i,
  input logic              jumps_i,
  input logic [7:0]        from_i,  // bits 8:1 of the address of its last halfword
  input logic [8:0]        to_i,    // bits 9:1 of its target

  input  logic              old_i,
  input  ooo_pkg::history_t old_number_i,
  output ooo_pkg::path_t    old_path_o
);

  ooo_pkg::path_t paths_q[1<<ooo_pkg::HistoryBits], path_q, path_d;
  ooo_pkg::history_t number_q, number_d;
  assign path_o = path_q;
  assign number_o = number_q;

  always_comb begin
    path_d = path_q;
    number_d = number_q;
    if (redirect_i) begin
      path_d = paths_q[redirect_number_i];
      number_d = redirect_number_i;
    end
    if (jumps_i) begin
      path_d = (path_d << 1) ^ {56'd0, from_i} ^ {55'd0, to_i};
      number_d = number_d + 1'b1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      path_q <= '0;
      number_q <= '0;
    end else if (redirect_i || jumps_i) begin
      path_q <= path_d;
      number_q <= number_d;
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) paths_q[0] <= '0;
    else if (jumps_i) paths_q[number_d] <= path_d;
  end

  assign old_path_o = old_i ? paths_q[old_number_i] : '0;

endmodule
