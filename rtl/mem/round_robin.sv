// SPDX-License-Identifier: Apache-2.0
// Grants one of several requests, in turn. Combinational; without a request nothing is
// granted. A grant moves the turn on at the edge, whether or not it is used.

module round_robin #(
  parameter int unsigned Requests = 2
) (
  input  logic                clk_i,
  input  logic                rst_ni,
  input  logic [Requests-1:0] request_i,
  output logic [Requests-1:0] grant_o     // one bit, or none
);

  logic [Requests-1:0] mask_q, masked;  // those behind the last that was granted
  always_comb begin
    masked = '0;
    grant_o = '0;
    if (request_i != '0) begin
      masked = request_i & mask_q;
      if (masked == '0) masked = request_i;
      grant_o = masked & (~masked + 1'b1);
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) mask_q <= '0;
    else if (request_i != '0) mask_q <= ~(grant_o | (grant_o - 1'b1));
  end

  `ASSERT(one, $onehot0(grant_o))

endmodule
