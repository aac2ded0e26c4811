// SPDX-License-Identifier: Apache-2.0
// The PLIC ("sifive,plic-1.0.0"): 31 sources, seven priorities, the M and S
// contexts of hart 0.
//
// access_i lasts one cycle, 4 aligned bytes; rdata_o belongs to that cycle, and
// what the access does happens at its end. Accesses are at least one cycle apart.
// The cycle after a change (settling_o), and the one in which a source rises,
// elect the winners again; winners and lines are registers, so that a claim only
// reads one.
// Priorities are kept as three words, a bit of each source in each: an election
// then narrows a set of sources from the top bit down.

module plic (
  input logic clk_i,
  input logic rst_ni,
  input logic [31:0] sources_i,  // levels; bit 0 is 0

  input logic access_i,
  input logic write_i,
  input logic [22:2] offset_i,
  input logic [31:0] wdata_i,
  output logic [31:0] rdata_o,

  output logic settling_o,
  output logic meip_o,
  output logic seip_o
);

  // Words, not bytes.
  localparam logic [20:0] Pending = 21'h00400;
  localparam logic [20:0] EnableM = 21'h00800;
  localparam logic [20:0] EnableS = 21'h00820;
  localparam logic [20:0] ThresholdM = 21'h80000;
  localparam logic [20:0] ClaimM = 21'h80001;
  localparam logic [20:0] ThresholdS = 21'h80400;
  localparam logic [20:0] ClaimS = 21'h80401;

  logic [31:0] priority2_q, priority1_q, priority0_q;
  logic [31:0] enable_m_q, enable_s_q;
  logic [31:0] pending_q, claimed_q;
  logic [2:0] threshold_m_q, threshold_s_q;
  logic [4:0] winner_m_q, winner_s_q;  // 0: none
  logic changed_q, meip_q, seip_q;

  logic [31:0] rising, ready, bit_m, bit_s, bit_w, claim, complete;
  logic [7:0] best_m, best_s;  // {priority, source}
  logic elect, priority_we;

  // The best of some sources, and its priority; 0 if there is none. Priority 0
  // never interrupts, and the lowest number wins among equals.
  function automatic logic [7:0] best(input logic [31:0] from, input logic [31:0] p2,
                                      input logic [31:0] p1, input logic [31:0] p0);
    logic [31:0] left;
    left = from;
    best[7] = |(left & p2);
    if (best[7]) left = left & p2;
    best[6] = |(left & p1);
    if (best[6]) left = left & p1;
    best[5] = |(left & p0);
    if (best[5]) left = left & p0;
    left = left & (~left + 32'd1);
    if (best[7:5] == 3'd0) left = 32'd0;
    best[4] = |(left & 32'hffff0000);
    best[3] = |(left & 32'hff00ff00);
    best[2] = |(left & 32'hf0f0f0f0);
    best[1] = |(left & 32'hcccccccc);
    best[0] = |(left & 32'haaaaaaaa);
  endfunction

  // A source is pending from its rise to its claim, and not again before its
  // completion. Completion counts only where the source is enabled.
  assign rising = sources_i & ~(pending_q | claimed_q);
  assign elect = changed_q | (rising != 32'd0);

  always_comb begin
    ready = 32'd0;
    best_m = 8'd0;
    best_s = 8'd0;
    if (elect) begin
      ready = pending_q | rising;
      best_m = best(ready & enable_m_q, priority2_q, priority1_q, priority0_q);
      best_s = best(ready & enable_s_q, priority2_q, priority1_q, priority0_q);
    end
  end

  always_comb begin
    rdata_o = 32'd0;
    bit_m = 32'd0;
    bit_s = 32'd0;
    bit_w = 32'd0;
    claim = 32'd0;
    complete = 32'd0;
    priority_we = 1'b0;
    if (access_i) begin
      bit_m = 32'd1 << winner_m_q;
      bit_s = 32'd1 << winner_s_q;
      if (wdata_i[31:5] == 27'd0) bit_w = 32'd1 << wdata_i[4:0];
      if (write_i) begin
        if (offset_i == ClaimM) complete = bit_w & enable_m_q;
        if (offset_i == ClaimS) complete = bit_w & enable_s_q;
        priority_we = offset_i[22:7] == 16'd0 && offset_i[6:2] != 5'd0;
      end else begin
        case (offset_i)
          Pending: rdata_o = pending_q;
          EnableM: rdata_o = enable_m_q;
          EnableS: rdata_o = enable_s_q;
          ThresholdM: rdata_o = {29'd0, threshold_m_q};
          ThresholdS: rdata_o = {29'd0, threshold_s_q};
          ClaimM: begin
            rdata_o = {27'd0, winner_m_q};
            claim = bit_m & ~32'd1;
          end
          ClaimS: begin
            rdata_o = {27'd0, winner_s_q};
            claim = bit_s & ~32'd1;
          end
          default:
          if (offset_i[22:7] == 16'd0)
            rdata_o = {
              29'd0,
              priority2_q[offset_i[6:2]],
              priority1_q[offset_i[6:2]],
              priority0_q[offset_i[6:2]]
            };
        endcase
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      priority2_q <= 32'd0;
      priority1_q <= 32'd0;
      priority0_q <= 32'd0;
      enable_m_q <= 32'd0;
      enable_s_q <= 32'd0;
      threshold_m_q <= 3'd0;
      threshold_s_q <= 3'd0;
    end else if (access_i & write_i) begin
      if (priority_we) begin
        priority2_q[offset_i[6:2]] <= wdata_i[2];
        priority1_q[offset_i[6:2]] <= wdata_i[1];
        priority0_q[offset_i[6:2]] <= wdata_i[0];
      end
      case (offset_i)
        EnableM: enable_m_q <= wdata_i & ~32'd1;
        EnableS: enable_s_q <= wdata_i & ~32'd1;
        ThresholdM: threshold_m_q <= wdata_i[2:0];
        ThresholdS: threshold_s_q <= wdata_i[2:0];
        default: ;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    changed_q <= rst_ni & access_i;
    if (!rst_ni) begin
      pending_q <= 32'd0;
      claimed_q <= 32'd0;
      winner_m_q <= 5'd0;
      winner_s_q <= 5'd0;
      meip_q <= 1'b0;
      seip_q <= 1'b0;
    end else begin
      if (elect | access_i) begin
        // A source that rises as it is claimed waits for the completion.
        pending_q <= (pending_q & ~claim) | (sources_i & ~((claimed_q & ~complete) | claim));
        claimed_q <= (claimed_q & ~complete) | claim;
      end
      if (elect) begin
        winner_m_q <= best_m[4:0];
        winner_s_q <= best_s[4:0];
        meip_q <= best_m[7:5] > threshold_m_q;
        seip_q <= best_s[7:5] > threshold_s_q;
      end
    end
  end

  assign settling_o = changed_q;
  assign meip_o = meip_q;
  assign seip_o = seip_q;

endmodule
