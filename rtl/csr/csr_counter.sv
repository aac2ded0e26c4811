// SPDX-License-Identifier: Apache-2.0
// mcycle, minstret and mcountinhibit, and the event counters (csr_hpm.sv).
//
// mcycle is incremented by 1 + skip_i at each edge, minstret by commit_i, unless inhibited
// before the edge. A write replaces the increment at its edge.

module csr_counter #(
  parameter bit Pmu = 1'b1,  // 0: mhpmcounters and mhpmevents read 0 and ignore writes
  parameter int unsigned Commits = 1,  // instructions that commit in a cycle, at most
  parameter int unsigned EventBits = csr_pkg::EventBits,  // as in csr_hpm.sv
  localparam int unsigned CountBits = $clog2(Commits + 1)
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [15:0] skip_i,
  input logic [CountBits-1:0] commit_i,  // how many instructions commit

  // Events of the core, as in csr_hpm.sv; hpm_on_o: a counter needs them
  input  logic [CountBits*EventBits-1:0] events_i,
  output logic                           hpm_on_o,

  // CSR access, by number
  input logic        read_i,
  input logic        we_i,
  input logic [11:0] addr_i,
  input logic [63:0] wdata_i,

  output logic [63:0] mcycle_o,
  output logic [63:0] minstret_o,
  output logic [63:0] hpm_o,  // with read_i: the mhpmevent or counter
  output logic [31:0] inhibit_o
);

  localparam int unsigned Cycle = 0;
  localparam int unsigned Instret = 2;
  localparam int unsigned Hpm = 3;  // and up
  localparam int unsigned Counters = soc_map_pkg::SOC_HPM_COUNTERS[31:0];
  localparam int unsigned Width = soc_map_pkg::SOC_HPM_WIDTH[31:0];
  localparam logic [31:0] HpmMask = Pmu ? ((32'd1 << Counters) - 32'd1) << Hpm : 32'd0;
  localparam logic [31:0] InhibitMask = HpmMask | 32'd5;

  logic [63:0] mcycle_q, minstret_q;
  logic [31:0] inhibit_q;
  assign mcycle_o = mcycle_q;
  assign minstret_o = minstret_q;
  assign inhibit_o = inhibit_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      mcycle_q   <= 64'd0;
      minstret_q <= 64'd0;
      inhibit_q  <= 32'd0;
    end else begin
      if (!inhibit_q[Cycle]) mcycle_q <= mcycle_q + 64'd1 + {48'd0, skip_i};
      if (commit_i != '0 && !inhibit_q[Instret])
        minstret_q <= minstret_q + {{(64 - CountBits) {1'b0}}, commit_i};
      if (we_i) begin
        case (addr_i)
          csr_pkg::CsrMcycle: mcycle_q <= wdata_i;
          csr_pkg::CsrMinstret: minstret_q <= wdata_i;
          csr_pkg::CsrMcountinhibit: inhibit_q <= wdata_i[31:0] & InhibitMask;
          default: ;
        endcase
      end
    end
  end

  if (Pmu) begin : gen_hpm
    csr_hpm #(
      .Counters (Counters),
      .Width    (Width),
      .Commits  (Commits),
      .EventBits(EventBits)
    ) u_hpm (
      .clk_i,
      .rst_ni,
      .skip_i,
      .events_i,
      .inhibit_i(inhibit_q[Hpm+:Counters]),
      .on_o     (hpm_on_o),
      .read_i,
      .we_i,
      .addr_i,
      .wdata_i  (wdata_i[Width-1:0]),
      .rdata_o  (hpm_o)
    );
  end else begin : gen_no_hpm
    logic unused;
    assign unused = read_i || events_i != '0;
    assign hpm_o = 64'd0;
    assign hpm_on_o = 1'b0;
  end

endmodule
