// SPDX-License-Identifier: Apache-2.0
// The beats of lines on their way to an L1D, which may not take them for a while. There are 8
// places for each of its misses, so they suffice. A beat arrives in the cycle after push_i.

module crossbar_fifo #(
  parameter int unsigned Lines = 1,  // a power of two
  parameter int unsigned Width = 64
) (
  input  logic             clk_i,
  input  logic             rst_ni,
  input  logic             push_i,
  input  logic [Width-1:0] data_i,
  output logic             valid_o,
  output logic [Width-1:0] data_o,
  input  logic             ready_i
);

  localparam int unsigned Bits = $clog2(8 * Lines);

  logic [Width-1:0] beats_q[8*Lines];
  logic [Bits:0] in_q, out_q;

  assign valid_o = in_q != out_q;
  always_comb begin
    data_o = '0;
    if (valid_o) data_o = beats_q[out_q[Bits-1:0]];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q <= '0;
      out_q <= '0;
    end else begin
      if (push_i) in_q <= in_q + 1'b1;
      if (valid_o && ready_i) out_q <= out_q + 1'b1;
    end
    if (push_i) beats_q[in_q[Bits-1:0]] <= data_i;
  end

  `ASSERT_IF(has_room, in_q - out_q != (Bits + 1)'(8 * Lines), push_i)

endmodule
