// SPDX-License-Identifier: Apache-2.0
// Sends the probes of all transactions to one L1D, one at a time, in turn. Each is held
// until its ack; a cycle without a probe follows.

module crossbar_prober #(
  parameter int unsigned Slots = 4
) (
  input logic clk_i,
  input logic rst_ni,

  // The transactions, one bit each
  input  logic [Slots-1:0]                   probe_req_i,
  input  logic [Slots*mem_pkg::LineBits-1:0] lines_i,
  input  logic [Slots-1:0]                   owns_i,        // the L1D loses the line
  output logic [Slots-1:0]                   probe_grant_o,
  output logic [Slots-1:0]                   probe_sent_o,  // whose probe the L1D has

  // The L1D
  output logic            probe_valid_o,
  output mem_pkg::probe_t probe_o,
  input  logic            probe_ack_i
);

  localparam int unsigned LineBits = mem_pkg::LineBits;

  logic [Slots-1:0] owner_q, request;
  logic valid_q;
  mem_pkg::probe_t probe_d, probe_q;
  mem_pkg::line_t line;

  always_comb begin
    request = '0;
    if (!valid_q) request = probe_req_i;
  end
  round_robin #(
    .Requests(Slots)
  ) u_turn (
    .clk_i,
    .rst_ni,
    .request_i(request),
    .grant_o  (probe_grant_o)
  );

  always_comb begin
    line = '0;
    probe_d = '0;
    if (request != '0) begin
      for (int unsigned s = 0; s < Slots; s++)
        if (probe_grant_o[s]) line = lines_i[LineBits*s+:LineBits];
      probe_d.op = (probe_grant_o & owns_i) != '0 ? mem_pkg::ProbeWrite : mem_pkg::ProbeShare;
      probe_d.addr = {line, 6'd0};
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni || probe_ack_i) valid_q <= 1'b0;
    else if (request != '0) valid_q <= 1'b1;
    if (!rst_ni || probe_ack_i) owner_q <= '0;
    else if (request != '0) owner_q <= probe_grant_o;
    if (request != '0) probe_q <= probe_d;
  end
  assign probe_sent_o = owner_q;
  assign probe_valid_o = valid_q;
  assign probe_o = probe_q;

  `ASSERT_IF(ack_of_a_probe, valid_q, probe_ack_i)

endmodule
