// SPDX-License-Identifier: Apache-2.0
// The L1 data cache: write-back, 64-byte lines, coherence states I, S, E and M, and a probe
// port; by default 16 KiB, 4-way.
//
// An access of M that hits is answered in the same cycle: hit_o, and rdata_o with the
// aligned 8 bytes. M holds the access until it hits. The walker reads while M has no
// access. A miss first writes back its victim if it is dirty, then requests the line and
// takes its 8 beats; an upgrade from S takes one beat. One miss is in progress at a time;
// probes are served between misses, with priority over accesses. dmem_req_o is 0 without
// dmem_req_valid_o, and wb_o.addr is 0 without wb_valid_o.
//
// An upgrade must be granted exclusively (dmem_rsp_i.excl); otherwise the cache requests it
// again without end. The cache of a single hart does not guarantee progress under
// continuous probes: an ack is followed by one cycle without a probe (soc.sv), in which a
// load or store that hits completes, but an AMO needs two such cycles in a row, and a line
// may be probed away as soon as it arrives. Memory must therefore pause between probes now
// and then. The harness does: a line that its L2 evicts, or that the L1I requests, causes
// one probe.
//
// With Coherent, other caches have the same lines, and an answer may depend on a probe of
// this cache. Therefore probes are also served during a miss, from the cycle after its
// request until its first beat; dmem_rsp_ready_o is low while their data is written back.
// An upgrade whose line is probed away takes 8 beats. An access for which a line has come
// is served before any probe, and so is the second cycle of an AMO: with a cycle without a
// probe after each ack, every access ends.

module dcache #(
  parameter int unsigned Sets = 64,  // both powers of two, at least 2
  parameter int unsigned Ways = 4,
  parameter bit Coherent = 1'b0      // other harts have caches
) (
  input logic clk_i,
  input logic rst_ni,

  // M
  input  logic        req_i,
  input  logic        write_i,  // needs the line in E or M
  input  logic        store_i,  // writes at this edge if it hits
  input  logic        amo_i,    // reads for an AMO, which writes in the next cycle
  input  logic [55:0] addr_i,
  input  logic [63:0] wdata_i,
  input  logic [63:0] wmask_i,
  output logic        hit_o,
  output logic [63:0] rdata_o,

  // Walker
  input  logic        table_req_i,
  input  logic [55:0] table_addr_i,
  output logic        table_ack_o,

  output logic quiescent_o,  // waits for the first beat of a line
  output logic dram_o,       // the line comes from DRAM

  // A line leaves for one that misses: no access after this cycle finds it
  output logic           evict_o,
  output mem_pkg::line_t evict_line_o,

  // Memory
  output logic                dmem_req_valid_o,
  output mem_pkg::line_req_t  dmem_req_o,
  input  logic                dmem_rsp_valid_i,
  input  mem_pkg::line_rsp_t  dmem_rsp_i,
  output logic                dmem_rsp_ready_o,  // the beat is taken; 1 without Coherent
  input  logic                dmem_dram_i,       // not registered in soc.sv
  output logic                wb_valid_o,
  output mem_pkg::writeback_t wb_o,
  input  logic                wb_ready_i,        // the beat is taken; 1 without Coherent
  input  logic                probe_valid_i,
  input  mem_pkg::probe_t     probe_i,
  input  logic                probe_stall_i,     // not yet (reservation.sv)
  output logic                probe_ack_o,
  output logic                probe_kept_o       // with the ack: the cache keeps the line
);

  localparam int unsigned SetBits = $clog2(Sets);
  localparam int unsigned WayBits = $clog2(Ways);
  localparam int unsigned TagLow = 6 + SetBits;  // lowest bit of an address in its tag
  localparam int unsigned TagBits = 56 - TagLow;

  typedef struct packed {
    logic [1:0]         state;  // mem_pkg::line_state_e
    logic [TagBits-1:0] tag;
  } line_t;

  mem_pkg::l1d_state_e fsm_d, fsm_q;
  logic [TagBits+1:0] lines_q[Ways*Sets];  // line_t, by {set, way}
  logic [63:0] data_q[8*Ways*Sets];  // {set, way, 8 bytes of the line}

  // The miss or probe in progress
  logic [WayBits-1:0] way_q, victim_d, victim_q;
  logic [TagBits-1:0] tag_q, wb_tag_q;
  logic [SetBits-1:0] set_d, set_q;
  logic [2:0] beat_d, beat_q;
  logic upgrade_q, excl_q;
  logic req_valid_d, req_valid_q, dram_d, dram_q;

  // The probe that is served during a miss
  logic [WayBits-1:0] snoop_way_q;
  logic [TagBits-1:0] snoop_tag_q;
  logic [SetBits-1:0] snoop_set_q;

  // A probe waits in the cycle after a fill and in the second cycle of an AMO (probe_hold_q);
  // during a miss it is served only before the first beat (snoop).
  logic probe_share, probe, snoop, probe_hold_d, probe_hold_q;
  assign probe_share = probe_i.op == mem_pkg::ProbeShare;
  assign probe = probe_valid_i && !(Coherent && (probe_hold_q || probe_stall_i));
  assign snoop = Coherent && probe && fsm_q == mem_pkg::L1dFill && !req_valid_q && beat_q == 3'd0 &&
                 !dmem_rsp_valid_i;

  // Lookup. A miss has given up its victim, which is no longer found.
  logic lookup;
  logic [55:0] addr;
  logic [SetBits-1:0] set;
  logic [TagBits-1:0] tag;
  logic [WayBits-1:0] way;
  logic [1:0] state;  // mem_pkg::line_state_e
  line_t way_line;
  assign lookup = (fsm_q == mem_pkg::L1dReady && (req_i || table_req_i || probe)) || snoop;
  always_comb begin
    addr = table_addr_i;
    if (req_i) addr = addr_i;
    if (probe) addr = probe_i.addr;
  end
  assign set = addr[TagLow-1:6];
  assign tag = addr[55:TagLow];
  always_comb begin
    way = '0;
    state = mem_pkg::LineInvalid;
    way_line = '0;
    if (lookup) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        way_line = lines_q[{set, WayBits'(w)}];
        if (state == mem_pkg::LineInvalid && way_line.tag == tag &&
            !(Coherent && snoop && !upgrade_q && set_q == set && way_q == WayBits'(w))) begin
          way = WayBits'(w);
          state = way_line.state;
        end
      end
    end
  end

  // Purpose and result of the lookup
  logic hit, access_lookup, miss, probe_lookup;
  assign access_lookup = lookup && !probe;
  assign hit = access_lookup && state != mem_pkg::LineInvalid &&
               !(req_i && write_i && state == mem_pkg::LineShared);
  assign miss = access_lookup && !hit;
  assign probe_lookup = lookup && probe;
  assign hit_o = hit && req_i;
  assign table_ack_o = hit && !req_i;

  // The way of the line; on a miss a free one, else the victim, chosen round-robin.
  logic replace, dirty;
  logic [WayBits-1:0] way_d;
  line_t victim;
  assign replace = miss && state == mem_pkg::LineInvalid;
  always_comb begin
    way_d = way;
    victim = '0;
    dirty = 1'b0;
    evict_o = 1'b0;
    if (replace) begin
      way_d = victim_q;
      for (int unsigned i = 1; i <= Ways; i++) begin
        victim = lines_q[{set, WayBits'(Ways - i)}];
        if (victim.state == mem_pkg::LineInvalid) way_d = WayBits'(Ways - i);
      end
      victim = lines_q[{set, way_d}];
      dirty = victim.state == mem_pkg::LineModified;
      evict_o = victim.state != mem_pkg::LineInvalid;
    end
  end
  always_comb begin
    evict_line_o = '0;
    if (evict_o) evict_line_o = {victim.tag, set};
  end

  // Data
  logic [SetBits+WayBits+2:0] index;
  logic [63:0] word;
  always_comb begin
    index = fsm_q == mem_pkg::L1dReady ? {set, way, addr[5:3]} : {set_q, way_q, beat_q};
    if (Coherent && fsm_q == mem_pkg::L1dSnoop) index = {snoop_set_q, snoop_way_q, beat_q};
  end
  assign word = data_q[index];
  assign rdata_o = word;
  always_ff @(posedge clk_i) begin
    if (hit && store_i && req_i) data_q[index] <= (word & ~wmask_i) | (wdata_i & wmask_i);
    else if (fsm_q == mem_pkg::L1dFill && dmem_rsp_valid_i && !upgrade_q)
      data_q[index] <= dmem_rsp_i.data;
  end

  // The tag that changes at this edge
  logic tag_we;
  logic [WayBits-1:0] tag_way;
  logic [SetBits-1:0] tag_set;
  line_t tag_d;
  logic last_beat;
  assign last_beat = beat_q == 3'd7 || (fsm_q == mem_pkg::L1dFill && upgrade_q);
  mem_pkg::line_state_e probe_state;  // the state after a probe
  assign probe_state = probe_share ? mem_pkg::LineShared : mem_pkg::LineInvalid;
  always_comb begin
    tag_we = 1'b0;
    tag_way = way_q;
    tag_set = set_q;
    tag_d = {mem_pkg::LineInvalid, tag_q};
    case (fsm_q)
      mem_pkg::L1dReady: begin
        tag_way = way;
        tag_set = set;
        tag_d = {mem_pkg::LineModified, tag};
        if (probe_lookup) begin
          tag_we = state != mem_pkg::LineInvalid && state != mem_pkg::LineModified;
          tag_d.state = probe_state;
        end else begin
          tag_we = hit && req_i && store_i && state == mem_pkg::LineExclusive;
        end
      end
      mem_pkg::L1dProbe: begin
        tag_we = last_beat && wb_ready_i;
        tag_d.state = probe_state;
      end
      mem_pkg::L1dFill: begin
        tag_we = last_beat && dmem_rsp_valid_i;
        tag_d.state = dmem_rsp_i.excl ? mem_pkg::LineExclusive : mem_pkg::LineShared;
      end
      default: tag_we = 1'b0;
    endcase
    if (Coherent && snoop) begin
      tag_we = state != mem_pkg::LineInvalid && state != mem_pkg::LineModified;
      tag_way = way;
      tag_set = set;
      tag_d = {probe_state, tag};
    end
    if (Coherent && fsm_q == mem_pkg::L1dSnoop) begin
      tag_we = last_beat && wb_ready_i;
      tag_way = snoop_way_q;
      tag_set = snoop_set_q;
      tag_d = {probe_state, snoop_tag_q};
    end
  end
  always_ff @(posedge clk_i) begin
    if (fsm_q == mem_pkg::L1dClear) begin
      for (int unsigned w = 0; w < Ways; w++) lines_q[{set_q, WayBits'(w)}] <= '0;
    end else if (tag_we) begin
      lines_q[{tag_set, tag_way}] <= tag_d;
    end
  end

  // Next state
  assign probe_hold_d = (fsm_q == mem_pkg::L1dFill && dmem_rsp_valid_i && last_beat) ||
                  (hit_o && amo_i);
  logic start, advance;  // a miss or probe begins; it begins or continues
  assign start = (miss || probe_lookup) && !(Coherent && snoop);
  assign advance = start || fsm_q != mem_pkg::L1dReady;
  always_comb begin
    fsm_d = mem_pkg::L1dReady;
    set_d = '0;
    beat_d = 3'd0;
    victim_d = '0;
    req_valid_d = 1'b0;
    dram_d = 1'b0;
    if (advance) begin
      fsm_d = fsm_q;
      set_d = set_q;
      beat_d = beat_q;
      victim_d = victim_q;
      dram_d = dram_q;
      case (fsm_q)
        mem_pkg::L1dClear: begin
          set_d = set_q + 1'b1;
          if (&set_q) fsm_d = mem_pkg::L1dReady;
        end
        mem_pkg::L1dReady: begin
          set_d = set;
          if (probe_lookup) begin
            if (state == mem_pkg::LineModified) fsm_d = mem_pkg::L1dProbe;
          end else begin
            fsm_d = dirty ? mem_pkg::L1dVictim : mem_pkg::L1dFill;
            req_valid_d = !dirty;
            dram_d = 1'b0;
            if (replace) victim_d = victim_q + 1'b1;
          end
        end
        mem_pkg::L1dFill: begin
          dram_d = dmem_dram_i;
          if (dmem_rsp_valid_i) begin
            beat_d = last_beat ? 3'd0 : beat_q + 3'd1;
            if (last_beat) fsm_d = mem_pkg::L1dReady;
          end
          if (Coherent && snoop && state == mem_pkg::LineModified) fsm_d = mem_pkg::L1dSnoop;
        end
        default: begin  // mem_pkg::L1dVictim, mem_pkg::L1dProbe, mem_pkg::L1dSnoop
          if (Coherent && fsm_q == mem_pkg::L1dSnoop) dram_d = dmem_dram_i;
          if (wb_ready_i) begin
            beat_d = beat_q + 3'd1;
            if (last_beat) begin
              fsm_d  = fsm_q == mem_pkg::L1dVictim ? mem_pkg::L1dFill : mem_pkg::L1dReady;
              if (Coherent && fsm_q == mem_pkg::L1dSnoop) fsm_d = mem_pkg::L1dFill;
              req_valid_d = fsm_q == mem_pkg::L1dVictim;
            end
          end
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fsm_q <= mem_pkg::L1dClear;
      set_q <= '0;
      beat_q <= 3'd0;
      victim_q <= '0;
      req_valid_q <= 1'b0;
      dram_q <= 1'b0;
    end else if (advance) begin
      fsm_q <= fsm_d;
      set_q <= set_d;
      beat_q <= beat_d;
      victim_q <= victim_d;
      req_valid_q <= req_valid_d;
      dram_q <= dram_d;
    end
    if (start) begin
      tag_q <= tag;
      wb_tag_q <= dirty ? victim.tag : tag;
      way_q <= way_d;
      upgrade_q <= state == mem_pkg::LineShared;
      excl_q <= req_i && write_i;
    end
    if (Coherent && snoop) begin
      if (!probe_share && set == set_q && tag == tag_q) upgrade_q <= 1'b0;
    end
  end

  if (Coherent) begin : gen_coherent
    always_ff @(posedge clk_i) begin
      probe_hold_q <= probe_hold_d && rst_ni;
      if (snoop) begin
        snoop_way_q <= way;
        snoop_tag_q <= tag;
        snoop_set_q <= set;
      end
    end
  end else begin : gen_alone
    logic unused;
    assign unused = probe_hold_d;
    assign probe_hold_q = 1'b0;
    assign snoop_way_q = '0;
    assign snoop_tag_q = '0;
    assign snoop_set_q = '0;
  end

  assign dmem_req_valid_o = req_valid_q;
  assign dram_o = dram_q;
  assign wb_valid_o = fsm_q == mem_pkg::L1dVictim || fsm_q == mem_pkg::L1dProbe ||
                      (Coherent && fsm_q == mem_pkg::L1dSnoop);
  always_comb begin
    dmem_req_o = '0;
    wb_o.addr = '0;
    wb_o.data = word;
    if (req_valid_q) begin
      dmem_req_o.excl = excl_q;
      dmem_req_o.upgrade = upgrade_q;
      dmem_req_o.addr = {tag_q, set_q, 6'd0};
    end
    if (wb_valid_o) wb_o.addr = {wb_tag_q, set_q, beat_q, 3'd0};
    if (Coherent && fsm_q == mem_pkg::L1dSnoop) wb_o.addr = {snoop_tag_q, snoop_set_q, beat_q, 3'd0};
  end
  assign probe_ack_o = (probe_lookup && state != mem_pkg::LineModified) ||
                       ((fsm_q == mem_pkg::L1dProbe || (Coherent && fsm_q == mem_pkg::L1dSnoop)) && last_beat &&
                        wb_ready_i);
  assign probe_kept_o = probe_share && (!probe_lookup || state != mem_pkg::LineInvalid);
  assign dmem_rsp_ready_o = !Coherent || fsm_q != mem_pkg::L1dSnoop;
  assign quiescent_o = fsm_q == mem_pkg::L1dFill && !req_valid_q && beat_q == 3'd0;

`ifdef ASSERTIONS
  int unsigned holders;
  line_t held;
  always_comb begin
    holders = 0;
    held = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      held = lines_q[{set, WayBits'(w)}];
      if (held.state != mem_pkg::LineInvalid && held.tag == tag) holders++;
    end
  end
`endif
`ifdef PROBES
  // For probe_hart.sv: {found, data} of the aligned 8 bytes at an address; {found, address} of
  // modified line number {set, way}. The way that is being filled still has the tag of its victim,
  // which has been written back.
  function automatic logic filled(input logic [SetBits-1:0] at, input logic [WayBits-1:0] w);
    filled = (fsm_q == mem_pkg::L1dFill || fsm_q == mem_pkg::L1dSnoop) && set_q == at && way_q == w;
  endfunction
  function automatic logic [64:0] probe_word(input logic [55:3] address);
    automatic logic [SetBits-1:0] at = address[6+:SetBits];
    line_t entry;

    probe_word = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      entry = lines_q[{at, WayBits'(w)}];
      if (entry.state != mem_pkg::LineInvalid && entry.tag == address[55:TagLow] &&
          !filled(at, WayBits'(w)))
        probe_word = {1'b1, data_q[{at, WayBits'(w), address[5:3]}]};
    end
  endfunction
  function automatic logic [56:0] probe_modified(input int unsigned number);
    automatic logic [WayBits-1:0] w = number[WayBits-1:0];
    automatic logic [SetBits-1:0] at = number[WayBits+:SetBits];
    automatic line_t entry = lines_q[{at, WayBits'(w)}];

    probe_modified = {
      number < Ways * Sets && entry.state == mem_pkg::LineModified && !filled(at, w),
      entry.tag,
      at,
      6'd0
    };
  endfunction
`endif

  `ASSERT_IF(one_way, holders <= 1, lookup)
  `ASSERT_IF(beat_was_asked_for, fsm_q == mem_pkg::L1dFill && !req_valid_q,
             dmem_rsp_valid_i && dmem_rsp_ready_o)
  `ASSERT_IF(upgrade_is_exclusive, dmem_rsp_i.excl, dmem_rsp_valid_i && upgrade_q)
  `ASSERT_IF(probe_between_misses,
             Coherent || fsm_q == mem_pkg::L1dReady || fsm_q == mem_pkg::L1dProbe, probe_ack_o)
  `ASSERT_HELD(writeback_stands, wb_valid_o, wb_ready_i, wb_o)
  `ASSERT_IF(no_wait_alone, Coherent, probe_stall_i)
  `ASSERT_HELD(probe_stands, probe_valid_i, probe_ack_o, probe_i)

  `COVER(l1d_refill, "Cycles in which the L1D waits for a line or takes it in", fsm_q == mem_pkg::L1dFill)
  `COVER(l1d_writeback, "Beats of 8 bytes that the L1D writes back", wb_valid_o && wb_ready_i)

endmodule
