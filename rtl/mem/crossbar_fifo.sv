// SPDX-License-Identifier: Apache-2.0
// The beats of one line on their way to an L1D, which may not take them for a while. An
// L1D has one miss, so the 8 places suffice. A beat arrives in the cycle after push_i.

module crossbar_fifo (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic        push_i,
  input  logic [63:0] data_i,
  output logic        valid_o,
  output logic [63:0] data_o,
  input  logic        ready_i
);

  logic [63:0] beats_q[8];
  logic [3:0] in_q, out_q;

  assign valid_o = in_q != out_q;
  always_comb begin
    data_o = '0;
    if (valid_o) data_o = beats_q[out_q[2:0]];
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      in_q <= 4'd0;
      out_q <= 4'd0;
    end else begin
      if (push_i) in_q <= in_q + 4'd1;
      if (valid_o && ready_i) out_q <= out_q + 4'd1;
    end
    if (push_i) beats_q[in_q[2:0]] <= data_i;
  end

  `ASSERT_IF(has_room, in_q - out_q != 4'd8, push_i)

endmodule
