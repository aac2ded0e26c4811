// SPDX-License-Identifier: Apache-2.0
// Merges the DMA of two masters, a and b, to the port of soc.sv: one request and one beat in
// a cycle.
//
// A master shows a request, a beat to write, or both, and holds them until ready_o. Both are
// then taken; the first beat of a line comes with its request. If both masters want the port
// they take turns, so each waits for at most one cycle with ready_i. Combinational but for one
// bit. clk_i may be stopped while b shows nothing, except in reset. More masters need more
// arbiters, each of which is master a of the next. Answers do not pass through here: the
// identifier names the master.

module dma_arbiter (
  input logic clk_i,
  input logic rst_ni,

  input  logic               a_req_valid_i,
  input  mem_pkg::dma_req_t  a_req_i,
  input  logic               a_beat_valid_i,
  input  mem_pkg::dma_beat_t a_beat_i,
  output logic               a_ready_o,

  input  logic               b_req_valid_i,
  input  mem_pkg::dma_req_t  b_req_i,
  input  logic               b_beat_valid_i,
  input  mem_pkg::dma_beat_t b_beat_i,
  output logic               b_ready_o,

  output logic               req_valid_o,
  output mem_pkg::dma_req_t  req_o,
  output logic               beat_valid_o,
  output mem_pkg::dma_beat_t beat_o,
  input  logic               ready_i
);

  logic a_valid, b_valid, b_grant, b_waited_q;  // b has waited for a
  assign a_valid = a_req_valid_i || a_beat_valid_i;
  assign b_valid = b_req_valid_i || b_beat_valid_i;
  assign b_grant = b_valid && (!a_valid || b_waited_q);
  assign b_ready_o = b_grant && ready_i;
  assign a_ready_o = !b_grant && ready_i;
  always_ff @(posedge clk_i) begin
    if (ready_i || !rst_ni) b_waited_q <= b_valid && !b_grant && rst_ni;
  end

  assign req_valid_o = b_grant ? b_req_valid_i : a_req_valid_i;
  assign beat_valid_o = b_grant ? b_beat_valid_i : a_beat_valid_i;
  assign req_o = b_grant ? b_req_i : a_req_i;
  assign beat_o = b_grant ? b_beat_i : a_beat_i;

  `ASSERT_HELD(request_stands, b_valid, b_ready_o,
               {b_req_valid_i, b_beat_valid_i, b_req_valid_i ? b_req_i : '0,
                b_beat_valid_i ? b_beat_i : '0})
  `ASSERT(one_granted, !((a_valid && a_ready_o) && (b_valid && b_ready_o)))
  `ASSERT_IF(in_turn, b_grant == b_waited_q, a_valid && b_valid)
  `ASSERT_IF(beat_of_the_request, beat_o.id == req_o.id,
             req_valid_o && req_o.write && beat_valid_o)

endmodule
