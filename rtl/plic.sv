// SPDX-License-Identifier: Apache-2.0
// The PLIC ("sifive,plic-1.0.0"): 31 sources, seven priorities, the M and S
// contexts of hart 0.
//
// access_i lasts one cycle, 4 aligned bytes; what it does happens at its end, and
// rdata_o holds in the next cycle. Accesses are at least one cycle apart.
// active_i is high in an access, in the cycle after it, and in one in which a
// source changes. Such a cycle elects the winners of both contexts; winners and
// lines are registers, so that a claim only reads one.
// Priorities are kept as three words, a bit of each source in each: an election
// then narrows a set of sources from the top bit down.

module plic (
  input logic        clk_i,
  input logic        rst_ni,
  input logic        active_i,   // low: nothing changes
  input logic [31:0] sources_i,  // levels; bit 0 is 0

  input  logic        access_i,
  input  logic        write_i,
  input  logic [22:2] offset_i,
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,

  output logic meip_o,
  output logic seip_o
);

  // Words, not bytes.
  typedef enum logic [20:0] {
    Pending = 21'h00400,
    EnableM = 21'h00800,
    EnableS = 21'h00820,
    ThresholdM = 21'h80000,
    ClaimM = 21'h80001,
    ThresholdS = 21'h80400,
    ClaimS = 21'h80401
  } register_e;

  logic [31:0] priority2_q, priority1_q, priority0_q;
  logic [31:0] enable_m_q, enable_s_q;
  logic [31:0] pending_q, claimed_q, rdata_q;
  logic [2:0] threshold_m_q, threshold_s_q;
  logic [5:0] best_m_q, best_s_q;  // {interrupts, source}

  logic [31:0] ready, claim, complete;

  // The best of some sources, 0 if there is none, below the answer to whether it
  // interrupts. Priority 0 never does, and the lowest number wins among equals.
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
  // completion. Completion counts only where the source is enabled.
  always_comb begin
    ready = 32'd0;
    claim = 32'd0;
    complete = 32'd0;
    if (active_i) begin
      ready = pending_q | (sources_i & ~claimed_q);
      if (access_i & write_i) begin
        if (wdata_i[31:5] == 27'd0) begin
          if (offset_i == ClaimM) complete = (32'd1 << wdata_i[4:0]) & enable_m_q;
          if (offset_i == ClaimS) complete = (32'd1 << wdata_i[4:0]) & enable_s_q;
        end
      end else if (access_i) begin
        if (offset_i == ClaimM) claim = (32'd1 << best_m_q[4:0]) & ~32'd1;
        if (offset_i == ClaimS) claim = (32'd1 << best_s_q[4:0]) & ~32'd1;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (active_i) begin
      best_m_q <= best(ready & enable_m_q, priority2_q, priority1_q,
                       priority0_q, threshold_m_q);
      best_s_q <= best(ready & enable_s_q, priority2_q, priority1_q,
                       priority0_q, threshold_s_q);
      // A source that rises as it is claimed waits for the completion.
      pending_q <= (pending_q & ~claim) | (sources_i & ~((claimed_q & ~complete) | claim));
      claimed_q <= (claimed_q & ~complete) | claim;
      if (access_i & write_i)
        case (offset_i)
          EnableM: enable_m_q <= wdata_i & ~32'd1;
          EnableS: enable_s_q <= wdata_i & ~32'd1;
          ThresholdM: threshold_m_q <= wdata_i[2:0];
          ThresholdS: threshold_s_q <= wdata_i[2:0];
          default:
          if (offset_i[22:7] == 16'd0 && offset_i[6:2] != 5'd0) begin
            priority2_q[offset_i[6:2]] <= wdata_i[2];
            priority1_q[offset_i[6:2]] <= wdata_i[1];
            priority0_q[offset_i[6:2]] <= wdata_i[0];
          end
        endcase
      if (!rst_ni) begin
        priority2_q <= 32'd0;
        priority1_q <= 32'd0;
        priority0_q <= 32'd0;
        enable_m_q <= 32'd0;
        enable_s_q <= 32'd0;
        threshold_m_q <= 3'd0;
        threshold_s_q <= 3'd0;
        pending_q <= 32'd0;
        claimed_q <= 32'd0;
        best_m_q <= 6'd0;
        best_s_q <= 6'd0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (active_i) begin
      rdata_q <= 32'd0;
      case (offset_i)
        Pending: rdata_q <= pending_q;
        EnableM: rdata_q <= enable_m_q;
        EnableS: rdata_q <= enable_s_q;
        ThresholdM: rdata_q <= {29'd0, threshold_m_q};
        ThresholdS: rdata_q <= {29'd0, threshold_s_q};
        ClaimM: rdata_q <= {27'd0, best_m_q[4:0]};
        ClaimS: rdata_q <= {27'd0, best_s_q[4:0]};
        default:
        if (offset_i[22:7] == 16'd0)
          rdata_q <= {
            29'd0,
            priority2_q[offset_i[6:2]],
            priority1_q[offset_i[6:2]],
            priority0_q[offset_i[6:2]]
          };
      endcase
    end
  end

  assign rdata_o = rdata_q;
  assign meip_o = best_m_q[5];
  assign seip_o = best_s_q[5];

endmodule
