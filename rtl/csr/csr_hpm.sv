// SPDX-License-Identifier: Apache-2.0
// The event counters: mhpmevent3 and up, mhpmcounter3 and up.
//
// In each cycle an event occurs 0 or more times. A counter is incremented by the sum of the
// events that it selects, but by 2 ** CountBits - 1 at most, for each of the 1 + skip_i cycles
// before an edge, unless inhibited before the edge or written at it; so a read includes the cycles
// before its own. Events that share the slots of a cycle, as kinds of instructions do, are thus added;
// with Commits 1 a counter counts the cycles in which any of its events occurs. Counters have
// Width bits and no reset: software must initialize them. An mhpmevent that selects no event
// reads 0. rdata_o answers read_i in the same cycle and is 0 without it. on_o: a counter
// selects an event, so events_i is used.

module csr_hpm #(
  parameter int unsigned Counters = 6,
  parameter int unsigned Width = 40,
  parameter int unsigned Commits = 1,  // at least 1
  parameter int unsigned EventBits = csr_pkg::EventBits,  // events, the last ones of set 3
  localparam int unsigned CountBits = $clog2(Commits + 1)
) (
  input logic        clk_i,
  input logic        rst_ni,
  input logic [15:0] skip_i,

  // How often each event occurs: a bit for each csr_pkg::event_e, and so for each bit of the
  // counts, the lowest bits first
  input  logic [CountBits*EventBits-1:0] events_i,
  input  logic [Counters-1:0]            inhibit_i,
  output logic                           on_o,

  // CSR access, by number, in any of the rows of counters and events
  input  logic             read_i,
  input  logic             we_i,
  input  logic [11:0]      addr_i,
  input  logic [Width-1:0] wdata_i,
  output logic [63:0]      rdata_o
);

  localparam logic [4:0] First = 5'd3;

  // The first event of each set
  localparam int unsigned Mix = csr_pkg::MixException;
  localparam int unsigned Hazard = csr_pkg::HazardLoadUse;
  localparam int unsigned Miss = csr_pkg::MissIcache;
  localparam int unsigned Slot = csr_pkg::SlotIssued;
  localparam int unsigned Slots = EventBits - Slot;

  logic [4:0] number;
  logic present, is_event;
  assign number = addr_i[4:0] - First;
  assign present = {27'd0, number} < Counters;
  assign is_event = addr_i[11:5] == csr_pkg::RowEvent;

  logic we_event, we_count;
  always_comb begin
    we_event = 1'b0;
    we_count = 1'b0;
    if (we_i) begin
      we_event = present && is_event;
      we_count = present && addr_i[11:5] == csr_pkg::RowMcounter;
    end
  end

  // The selections, {events, set}, valid where on_q is set
  logic [19:0] event_q[Counters];
  logic [Counters-1:0] on_q;
  assign on_o = on_q != '0;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) on_q <= '0;
    else if (we_event) on_q[number[2:0]] <= wdata_i[25:8] != '0;
    if (we_event) event_q[number[2:0]] <= {wdata_i[25:8], wdata_i[1:0]};
  end

  // By how much each counter is incremented in a cycle
  logic [CountBits*Counters-1:0] step;
  if (Commits == 1) begin : gen_any
    always_comb begin
      step = '0;
      if (on_o) begin
        for (int unsigned i = 0; i < Counters; i++) begin
          case (event_q[i][1:0])
            2'd0: step[i] = (events_i[Mix+:18] & event_q[i][19:2]) != '0;
            2'd1: step[i] = (events_i[Hazard+:11] & event_q[i][12:2]) != '0;
            2'd2: step[i] = (events_i[Miss+:5] & event_q[i][6:2]) != '0;
            default: step[i] = (events_i[Slot+:Slots] & event_q[i][2+:Slots]) != '0;
          endcase
        end
        step = step & on_q & ~inhibit_i;
      end
    end
  end else begin : gen_sum
    logic [EventBits-1:0] events;
    logic [17:0] selected;
    int unsigned sum;
    always_comb begin
      step = '0;
      events = '0;
      selected = '0;
      sum = 0;
      if (on_o)
        for (int unsigned i = 0; i < Counters; i++) begin
          if (on_q[i] && !inhibit_i[i]) begin
            sum = 0;
            for (int unsigned b = 0; b < CountBits; b++) begin
              events = events_i[b*EventBits+:EventBits];
              case (event_q[i][1:0])
                2'd0: selected = events[Mix+:18] & event_q[i][19:2];
                2'd1: selected = {7'd0, events[Hazard+:11] & event_q[i][12:2]};
                2'd2: selected = {13'd0, events[Miss+:5] & event_q[i][6:2]};
                default: selected = 18'(events[Slot+:Slots]) & event_q[i][19:2];
              endcase
              for (int unsigned k = 0; k < 18; k++) sum = sum + ({31'd0, selected[k]} << b);
            end
            if (sum >> CountBits != 0) sum = '1;
            step[i*CountBits+:CountBits] = sum[CountBits-1:0];
          end
        end
    end
  end

  logic [Width-1:0] cycles;
  assign cycles = {{(Width - 16) {1'b0}}, skip_i} + {{(Width - 1) {1'b0}}, 1'b1};
  for (genvar i = 0; i < Counters; i++) begin : gen_counter
    logic [Width-1:0] count_q, read, increment;
    if (Commits == 1) begin : gen_one
      assign increment = cycles;
    end else begin : gen_product
      assign increment = cycles * {{(Width - CountBits) {1'b0}}, step[i*CountBits+:CountBits]};
    end
    always_ff @(posedge clk_i) begin
      if (on_o || we_i) begin
        if (step[i*CountBits+:CountBits] != '0) count_q <= count_q + increment;
        if (we_count && {29'd0, number[2:0]} == i) count_q <= wdata_i;
      end
    end

    // Read multiplexer: this counter if selected, else a lower one
    if (i == 0) begin : gen_first
      assign read = count_q;
    end else begin : gen_next
      assign read = {29'd0, number[2:0]} == i ? count_q : gen_counter[i-1].read;
    end
  end

  always_comb begin
    rdata_o = 64'd0;
    if (read_i) begin
      if (present && is_event && on_q[number[2:0]])
        rdata_o = {38'd0, event_q[number[2:0]][19:2], 6'd0, event_q[number[2:0]][1:0]};
      else if (present && !is_event)
        rdata_o = {{(64 - Width) {1'b0}}, gen_counter[Counters-1].read};
    end
  end

endmodule
