// SPDX-License-Identifier: Apache-2.0
// The L1 instruction cache: lines of 64 bytes; by default 16 KiB, 4-way. It is indexed with
// the virtual address, and tagged with the physical one.
//
// The lookup is combinational. hit_o and data_o follow pc_i and its translation. With Bytes 4,
// data_o has the 4 bytes at pc_i (at its end, bytes that exceed the line are those of its
// begin), with 16 the aligned 16 bytes around it. The line of the last hit is remembered with
// its way: while remembered_o is high, neither the tags nor translated_i and what belongs to it
// are looked at.
// A miss requests the line, unless cancel_i; one refill is in progress at a time, and other
// lines hit under it. Replacement is round-robin, with one counter for all sets.
// This cache is not probed: before memory answers a refill, it takes modified data from the
// L1D, and fence.i invalidates this cache, so that stale lines are fetched again.

module icache #(
  parameter int unsigned Sets = 64,  // both powers of two, at least 2;
  parameter int unsigned Ways = 4,   // a way has at most 4 KiB
  parameter int unsigned Bytes = 4   // of data_o, 4 or 16
) (
  input logic clk_i,
  input logic rst_ni,

  // Lookup: the address, its translation, and whether that is for this access only
  input  logic [63:0]        pc_i,
  output logic               remembered_o,
  input  logic               translated_i,
  input  logic [43:0]        ppn_i,
  input  logic               single_use_i,
  output logic               hit_o,
  output logic [8*Bytes-1:0] data_o,
  input  logic               cancel_i,

  // flush_i: translation, privilege or code may differ; clear_i: invalidates all lines
  input logic flush_i,
  input logic clear_i,

  output logic quiescent_o,  // no refill begins; any waits for its first beat
  output logic dram_o,       // the refill in progress comes from DRAM

  // Memory
  output logic        imem_req_o,
  output logic [55:0] imem_addr_o,
  input  logic        imem_valid_i,
  input  logic [63:0] imem_data_i,
  input  logic        imem_dram_i  // not registered in soc.sv
);

  localparam int unsigned SetBits = $clog2(Sets);
  localparam int unsigned WayBits = $clog2(Ways);
  localparam int unsigned TagBits = 50 - SetBits;

  // The line of the last fetch.
  logic line_valid_q;
  logic [57:0] line_q;
  logic [WayBits-1:0] line_way_q;

  logic [TagBits-1:0] tag_q[Ways*Sets];  // {set, way}
  logic [Sets-1:0] valid_q[Ways];
  logic [31:0] even_q[8*Ways*Sets], odd_q[8*Ways*Sets];  // {set, way, 8 bytes of the line}

  // Refill
  logic fill_q, fill_drop_q;
  logic [2:0] beat_q;
  logic [WayBits-1:0] fill_way_q, victim_q;
  logic [TagBits-1:0] fill_tag_q;
  logic [SetBits-1:0] fill_set_q;

  logic [SetBits-1:0] set;
  assign set = pc_i[5+SetBits:6];

  logic same_line;
  assign same_line = line_valid_q && line_q == pc_i[63:6];
  assign remembered_o = same_line;

  // Tags
  logic hit, miss;
  logic [TagBits-1:0] tag;
  logic [WayBits-1:0] way;
  always_comb begin
    hit = 1'b1;
    way = line_way_q;
    miss = 1'b0;
    tag = '0;
    if (!same_line) begin
      hit = 1'b0;
      way = '0;
      if (translated_i) begin
        tag = TagBits'({ppn_i, pc_i[11:6]} >> SetBits);
        for (int unsigned w = 0; w < Ways; w++) begin
          if (!hit) begin
            hit = valid_q[w][set] && tag_q[{set, WayBits'(w)}] == tag;
            way = WayBits'(w);
          end
        end
        miss = !hit;
      end
    end
  end
  assign hit_o = hit;

  // Data
  if (Bytes == 4) begin : gen_word
    logic [31:0] even, odd;
    logic [2:0] even_index;
    assign even_index = pc_i[5:3] + {2'd0, pc_i[2]};
    assign even = even_q[{set, way, even_index}];
    assign odd = odd_q[{set, way, pc_i[5:3]}];
    always_comb begin
      case (pc_i[2:1])
        2'd0: data_o = even;
        2'd1: data_o = {odd[15:0], even[31:16]};
        2'd2: data_o = odd;
        default: data_o = {even[15:0], odd[31:16]};
      endcase
    end
  end else if (Bytes == 16) begin : gen_block
    logic [SetBits+WayBits+1:0] block;
    assign block = {set, way, pc_i[5:4]};
    assign data_o = {
      odd_q[{block, 1'd1}], even_q[{block, 1'd1}], odd_q[{block, 1'd0}], even_q[{block, 1'd0}]
    };
  end else begin : gen_bytes
    $error("icache: data_o has 4 or 16 bytes");
  end

  // A refill overwrites the victim, which may be the remembered line: forget it.
  logic fill_start;
  assign fill_start = miss && !fill_q && !cancel_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni || flush_i || fill_start) begin
      line_valid_q <= 1'b0;
    end else if (!same_line && hit && !single_use_i) begin
      line_valid_q <= 1'b1;
      line_q <= pc_i[63:6];
      line_way_q <= way;
    end
  end

  logic last_beat;
  assign last_beat = imem_valid_i && beat_q == 3'd7;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      fill_q <= 1'b0;
      imem_req_o <= 1'b0;
      dram_o <= 1'b0;
      victim_q <= '0;
      beat_q <= 3'd0;
    end else if (fill_start) begin
      fill_q <= 1'b1;
      fill_drop_q <= clear_i;
      fill_way_q <= victim_q;
      fill_tag_q <= tag;
      fill_set_q <= set;
      victim_q <= victim_q + 1'b1;
      imem_req_o <= 1'b1;
      dram_o <= 1'b0;
    end else if (fill_q) begin
      imem_req_o <= 1'b0;
      dram_o <= imem_dram_i;
      if (clear_i) fill_drop_q <= 1'b1;
      if (imem_valid_i) begin
        beat_q <= beat_q + 3'd1;
        even_q[{fill_set_q, fill_way_q, beat_q}] <= imem_data_i[31:0];
        odd_q[{fill_set_q, fill_way_q, beat_q}] <= imem_data_i[63:32];
        if (last_beat) fill_q <= 1'b0;
      end
    end
  end
  assign imem_addr_o = {fill_tag_q, fill_set_q, 6'd0};

  always_ff @(posedge clk_i) begin
    if (!rst_ni || clear_i) begin
      for (int unsigned w = 0; w < Ways; w++) valid_q[w] <= '0;
    end else if (fill_start) begin
      valid_q[victim_q][set] <= 1'b0;
    end else if (last_beat && !fill_drop_q) begin
      valid_q[fill_way_q][fill_set_q] <= 1'b1;
    end
    if (last_beat) tag_q[{fill_set_q, fill_way_q}] <= fill_tag_q;
  end

  assign quiescent_o = (!fill_q || (!imem_req_o && beat_q == 3'd0)) && !fill_start;

  `ASSERT_IF(beat_was_asked_for, fill_q, imem_valid_i)

  `COVER(l1i_refill, "Cycles in which the L1I waits for a line or takes it in", fill_q)

endmodule
