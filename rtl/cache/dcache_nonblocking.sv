// SPDX-License-Identifier: Apache-2.0
// The L1 data cache of the out-of-order core: as dcache.sv, with the same states, and by default
// the same size, but accesses are served while up to Misses lines are on their way.
//
// Accesses. One a cycle, of the core or, while that has none, of the walker. An access that hits is
// answered in the same cycle, as in dcache.sv: hit_o depends on write_i, not on store_i. One that
// does not hit is forgotten, and the core may have another in the next cycle. If it missed, the
// cache remembers the miss: it requests the line in the next cycle, with the number of the miss as
// identifier, unless the line is on its way already. waits_o says so of the line of the access;
// filled_o that a line comes, so that accesses to it hit from the next cycle on. An access with
// neither hit_o nor waits_o is to be repeated: a probe took its cycle, or all misses are in use, or
// so are all ways of its set, by lines that are on their way or held; or a write-back is in progress,
// of the same line, or while the victim of the miss is dirty too. Nobody has to wait for a line: that
// of a wrong path comes as well.
//
// A line that has come is held until an access has hit it (with write_i, if the miss had it), or Hold
// to 2 * Hold cycles have passed, or a miss needs its number: no miss takes its way, or accesses to
// more lines of a set than it has ways could take them from each other for ever.
//
// The data has a port for accesses, one for lines that come, and one for write-backs, of which one
// is in progress at a time: of a victim, beside the request of the new line, or for a probe.
// Memory sees the last beat of a line written back before another request for that line.
//
// evict_o: a valid line, evict_line_o, has left for a miss; in the cycle after that access.
//
// Memory answers misses in any order, with the identifier on each beat; beats of several lines may
// come in turn. An upgrade must be granted exclusively. Without Coherent a beat comes no earlier than
// in the cycle after the request, and wb_ready_i is 1.
//
// Probes have priority over accesses. One waits
// - during a write-back, and in the second cycle of an AMO;
// - for a line that is on its way: with Coherent from its first beat, and in the cycle of its
//   request, else from its miss on, so memory must not wait for the ack before it answers;
// - for a line that is held. So whoever asks again in time gets the line.
// An upgrade whose line is probed away takes 8 beats.
//
// Lines may come while the core needs none. So a core may skip cycles, or stop the clock of its
// hart, only while quiescent_o is high, whatever it waits for itself.
//
// Progress. An access that is asked for in each cycle ends, and so does one that is asked for
// within Hold cycles after filled_o, once no others miss: with a cycle without a probe after each
// ack, and memory that answers.

module dcache_nonblocking #(
  parameter int unsigned Sets = 64,   // both powers of two, at least 2
  parameter int unsigned Ways = 4,
  parameter int unsigned Misses = 4,  // lines on their way: 1, 2, 4 or 8
  parameter bit Coherent = 1'b0,      // other harts have caches
  localparam int unsigned Hold = 16
) (
  input logic clk_i,
  input logic rst_ni,

  // The core
  input  logic        req_i,
  input  logic        write_i,  // needs the line in E or M
  input  logic        store_i,  // writes at this edge if it hits
  input  logic        amo_i,    // reads for an AMO, which writes in the next cycle
  input  logic [55:0] addr_i,
  input  logic [63:0] wdata_i,
  input  logic [63:0] wmask_i,
  output logic        hit_o,
  output logic        waits_o,  // without hit_o: filled_o tells when to repeat it
  output logic [63:0] rdata_o,
  output logic        filled_o,

  // Walker
  input  logic        table_req_i,
  input  logic [55:0] table_addr_i,
  output logic        table_ack_o,

  output logic quiescent_o,  // nothing hits, and nothing changes before an input does
  output logic dram_o,       // a line comes from DRAM

  // Lines that leave for others
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
  localparam int unsigned TagBits = mem_pkg::LineBits - SetBits;
  localparam int unsigned IdBits = Misses > 1 ? $clog2(Misses) : 1;
  localparam int unsigned HoldBits = $clog2(Hold);

  typedef struct packed {
    logic [1:0]         state;  // mem_pkg::line_state_e
    logic [TagBits-1:0] tag;
  } entry_t;

  logic [TagBits+1:0] lines_q[Ways*Sets];  // entry_t, by {set, way}
  logic [63:0] data_q[8*Ways*Sets];  // {set, way, 8 bytes of the line}
  logic clears_q;  // after reset, one set per cycle
  logic [SetBits-1:0] clear_set_q;

  // The misses, one bit or element each: their line is on its way (pending), its beats have begun;
  // or it has come and is held
  logic [Misses-1:0] pending_q, started_q, held_q, old_q, upgrade_q, excl_q;
  logic [mem_pkg::LineBits-1:0] miss_lines_q[Misses];
  logic [WayBits-1:0] miss_ways_q[Misses];
  logic [2:0] beats_q[Misses];  // that have come
  logic req_valid_q;
  logic [IdBits-1:0] req_id_q;

  // The write-back
  logic wb_valid_q, wb_probe_q, wb_done;
  mem_pkg::line_t wb_line_q;
  logic [WayBits-1:0] wb_way_q;
  logic [2:0] wb_beat_q;
  assign wb_done = wb_valid_q && wb_ready_i && wb_beat_q == 3'd7;

  // The beat that comes
  logic fill, fill_last;
  logic [IdBits-1:0] fill_id;
  logic [Misses-1:0] fill_miss;
  mem_pkg::line_t fill_line;
  logic [WayBits-1:0] fill_way;
  logic fill_upgrade;
  logic [2:0] beat;
  always_comb begin
    fill_id = '0;
    fill_miss = '0;
    fill_line = '0;
    fill_way = '0;
    fill_upgrade = 1'b0;
    beat = 3'd0;
    dmem_rsp_ready_o = 1'b1;
    if (dmem_rsp_valid_i) begin
      fill_id = IdBits'(dmem_rsp_i.id);
      fill_line = miss_lines_q[fill_id];
      fill_way = miss_ways_q[fill_id];
      fill_upgrade = upgrade_q[fill_id];
      beat = beats_q[fill_id];
      // The data in its place has not been written back yet.
      dmem_rsp_ready_o = !(Coherent && wb_valid_q && fill_way == wb_way_q &&
                           fill_line[SetBits-1:0] == wb_line_q[SetBits-1:0]);
      if (dmem_rsp_ready_o) fill_miss = Misses'(1) << fill_id;
    end
  end
  assign fill = fill_miss != '0;
  assign fill_last = fill && (fill_upgrade || beat == 3'd7);
  assign filled_o = fill_last;

  // Probes
  logic probe, probe_share, probe_hold_q;
  logic [Misses-1:0] probe_waits, requested_now;
  assign probe_share = probe_i.op == mem_pkg::ProbeShare;
  always_comb begin
    probe = 1'b0;
    probe_waits = '0;
    requested_now = '0;
    if (probe_valid_i) begin
      probe = !clears_q && !wb_valid_q && !probe_hold_q && !probe_stall_i;
      if (req_valid_q) requested_now = Misses'(1) << req_id_q;
      probe_waits = held_q | (Coherent ? started_q | fill_miss | requested_now : pending_q);
      for (int unsigned m = 0; m < Misses; m++)
        if (probe_waits[m] && miss_lines_q[m] == probe_i.addr[55:6]) probe = 1'b0;
    end
  end

  // Lookup
  logic lookup;
  logic [55:0] addr;
  mem_pkg::line_t line;
  logic [SetBits-1:0] set;
  logic [TagBits-1:0] tag;
  logic [WayBits-1:0] way;
  logic [1:0] state;  // mem_pkg::line_state_e
  entry_t entry;
  assign lookup = !clears_q && (req_i || table_req_i || probe);
  always_comb begin
    addr = table_addr_i;
    if (req_i) addr = addr_i;
    if (probe) addr = probe_i.addr;
  end
  assign line = addr[55:6];
  assign {tag, set} = line;
  always_comb begin
    way = '0;
    state = mem_pkg::LineInvalid;
    entry = '0;
    if (lookup) begin
      for (int unsigned w = 0; w < Ways; w++) begin
        entry = lines_q[{set, WayBits'(w)}];
        if (state == mem_pkg::LineInvalid && entry.tag == tag) begin
          way = WayBits'(w);
          state = entry.state;
        end
      end
    end
  end

  // Purpose and result of the lookup
  logic hit, miss, store, access_lookup, probe_lookup, probe_found_modified;
  assign access_lookup = lookup && !probe;
  assign probe_lookup = lookup && probe;
  assign hit = access_lookup && state != mem_pkg::LineInvalid &&
               !(req_i && write_i && state == mem_pkg::LineShared);
  assign miss = access_lookup && !hit;
  assign store = hit && req_i && store_i;
  assign probe_found_modified = probe_lookup && state == mem_pkg::LineModified;
  assign hit_o = hit && req_i;
  assign table_ack_o = hit && !req_i;

  // A miss: of a line that is on its way already, or it gets a number and a way. Ways to which lines
  // are to come, and those of lines that are held, are not available. Free ways come first, then the
  // next in turn.
  logic begins, known, replaces, dirty, no_way;
  logic [Misses-1:0] same_line, new_miss;
  logic [IdBits-1:0] new_id;
  logic [Ways-1:0] busy_ways, held_ways, ways;
  logic [WayBits-1:0] new_way, turn_q;
  entry_t victim;
  always_comb begin
    same_line = '0;
    if (miss)
      for (int unsigned m = 0; m < Misses; m++) if (miss_lines_q[m] == line) same_line[m] = 1'b1;
  end
  assign known = (same_line & pending_q) != '0;
  always_comb begin
    busy_ways = '0;
    held_ways = '0;
    if (miss && !known) begin
      for (int unsigned m = 0; m < Misses; m++) begin
        if (miss_lines_q[m][SetBits-1:0] == set) begin
          if (pending_q[m]) busy_ways[miss_ways_q[m]] = 1'b1;
          if (held_q[m]) held_ways[miss_ways_q[m]] = 1'b1;
        end
      end
    end
  end
  assign replaces = miss && !known && state == mem_pkg::LineInvalid;
  always_comb begin
    ways = '0;
    new_way = way;
    victim = '0;
    dirty = 1'b0;
    no_way = 1'b0;
    if (replaces) begin
      new_way = turn_q;
      for (int unsigned w = 0; w < Ways; w++) begin
        victim = lines_q[{set, WayBits'(w)}];
        ways[w] = victim.state == mem_pkg::LineInvalid && !busy_ways[w];
      end
      if (ways == '0 && (busy_ways[turn_q] || held_ways[turn_q])) begin
        ways = ~busy_ways & ~held_ways;
        no_way = ways == '0;
      end

      for (int unsigned i = 1; i <= Ways; i++) if (ways[Ways-i]) new_way = WayBits'(Ways - i);
      victim = lines_q[{set, new_way}];
      dirty = victim.state == mem_pkg::LineModified;
    end
  end
  always_comb begin
    new_miss = '0;
    if (miss)
      if (!known && !no_way && !(wb_valid_q && (dirty || wb_line_q == line))) begin
        new_miss = ~pending_q & ~held_q;
        if (new_miss == '0) new_miss = ~pending_q;
        new_miss = new_miss & -new_miss;
      end
  end
  assign begins = new_miss != '0;
  always_comb begin
    waits_o = begins && req_i;
    if (known && req_i)
      waits_o = (same_line & pending_q & ~(fill_last ? fill_miss : '0)) != '0;
  end
  always_comb begin
    new_id = '0;
    if (begins) for (int unsigned m = 0; m < Misses; m++) if (new_miss[m]) new_id = IdBits'(m);
  end

  // Data
  logic [63:0] word;
  always_comb begin
    word = '0;
    if (access_lookup) word = data_q[{set, way, addr[5:3]}];
  end
  assign rdata_o = word;
  always_ff @(posedge clk_i) begin
    if (store) data_q[{set, way, addr[5:3]}] <= (word & ~wmask_i) | (wdata_i & wmask_i);
    if (fill)
      if (!fill_upgrade) data_q[{fill_line[SetBits-1:0], fill_way, beat}] <= dmem_rsp_i.data;
  end

  // Tags: what a lookup changes, and a line that comes, whose way no lookup changes
  logic tag_we;
  logic [WayBits-1:0] tag_way;
  entry_t tag_d;
  always_comb begin
    tag_we = begins && replaces;
    tag_way = new_way;
    tag_d = '0;
    if (probe_lookup) begin
      tag_we = state != mem_pkg::LineInvalid;
      tag_way = way;
      if (probe_share) tag_d = {mem_pkg::LineShared, tag};
    end else if (store) begin
      tag_we = state == mem_pkg::LineExclusive;
      tag_way = way;
      tag_d = {mem_pkg::LineModified, tag};
    end
  end
  always_ff @(posedge clk_i) begin
    if (clears_q) begin
      for (int unsigned w = 0; w < Ways; w++) lines_q[{clear_set_q, WayBits'(w)}] <= '0;
    end else begin
      if (tag_we) lines_q[{set, tag_way}] <= tag_d;
      if (fill_last)
        lines_q[{fill_line[SetBits-1:0], fill_way}] <= {
          dmem_rsp_i.excl ? mem_pkg::LineExclusive : mem_pkg::LineShared,
          fill_line[mem_pkg::LineBits-1:SetBits]
        };
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      clears_q <= 1'b1;
      clear_set_q <= '0;
    end else if (clears_q) begin
      clears_q <= !(&clear_set_q);
      clear_set_q <= clear_set_q + 1'b1;
    end
  end

  // Lines that have come are held until they are used, or have become old.
  logic [Misses-1:0] used;
  logic [HoldBits-1:0] hold_q;
  logic hold_ends;
  assign hold_ends = held_q != '0 && &hold_q;
  always_comb begin
    used = '0;
    if (hit && held_q != '0) begin
      for (int unsigned m = 0; m < Misses; m++)
        if (miss_lines_q[m] == line) used[m] = !excl_q[m] || (req_i && write_i);
    end
  end

  // The misses
  logic changes;
  logic [Misses-1:0] upgrade_lost;
  assign changes = begins || fill || held_q != '0 || upgrade_lost != '0;
  always_comb begin
    upgrade_lost = '0;
    if (Coherent && probe_lookup && !probe_share) begin
      for (int unsigned m = 0; m < Misses; m++) upgrade_lost[m] = miss_lines_q[m] == line;
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      pending_q <= '0;
      started_q <= '0;
      held_q <= '0;
      turn_q <= '0;
      req_valid_q <= 1'b0;
      hold_q <= '0;
    end else begin
      req_valid_q <= begins;
      if (held_q != '0) hold_q <= hold_q + 1'b1;
      if (changes) begin
        pending_q <= (pending_q | new_miss) & ~(fill_last ? fill_miss : '0);
        held_q <= (held_q & ~(used | new_miss | (hold_ends ? old_q : '0) |
                             (begins ? same_line : '0))) | (fill_last ? fill_miss : '0);
      end
      if (fill && !fill_upgrade)
        started_q <= (started_q & ~fill_miss) | (fill_last ? '0 : fill_miss);
      if (begins && replaces) turn_q <= turn_q + 1'b1;
    end
    if (changes) begin
      old_q <= (hold_ends ? held_q : old_q) & ~(fill_last ? fill_miss : '0);
      upgrade_q <= ((upgrade_q & ~new_miss) | (replaces ? '0 : new_miss)) & ~upgrade_lost;
      excl_q <= (excl_q & ~new_miss) | (req_i && write_i ? new_miss : '0);
    end
    if (fill) beats_q[fill_id] <= beat + 3'd1;
    if (begins) begin
      beats_q[new_id] <= 3'd0;
      miss_lines_q[new_id] <= line;
      miss_ways_q[new_id] <= new_way;
      req_id_q <= new_id;
    end
  end

  // What leaves
  logic evict_q;
  mem_pkg::line_t evict_line_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) evict_q <= 1'b0;
    else evict_q <= begins && victim.state != mem_pkg::LineInvalid;
    if (begins) evict_line_q <= {victim.tag, set};
    if (!rst_ni || wb_done) wb_valid_q <= 1'b0;
    else if (probe_found_modified || (begins && dirty)) wb_valid_q <= 1'b1;
    if (wb_valid_q) begin
      if (wb_ready_i) wb_beat_q <= wb_beat_q + 3'd1;
    end else if (probe_found_modified || (begins && dirty)) begin
      wb_beat_q <= 3'd0;
      wb_probe_q <= probe;
      wb_line_q <= probe ? line : {victim.tag, set};
      wb_way_q <= probe ? way : new_way;
    end
  end
  assign evict_o = evict_q;
  assign evict_line_o = evict_line_q;

  logic dram_q;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) dram_q <= 1'b0;
    else if (pending_q != '0 || dram_q) dram_q <= pending_q != '0 && dmem_dram_i;
  end
  assign dram_o = dram_q;

  assign dmem_req_valid_o = req_valid_q;
  assign wb_valid_o = wb_valid_q;
  always_comb begin
    dmem_req_o = '0;
    if (req_valid_q) begin
      dmem_req_o.id = mem_pkg::LineIdBits'(req_id_q);
      dmem_req_o.excl = excl_q[req_id_q];
      dmem_req_o.upgrade = upgrade_q[req_id_q];
      dmem_req_o.addr = {miss_lines_q[req_id_q], 6'd0};
    end
  end
  always_comb begin
    wb_o = '0;
    if (wb_valid_q) begin
      wb_o.addr = {wb_line_q, wb_beat_q, 3'd0};
      wb_o.data = data_q[{wb_line_q[SetBits-1:0], wb_way_q, wb_beat_q}];
    end
  end
  assign probe_ack_o = (probe_lookup && !probe_found_modified) || (wb_done && wb_probe_q);
  assign probe_kept_o = probe_share && (!probe_lookup || state != mem_pkg::LineInvalid);
  always_ff @(posedge clk_i) probe_hold_q <= rst_ni && hit_o && amo_i;

  assign quiescent_o = !clears_q && !hit && !begins && !req_valid_q && !wb_valid_q &&
                       started_q == '0 && held_q == '0;

  // Identifiers of others than these misses
  logic unused;
  assign unused = ^dmem_rsp_i.id;

`ifdef ASSERTIONS
  int unsigned holders;
  entry_t held;
  logic same_pending, wb_overtaken;
  always_comb begin
    holders = 0;
    held = '0;
    same_pending = 1'b0;
    for (int unsigned w = 0; w < Ways; w++) begin
      held = lines_q[{set, WayBits'(w)}];
      if (held.state != mem_pkg::LineInvalid && held.tag == tag) holders++;
    end
    for (int unsigned m = 0; m < Misses; m++)
      for (int unsigned n = 0; n < m; n++)
        if (pending_q[m] && pending_q[n] && miss_lines_q[m] == miss_lines_q[n]) same_pending = 1'b1;
    wb_overtaken = wb_valid_q && fill_way == wb_way_q && beat > wb_beat_q &&
                   fill_line[SetBits-1:0] == wb_line_q[SetBits-1:0];
  end
`endif
`ifdef PROBES
  // For probe_hart.sv: {found, data} of the aligned 8 bytes at an address; {found, address} of
  // modified line number {set, way}, or 2**16 for the line that is being written back.
  function automatic logic [64:0] probe_word(input logic [55:3] address);
    automatic logic [SetBits-1:0] index = address[6+:SetBits];
    entry_t found;

    probe_word = '0;
    for (int unsigned w = 0; w < Ways; w++) begin
      found = lines_q[{index, WayBits'(w)}];
      if (found.state != mem_pkg::LineInvalid && found.tag == address[55:6+SetBits])
        probe_word = {1'b1, data_q[{index, WayBits'(w), address[5:3]}]};
    end
    if (wb_valid_q && wb_line_q == address[55:6] && address[5:3] >= wb_beat_q)
      probe_word = {1'b1, data_q[{index, wb_way_q, address[5:3]}]};
  endfunction
  function automatic logic [56:0] probe_modified(input int unsigned number);
    automatic logic [WayBits-1:0] w = number[WayBits-1:0];
    automatic logic [SetBits-1:0] index = number[WayBits+:SetBits];
    automatic entry_t found = lines_q[{index, WayBits'(w)}];

    probe_modified = {
      number < Ways * Sets && found.state == mem_pkg::LineModified, found.tag, index, 6'd0
    };
    if (number[16]) probe_modified = {wb_valid_q, wb_line_q, 6'd0};
  endfunction
`endif

  `ASSERT_IF(one_way, holders <= 1, lookup)
  `ASSERT(one_miss, !same_pending)
  `ASSERT(pending_or_held, (pending_q & held_q) == '0)
  `ASSERT_IF(beat_was_asked_for, 32'(dmem_rsp_i.id) < Misses && pending_q[fill_id] &&
             !(req_valid_q && req_id_q == fill_id), dmem_rsp_valid_i)
  `ASSERT_IF(upgrade_is_exclusive, dmem_rsp_i.excl, dmem_rsp_valid_i && fill_upgrade)
  `ASSERT_IF(written_back_in_time, !wb_overtaken, fill && !fill_upgrade)
  `ASSERT_HELD(writeback_stands, wb_valid_o, wb_ready_i, wb_o)
  `ASSERT_IF(no_wait_alone, Coherent, probe_stall_i)
  `ASSERT_HELD(probe_stands, probe_valid_i, probe_ack_o, probe_i)

  `COVER(l1d_refill, "Cycles in which the L1D waits for a line or takes it in", pending_q != '0)
  `COVER(l1d_writeback, "Beats of 8 bytes that the L1D writes back", wb_valid_o && wb_ready_i)

endmodule
