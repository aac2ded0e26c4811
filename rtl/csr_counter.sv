// SPDX-License-Identifier: Apache-2.0
// mcycle, minstret and mcountinhibit.
//
// mcycle grows by 1 + skip_i an edge, minstret by one for each commit_i, unless
// inhibited before the edge. A write replaces the increment of its own edge.

module csr_counter (
    input logic        clk_i,
    input logic        rst_ni,
    input logic [15:0] skip_i,
    input logic        commit_i,

    // Writes, by CSR number
    input logic        we_i,
    input logic [11:0] addr_i,
    input logic [63:0] wdata_i,

    output logic [63:0] mcycle_o,
    output logic [63:0] minstret_o,
    output logic [ 2:0] inhibit_o
);

  localparam int unsigned Cycle = 0;
  localparam int unsigned Instret = 2;

  logic [63:0] mcycle_q, minstret_q;
  logic [2:0] inhibit_q;
  assign mcycle_o = mcycle_q;
  assign minstret_o = minstret_q;
  assign inhibit_o = inhibit_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mcycle_q   <= 64'd0;
      minstret_q <= 64'd0;
      inhibit_q  <= 3'd0;
    end else begin
      if (!inhibit_q[Cycle]) mcycle_q <= mcycle_q + 64'd1 + {48'd0, skip_i};
      if (commit_i && !inhibit_q[Instret]) minstret_q <= minstret_q + 64'd1;
      if (we_i) begin
        case (addr_i)
          csr_pkg::MCYCLE: mcycle_q <= wdata_i;
          csr_pkg::MINSTRET: minstret_q <= wdata_i;
          csr_pkg::MCOUNTINHIBIT: inhibit_q <= wdata_i[2:0] & 3'b101;
          default: ;
        endcase
      end
    end
  end

endmodule
