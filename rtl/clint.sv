// SPDX-License-Identifier: Apache-2.0
// The CLINT ("sifive,clint0") of one hart: mtime, mtimecmp, msip.
//
// access_i lasts one cycle, 4 or 8 aligned bytes; rdata_o is right-aligned and
// belongs to that cycle, a write happens at its end. mtime steps when the
// prescaler runs out, and a write leaves the prescaler alone. Interrupt lines are
// registers that change at the edge at which their cause does.

module clint (
  input logic clk_i,
  input logic rst_ni,
  input logic [15:0] skip_i,  // this edge stands for 1 + skip_i cycles, tick_o at most

  input logic access_i,
  input logic write_i,
  input logic wide_i,  // 8 bytes
  input logic [15:2] offset_i,
  input logic [63:0] wdata_i,
  output logic [63:0] rdata_o,

  output logic mtip_o,
  output logic msip_o,
  output logic [63:0] mtime_o,
  output logic [11:0] tick_o  // cycles until mtime steps
);

  localparam logic [63:0] Msip = soc_map_pkg::SOC_CLINT_MSIP;
  localparam logic [63:0] Mtimecmp = soc_map_pkg::SOC_CLINT_MTIMECMP;
  localparam logic [63:0] Mtime = soc_map_pkg::SOC_CLINT_MTIME;
  localparam logic [63:0] Cycles = soc_map_pkg::SOC_CLOCK_HZ / soc_map_pkg::SOC_TIMEBASE_HZ;

  logic [11:0] tick_q;
  logic [63:0] mtime_q, mtime_d, mtimecmp_q, mtimecmp_d;
  logic mtip_q, msip_q;
  logic step, at_msip, at_mtimecmp, at_mtime, change;
  logic [63:0] selected, merged;

  assign step = {4'd0, tick_q} <= skip_i + 16'd1;

  always_comb begin
    at_msip = 1'b0;
    at_mtimecmp = 1'b0;
    at_mtime = 1'b0;
    if (access_i) begin
      at_msip = offset_i == Msip[15:2];
      at_mtimecmp = offset_i[15:3] == Mtimecmp[15:3];
      at_mtime = offset_i[15:3] == Mtime[15:3];
    end
  end

  assign change = step | (write_i & (at_mtimecmp | at_mtime));

  always_comb begin
    selected = 64'd0;
    merged = 64'd0;
    rdata_o = 64'd0;
    if (access_i) begin
      if (at_mtimecmp) selected = mtimecmp_q;
      if (at_mtime) selected = mtime_q;
      if (at_msip) selected = {63'd0, msip_q};
      if (wide_i) begin
        rdata_o = selected;
        merged = wdata_i;
      end else if (offset_i[2]) begin
        rdata_o = {32'd0, selected[63:32]};
        merged = {wdata_i[31:0], selected[31:0]};
      end else begin
        rdata_o = {32'd0, selected[31:0]};
        merged = {selected[63:32], wdata_i[31:0]};
      end
      if (write_i) rdata_o = 64'd0;
    end
  end

  always_comb begin
    mtime_d = mtime_q;
    mtimecmp_d = mtimecmp_q;
    if (change) begin
      if (write_i & at_mtimecmp) mtimecmp_d = merged;
      if (write_i & at_mtime) mtime_d = merged;
      if (step) mtime_d = mtime_d + 64'd1;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      tick_q <= Cycles[11:0];
      mtime_q <= 64'd0;
      mtimecmp_q <= ~64'd0;
      mtip_q <= 1'b0;
      msip_q <= 1'b0;
    end else begin
      tick_q <= step ? Cycles[11:0] : tick_q - 12'd1 - skip_i[11:0];
      if (change) begin
        mtime_q <= mtime_d;
        mtimecmp_q <= mtimecmp_d;
        mtip_q <= mtime_d >= mtimecmp_d;
      end
      if (at_msip & write_i) msip_q <= wdata_i[0];
    end
  end

  assign mtip_o = mtip_q;
  assign msip_o = msip_q;
  assign mtime_o = mtime_q;
  assign tick_o = tick_q;

endmodule
