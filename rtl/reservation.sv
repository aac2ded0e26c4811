// SPDX-License-Identifier: Apache-2.0
// The reservation of LR and SC: one line of 64 bytes.
//
// It begins with reserve_i and ends with release_i, or when a probe says that another agent
// writes the line (ProbeWrite), whether or not the L1D has the line. While it holds,
// probe_held_o tells the prober of the line, which then must not let another cache write it
// without a further probe.
//
// With Coherent, an LR gets its line exclusively, and probes of the line wait for the SC
// (probe_wait_o), but not longer than Patience cycles: enough for the loops that the
// specification says must succeed. Patience does not begin anew before it has ended, nor
// while a probe waits.

module reservation #(
  parameter bit Coherent = 1'b0,
  localparam int unsigned Patience = 32
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
  output logic            probe_held_o,  // the line of the probe is reserved
  output logic            probe_wait_o,  // the probe is not served now
  output logic            still_o        // only inputs change anything
);

  logic reserved_q, reserved_d;
  logic [49:0] reserved_line_q;

  always_comb begin
    sc_fails_o = 1'b0;
    if (sc_i) sc_fails_o = !reserved_q || reserved_line_q != addr_i[55:6];
  end
  always_comb begin
    probe_held_o = 1'b0;
    if (probe_valid_i) probe_held_o = reserved_q && reserved_line_q == probe_i.addr[55:6];
  end
  always_comb begin
    reserved_d = reserved_q;
    if (release_i) reserved_d = 1'b0;
    else if (reserve_i) reserved_d = 1'b1;
    else if (probe_valid_i) begin
      if (probe_i.op == mem_pkg::ProbeWrite && reserved_line_q == probe_i.addr[55:6] &&
          !(Coherent && probe_wait_o))
        reserved_d = 1'b0;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) reserved_q <= 1'b0;
    else reserved_q <= reserved_d;
    if (reserve_i) reserved_line_q <= addr_i[55:6];
  end

  if (Coherent) begin : gen_coherent
    logic waiting;
    logic [5:0] patience_q;
    assign waiting = probe_valid_i && probe_i.addr[55:6] == addr_i[55:6];
    always_ff @(posedge clk_i) begin
      if (!rst_ni) patience_q <= 6'd0;
      else if (patience_q != 6'd0) patience_q <= patience_q - 6'd1;
      else if (reserve_i) patience_q <= waiting ? 6'd0 : Patience[5:0];
    end
    assign probe_wait_o = probe_held_o && patience_q != 6'd0;
    assign still_o = patience_q == 6'd0;
  end else begin : gen_alone
    assign probe_wait_o = 1'b0;
    assign still_o = 1'b1;
  end

endmodule
