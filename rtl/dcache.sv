// SPDX-License-Identifier: Apache-2.0
// The L1 data cache: 16 KiB, 4-way, lines of 64 bytes, write-back, coherence
// states I, S, E, M and a probe port.
//
// An access of M is answered in the same cycle when it hits: hit_o, and rdata_o
// with the aligned 8 bytes. While it does not, M holds it. The walker reads when M
// does not access. A miss first writes its victim back if that is dirty, then asks
// for the line and takes its 8 beats; an upgrade of S takes one. One miss at a
// time; probes are served between misses, before anything else. Requests to memory
// are 0 without dmem_req_valid_o, and so is the address of what goes back without
// wb_valid_o.
//
// An upgrade must be granted exclusively (dmem_rsp_i.excl), else it is asked for again, for
// ever. Against endless probes this cache does not defend itself: after an ack there is a
// cycle without one (soc.sv), in which a load or store goes ahead if it hits, but an AMO
// needs two in a row, and a line may be taken away as soon as it has come. So memory
// must leave a pause now and then. That of the harness does: a line that it gives up
// or that the L1I asks for costs one probe.

module dcache (
  input logic clk_i,
  input logic rst_ni,

  // M
  input  logic        req_i,
  input  logic        write_i,  // needs E or M
  input  logic        store_i,  // writes at this edge, if it hits
  input  logic [55:0] addr_i,
  input  logic [63:0] wdata_i,
  input  logic [63:0] wmask_i,
  output logic        hit_o,
  output logic [63:0] rdata_o,

  // Walker
  input  logic        table_req_i,
  input  logic [55:0] table_addr_i,
  output logic        table_ack_o,

  output logic still_o,  // waits for the first beat of a line
  output logic dram_o,   // the line comes from DRAM

  // Memory
  output logic                dmem_req_valid_o,
  output soc_pkg::line_req_t  dmem_req_o,
  input  logic                dmem_rsp_valid_i,
  input  soc_pkg::line_rsp_t  dmem_rsp_i,
  input  logic                dmem_dram_i,  // not yet registered
  output logic                wb_valid_o,
  output soc_pkg::writeback_t wb_o,
  input  logic                probe_valid_i,
  input  soc_pkg::probe_t     probe_i,
  output logic                probe_ack_o
);

  typedef enum logic [2:0] {
    StClear = 3'd0,  // after reset, a set a cycle
    StReady = 3'd1,
    StVictim = 3'd2,  // goes out
    StFill = 3'd3,
    StProbe = 3'd4  // its data go out
  } fsm_e;

  typedef enum logic [1:0] {
    Invalid = 2'd0,
    Shared = 2'd1,
    Exclusive = 2'd2,
    Modified = 2'd3
  } mesi_e;

  typedef struct packed {
    mesi_e       state;
    logic [43:0] tag;
  } line_t;

  fsm_e fsm_q;
  logic [45:0] tag0_q[64], tag1_q[64], tag2_q[64], tag3_q[64];  // line_t
  logic [63:0] data_q[2048];  // {set, way, 8 bytes of the line}

  // Of a miss or probe under way
  logic [1:0] way_q, victim_q;
  logic [43:0] tag_q, old_tag_q;
  logic [5:0] set_q;
  logic [2:0] beat_q;
  logic upgrade_q, excl_q;

  logic probe_share;
  assign probe_share = probe_i.op == soc_pkg::ProbeShare;

  // Lookup
  logic look;
  logic [55:0] addr;
  logic [5:0] set;
  logic [1:0] way;
  mesi_e state;
  line_t t0, t1, t2, t3;
  assign look = fsm_q == StReady && (req_i || table_req_i || probe_valid_i);
  always_comb begin
    addr = table_addr_i;
    if (req_i) addr = addr_i;
    if (probe_valid_i) addr = probe_i.addr;
  end
  assign set = addr[11:6];
  assign t0 = tag0_q[set];
  assign t1 = tag1_q[set];
  assign t2 = tag2_q[set];
  assign t3 = tag3_q[set];
  always_comb begin
    way = 2'd0;
    state = Invalid;
    if (look) begin
      if (t0.tag == addr[55:12] && t0.state != Invalid) begin
        state = t0.state;
      end else if (t1.tag == addr[55:12] && t1.state != Invalid) begin
        way = 2'd1;
        state = t1.state;
      end else if (t2.tag == addr[55:12] && t2.state != Invalid) begin
        way = 2'd2;
        state = t2.state;
      end else if (t3.tag == addr[55:12] && t3.state != Invalid) begin
        way = 2'd3;
        state = t3.state;
      end
    end
  end

  // What the lookup is for, and what becomes of it
  logic hit, serve, miss, probe_now;
  assign serve = look && !probe_valid_i;
  assign hit = serve && state != Invalid && !(req_i && write_i && state == Shared);
  assign miss = serve && !hit;
  assign probe_now = look && probe_valid_i;
  assign hit_o = hit && req_i;
  assign table_ack_o = hit && !req_i;

  // The way that makes room: one that is free, else the next in turn.
  logic [1:0] victim;
  line_t victim_tag;
  always_comb begin
    victim = victim_q;
    victim_tag = t0;
    if (miss) begin
      if (t0.state == Invalid) victim = 2'd0;
      else if (t1.state == Invalid) victim = 2'd1;
      else if (t2.state == Invalid) victim = 2'd2;
      else if (t3.state == Invalid) victim = 2'd3;
      case (victim)
        2'd0: victim_tag = t0;
        2'd1: victim_tag = t1;
        2'd2: victim_tag = t2;
        default: victim_tag = t3;
      endcase
    end
  end

  // Data
  logic [10:0] index;
  logic [63:0] word;
  assign index = fsm_q == StReady ? {set, way, addr[5:3]} : {set_q, way_q, beat_q};
  assign word = data_q[index];
  assign rdata_o = word;
  always_ff @(posedge clk_i) begin
    if (hit && store_i && req_i) data_q[index] <= (word & ~wmask_i) | (wdata_i & wmask_i);
    else if (fsm_q == StFill && dmem_rsp_valid_i && !upgrade_q) data_q[index] <= dmem_rsp_i.data;
  end

  // Tags: the one that changes at this edge
  logic tag_we;
  logic [1:0] tag_way;
  logic [5:0] tag_set;
  line_t tag_d;
  logic last;
  assign last = beat_q == 3'd7 || (fsm_q == StFill && upgrade_q);
  always_comb begin
    tag_we = 1'b0;
    tag_way = way_q;
    tag_set = set_q;
    tag_d = {Invalid, tag_q};
    case (fsm_q)
      StReady: begin
        tag_way = way;
        tag_set = set;
        tag_d = {Modified, addr[55:12]};
        if (probe_now) begin
          tag_we = state != Invalid && state != Modified;
          tag_d.state = probe_share ? Shared : Invalid;
        end else begin
          tag_we = hit && req_i && store_i && state == Exclusive;
        end
      end
      StProbe: begin
        tag_we = last;
        tag_d.state = probe_share ? Shared : Invalid;
      end
      StFill: begin
        tag_we = last && dmem_rsp_valid_i;
        tag_d.state = dmem_rsp_i.excl ? Exclusive : Shared;
      end
      default: tag_we = 1'b0;
    endcase
  end
  always_ff @(posedge clk_i) begin
    if (fsm_q == StClear) begin
      tag0_q[set_q] <= '0;
      tag1_q[set_q] <= '0;
      tag2_q[set_q] <= '0;
      tag3_q[set_q] <= '0;
    end else if (tag_we) begin
      case (tag_way)
        2'd0: tag0_q[tag_set] <= tag_d;
        2'd1: tag1_q[tag_set] <= tag_d;
        2'd2: tag2_q[tag_set] <= tag_d;
        default: tag3_q[tag_set] <= tag_d;
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    dmem_req_valid_o <= 1'b0;
    if (!rst_ni) begin
      fsm_q <= StClear;
      set_q <= 6'd0;
      beat_q <= 3'd0;
      victim_q <= 2'd0;
      dram_o <= 1'b0;
    end else begin
      case (fsm_q)
        StClear: begin
          set_q <= set_q + 6'd1;
          if (set_q == 6'd63) fsm_q <= StReady;
        end
        StReady:
        if (look) begin
          set_q <= set;
          tag_q <= addr[55:12];
          old_tag_q <= addr[55:12];
          way_q <= way;
          if (probe_now) begin
            if (state == Modified) fsm_q <= StProbe;
          end else if (miss) begin
            upgrade_q <= state == Shared;
            excl_q <= req_i && write_i;
            dram_o <= 1'b0;
            fsm_q <= StFill;
            dmem_req_valid_o <= 1'b1;
            if (state != Shared) begin
              way_q <= victim;
              victim_q <= victim_q + 2'd1;
              if (victim_tag.state == Modified) begin
                old_tag_q <= victim_tag.tag;
                fsm_q <= StVictim;
                dmem_req_valid_o <= 1'b0;
              end
            end
          end
        end
        StFill: begin
          dram_o <= dmem_dram_i;
          if (dmem_rsp_valid_i) begin
            beat_q <= last ? 3'd0 : beat_q + 3'd1;
            if (last) fsm_q <= StReady;
          end
        end
        default: begin  // StVictim, StProbe
          beat_q <= beat_q + 3'd1;
          if (last) begin
            fsm_q <= fsm_q == StVictim ? StFill : StReady;
            dmem_req_valid_o <= fsm_q == StVictim;
          end
        end
      endcase
    end
  end

  assign wb_valid_o = fsm_q == StVictim || fsm_q == StProbe;
  always_comb begin
    dmem_req_o = '0;
    wb_o.addr = '0;
    wb_o.data = word;
    if (dmem_req_valid_o) begin
      dmem_req_o.excl = excl_q;
      dmem_req_o.upgrade = upgrade_q;
      dmem_req_o.addr = {tag_q, set_q, 6'd0};
    end
    if (wb_valid_o) wb_o.addr = {old_tag_q, set_q, beat_q, 3'd0};
  end
  assign probe_ack_o = (probe_now && state != Modified) || (fsm_q == StProbe && last);
  assign still_o = fsm_q == StFill && !dmem_req_valid_o && beat_q == 3'd0;

  `ASSERT_IF(one_way, $onehot0({
      t0.state != Invalid && t0.tag == addr[55:12], t1.state != Invalid && t1.tag == addr[55:12],
      t2.state != Invalid && t2.tag == addr[55:12], t3.state != Invalid && t3.tag == addr[55:12]}),
      look)
  `ASSERT_IF(beat_was_asked_for, fsm_q == StFill && !dmem_req_valid_o, dmem_rsp_valid_i)
  `ASSERT_IF(upgrade_is_exclusive, dmem_rsp_i.excl, dmem_rsp_valid_i && upgrade_q)
  `ASSERT_IF(probe_between_misses, fsm_q == StReady || fsm_q == StProbe, probe_ack_o)
  `ASSERT_HELD(probe_stands, probe_valid_i, probe_ack_o, probe_i)

  `COVER(l1d_refill, "Cycles in which the L1D waits for a line or takes it in", fsm_q == StFill)
  `COVER(l1d_writeback, "Beats of 8 bytes that the L1D writes back", wb_valid_o)

endmodule
