// SPDX-License-Identifier: Apache-2.0
// The CLINT ("sifive,clint0"): mtime; mtimecmp and msip of each hart.
//
// access_i is high for one cycle per access of 4 or 8 aligned bytes. A write takes effect at
// the end of that cycle, and rdata_o (right-aligned) is valid in the next one; active_i is
// high in both. mtime is incremented when the prescaler expires; a write of mtime does not
// change the prescaler. mtip_o changes with an increment of mtime or one cycle after a
// write, msip_o with the write.

module clint #(
  parameter int unsigned Harts = 1
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        active_i,  // low: only time advances
  input logic [15:0] skip_i,    // this edge stands for 1 + skip_i cycles, at most tick_o

  input  logic        access_i,
  input  logic        write_i,
  input  logic        wide_i,  // 8 bytes
  input  logic [15:2] offset_i,
  input  logic [63:0] wdata_i,
  output logic [63:0] rdata_o,

  output logic [Harts-1:0] mtip_o,
  output logic [Harts-1:0] msip_o,
  output logic [63:0]      mtime_o,
  output logic [11:0]      tick_o  // cycles until mtime is incremented
);

  localparam logic [63:0] Msip = soc_map_pkg::SOC_CLINT_MSIP;
  localparam logic [63:0] Mtimecmp = soc_map_pkg::SOC_CLINT_MTIMECMP;
  localparam logic [63:0] Mtime = soc_map_pkg::SOC_CLINT_MTIME;
  localparam logic [63:0] Cycles = soc_map_pkg::SOC_CLOCK_HZ / soc_map_pkg::SOC_TIMEBASE_HZ;

  logic [11:0] tick_q;
  logic [63:0] mtime_q, rdata_q;
  logic [Harts*64-1:0] mtimecmp_q;
  logic [Harts-1:0] mtip_q, msip_q;
  logic step, change;

  // part() returns the value that an access reads, merge() the register after a write.
  function automatic logic [63:0] part(input logic [63:0] value, input logic wide,
                                       input logic high);
    part = wide ? value : {32'd0, high ? value[63:32] : value[31:0]};
  endfunction

  function automatic logic [63:0] merge(input logic [63:0] value, input logic wide,
                                        input logic high, input logic [63:0] data);
    if (wide) merge = data;
    else merge = high ? {data[31:0], value[31:0]} : {value[63:32], data[31:0]};
  endfunction

  assign step = {4'd0, tick_q} <= skip_i + 16'd1;
  assign change = active_i | step;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) tick_q <= Cycles[11:0];
    else if (step) tick_q <= Cycles[11:0];
    else tick_q <= tick_q - 12'd1 - skip_i[11:0];
  end

  always_ff @(posedge clk_i) begin
    if (change) begin
      for (int unsigned h = 0; h < Harts; h++)
        mtip_q[h] <= rst_ni && mtime_q + {63'd0, step} >= mtimecmp_q[64*h+:64];
    end
  end

  always_ff @(posedge clk_i) begin
    if (change) begin
      if (!rst_ni) mtime_q <= 64'd0;
      else if (access_i & write_i & offset_i[15:3] == Mtime[15:3])
        mtime_q <= merge(mtime_q, wide_i, offset_i[2], wdata_i) + {63'd0, step};
      else mtime_q <= mtime_q + {63'd0, step};
    end
  end

  always_ff @(posedge clk_i) begin
    if (change) begin
      if (!rst_ni) begin
        mtimecmp_q <= '1;
        msip_q <= '0;
      end else if (access_i & write_i) begin
        for (int unsigned h = 0; h < Harts; h++) begin
          if (offset_i == Msip[15:2] + 14'(h)) msip_q[h] <= wdata_i[0];
          if (offset_i[15:3] == Mtimecmp[15:3] + 13'(h))
            mtimecmp_q[64*h+:64] <= merge(mtimecmp_q[64*h+:64], wide_i, offset_i[2], wdata_i);
        end
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (change) begin
      rdata_q <= 64'd0;
      if (offset_i[15:3] == Mtime[15:3]) rdata_q <= part(mtime_q, wide_i, offset_i[2]);
      for (int unsigned h = 0; h < Harts; h++) begin
        if (offset_i == Msip[15:2] + 14'(h)) rdata_q <= {63'd0, msip_q[h]};
        if (offset_i[15:3] == Mtimecmp[15:3] + 13'(h))
          rdata_q <= part(mtimecmp_q[64*h+:64], wide_i, offset_i[2]);
      end
    end
  end

  assign rdata_o = rdata_q;
  assign mtip_o = mtip_q;
  assign msip_o = msip_q;
  assign mtime_o = mtime_q;
  assign tick_o = tick_q;

endmodule
