// SPDX-License-Identifier: Apache-2.0
// The reservation of LR and SC: one line of 64 bytes.
//
// It begins with reserve_i and ends with release_i, or when a probe says that another agent
// writes the line (ProbeWrite), whether or not the L1D has the line. While it holds,
// probe_reserved_o tells the prober of the line, which then must not let another cache write
// it without a further probe.
//
// With Coherent, an LR gets its line exclusively, and probes of the line wait for the SC
// (probe_stall_o), but not longer than Timeout cycles: enough for the loops that the
// specification says must succeed. The timeout does not restart before it has expired, nor
// while a probe waits.

module reservation #(
  parameter bit Coherent = 1'b0,
  localparam int unsigned Timeout = 32
) (
  input logic clk_i,
  input logic rst_ni,

  input  logic        reserve_i,   // begins at this edge
  input  logic        release_i,   // ends at this edge
  input  logic        sc_i,        // an SC
  input  logic [55:0] addr_i,      // of the access
  output logic        sc_fails_o,  // with sc_i: its line is not reserved

  input  logic            probe_valid_i,
  input  mem_pkg::probe_t probe_i,
  output logic            probe_reserved_o,  // the line of the probe is reserved
  output logic            probe_stall_o,     // the probe is not served now
  output logic            quiescent_o        // only inputs change anything
);

  logic reserved_q, reserved_d;
  logic [49:0] reserved_line_q;

  always_comb begin
    sc_fails_o = 1'b0;
    if (sc_i) sc_fails_o = !reserved_q || reserved_line_q != addr_i[55:6];
  end
  always_comb begin
    probe_reserved_o = 1'b0;
    if (probe_valid_i) probe_reserved_o = reserved_q && reserved_line_q == probe_i.addr[55:6];
  end
  always_comb begin
    reserved_d = reserved_q;
    if (release_i) reserved_d = 1'b0;
    else if (reserve_i) reserved_d = 1'b1;
    else if (probe_valid_i) begin
      if (probe_i.op == mem_pkg::ProbeWrite && reserved_line_q == probe_i.addr[55:6] &&
          !(Coherent && probe_stall_o))
        reserved_d = 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) reserved_q <= 1'b0;
    else reserved_q <= reserved_d;
    if (reserve_i) reserved_line_q <= addr_i[55:6];
  end

  if (Coherent) begin : gen_coherent
    logic probe_same_line;
    logic [5:0] timeout_q;
    assign probe_same_line = probe_valid_i && probe_i.addr[55:6] == addr_i[55:6];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) timeout_q <= 6'd0;
      else if (timeout_q != 6'd0) timeout_q <= timeout_q - 6'd1;
      else if (reserve_i) timeout_q <= probe_same_line ? 6'd0 : Timeout[5:0];
    end
    assign probe_stall_o = probe_reserved_o && timeout_q != 6'd0;
    assign quiescent_o = timeout_q == 6'd0;
    `ASSERT(wait_ends, timeout_q <= Timeout[5:0])
  end else begin : gen_alone
    assign probe_stall_o = 1'b0;
    assign quiescent_o = 1'b1;
  end

  `ASSERT_IF(write_ends_it, !reserved_d || reserve_i,
             probe_reserved_o && probe_i.op == mem_pkg::ProbeWrite && !probe_stall_o)
  `ASSERT_IF(stalls_for_the_line, probe_reserved_o, probe_stall_o)

endmodule
