// SPDX-License-Identifier: Apache-2.0
// The PLIC ("sifive,plic-1.0.0"): up to 31 sources, seven priorities. Context 2h is M-mode
// of hart h, context 2h + 1 its S-mode.
//
// access_i is high for one cycle per access of 4 aligned bytes. The access takes effect at
// the end of that cycle, and rdata_o is valid in the next one. Between two accesses there
// is at least one cycle. active_i is high in an access, in the cycle after it, and in a
// cycle in which a source changes. Each such cycle finds the best source of every context;
// the results and the interrupt lines are registers, so that a claim only reads one.
// Priorities are stored as three words with one bit per source: the search narrows the set
// of sources from the most significant bit down.

module plic #(
  parameter int unsigned Sources = soc_map_pkg::SOC_PLIC_SOURCES[31:0],
  parameter int unsigned Contexts = 2
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        active_i,   // low: nothing changes
  input logic [31:0] sources_i,  // levels; bit 0 is 0

  input  logic        access_i,
  input  logic        write_i,
  input  logic [22:2] offset_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,

  output logic [Contexts-1:0] irq_o
);

  // Word offsets for the first context, and the distance to the next one.
  localparam logic [20:0] Pending = 21'h00400;
  localparam logic [20:0] Enable = 21'h00800;
  localparam logic [20:0] EnableStep = 21'h00020;
  localparam logic [20:0] Threshold = 21'h80000;
  localparam logic [20:0] Claim = 21'h80001;
  localparam logic [20:0] ContextStep = 21'h00400;

  localparam logic [31:0] Present = (32'd1 << Sources << 1) - 32'd2;

  logic [31:0] priority2_q, priority1_q, priority0_q;
  logic [31:0] pending_q, claimed_q, rdata_q, rdata_d;
  logic [Contexts*32-1:0] enable_q, enable_d;
  logic [Contexts*3-1:0] threshold_q, threshold_d;
  logic [Contexts*6-1:0] best_q, best_d;  // {interrupts, source}

  logic [31:0] ready, claim, complete;
  logic at_priority;
  assign at_priority = offset_i[22:7] == 16'd0;

  // Returns {interrupts, source}: the best of the sources `from`, 0 if there is none, and
  // whether its priority is above the threshold. Sources of priority 0 are ignored; among
  // equal priorities the lowest number wins.
  function automatic logic [5:0] best(input logic [31:0] from, input logic [31:0] p2,
                                      input logic [31:0] p1, input logic [31:0] p0,
                                      input logic [2:0] threshold);
    logic [31:0] left;
    logic [2:0] level;
    left = from;
    level[2] = (left & p2) != 32'd0;
    if (level[2]) left = left & p2;
    level[1] = (left & p1) != 32'd0;
    if (level[1]) left = left & p1;
    level[0] = (left & p0) != 32'd0;
    if (level[0]) left = left & p0;
    if (level == 3'd0) left = 32'd0;
    left = left & (~left + 32'd1);
    best = {
      level > threshold,
      (left & 32'hffff0000) != 32'd0,
      (left & 32'hff00ff00) != 32'd0,
      (left & 32'hf0f0f0f0) != 32'd0,
      (left & 32'hcccccccc) != 32'd0,
      (left & 32'haaaaaaaa) != 32'd0
    };
  endfunction

  // A source is pending from its rise to its claim, and not again before its
  // completion. A context can complete only sources that it enables.
  logic [20:0] step, enable_step;
  always_comb begin
    ready = 32'd0;
    claim = 32'd0;
    complete = 32'd0;
    rdata_d = 32'd0;
    enable_d = '0;
    threshold_d = '0;
    best_d = '0;
    step = 21'd0;
    enable_step = 21'd0;
    if (active_i) begin
      ready = pending_q | (sources_i & ~claimed_q);
      enable_d = enable_q;
      threshold_d = threshold_q;
      if (offset_i == Pending) rdata_d = pending_q;
      if (at_priority)
        rdata_d = {
          29'd0,
          priority2_q[offset_i[6:2]],
          priority1_q[offset_i[6:2]],
          priority0_q[offset_i[6:2]]
        };
      for (int unsigned c = 0; c < Contexts; c++) begin
        best_d[6*c+:6] = best(ready & enable_q[32*c+:32], priority2_q, priority1_q, priority0_q,
                              threshold_q[3*c+:3]);
        if (offset_i == Enable + enable_step) begin
          rdata_d = enable_q[32*c+:32];
          if (access_i && write_i) enable_d[32*c+:32] = wdata_i & Present;
        end
        if (offset_i == Threshold + step) begin
          rdata_d = {29'd0, threshold_q[3*c+:3]};
          if (access_i && write_i) threshold_d[3*c+:3] = wdata_i[2:0];
        end
        if (offset_i == Claim + step) begin
          rdata_d = {27'd0, best_q[6*c+:5]};
          if (access_i && !write_i) claim = (32'd1 << best_q[6*c+:5]) & ~32'd1;
          if (access_i && write_i && wdata_i[31:5] == 27'd0)
            complete = (32'd1 << wdata_i[4:0]) & enable_q[32*c+:32];
        end
        step = step + ContextStep;
        enable_step = enable_step + EnableStep;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (active_i) begin
      enable_q <= enable_d;
      threshold_q <= threshold_d;
      best_q <= best_d;
      rdata_q <= rdata_d;
      // A source that rises as it is claimed waits for the completion.
      pending_q <= (pending_q & ~claim) | (sources_i & ~((claimed_q & ~complete) | claim));
      claimed_q <= (claimed_q & ~complete) | claim;
      if (access_i && write_i && at_priority && Present[offset_i[6:2]]) begin
        priority2_q[offset_i[6:2]] <= wdata_i[2];
        priority1_q[offset_i[6:2]] <= wdata_i[1];
        priority0_q[offset_i[6:2]] <= wdata_i[0];
      end
      if (!rst_ni) begin
        priority2_q <= 32'd0;
        priority1_q <= 32'd0;
        priority0_q <= 32'd0;
        enable_q <= '0;
        threshold_q <= '0;
        pending_q <= 32'd0;
        claimed_q <= 32'd0;
        best_q <= '0;
      end
    end
  end

  for (genvar c = 0; c < Contexts; c++) begin : gen_irq
    assign irq_o[c] = best_q[6*c+5];
  end
  assign rdata_o = rdata_q;

endmodule
