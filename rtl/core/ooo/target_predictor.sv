// SPDX-License-Identifier: Apache-2.0
// The targets of indirect jumps: an ITTAGE predictor (Seznec, "A 64-Kbytes ITTAGE indirect branch
// predictor", 2011), with two tables, which are looked up with the newest 8 and 24 bits of the
// path.
//
// Of several hits that with the longest path predicts. If none does, the jump goes where it went
// last, which the BTB knows. A jump that was predicted wrong gets an entry in a table with a longer
// path, if the one there has no confidence, which else decreases. By chance it is the second table
// though the first one is free to use.
//
// The lookup is combinational; at_i has bits 20:1 of the address of the jump's last halfword. An
// update takes effect at the clock edge; its path is that of the lookup. While clear_i is high,
// an entry of each table is cleared, and other inputs are ignored.

module target_predictor #(
  parameter int unsigned Entries = 128  // of each table: a power of two; 16 to 2^16
) (
  input logic clk_i,
  input logic rst_ni,

  input logic                       clear_i,
  input logic [$clog2(Entries)-1:0] clear_entry_i,

  input  logic                  lookup_i,
  input  logic           [19:0] at_i,
  input  ooo_pkg::path_t        path_i,
  output logic                  hit_o,
  output logic           [38:0] target_o,  // bits 39:1

  // Outcome; update_last_i: where it went last
  input logic                  update_i,
  input logic           [19:0] update_at_i,
  input ooo_pkg::path_t        update_path_i,
  input logic           [38:0] update_last_i,
  input logic           [38:0] update_target_i
);

  localparam int unsigned Tables = 2;
  localparam int unsigned TagBits = 9;
  localparam int unsigned EntryBits = $clog2(Entries);

  typedef logic [TagBits-1:0] tag_t;
  typedef struct packed {
    logic        valid;
    tag_t        tag;
    logic [1:0]  confidence;
    logic [38:0] target;
  } entry_t;
  localparam int unsigned Bits = TagBits + 42;

  // Lookup 1 is that of the update.
  localparam int unsigned Lookups = 2;
  logic [Lookups-1:0] asks;
  assign asks = clear_i ? '0 : {update_i, lookup_i};

  logic [Tables*Lookups-1:0] hits;
  logic [Bits*Tables*Lookups-1:0] entries;
  logic [TagBits*Tables-1:0] update_tag;
  logic [Tables-1:0] writes;
  logic [Bits*Tables-1:0] new_entry;
  for (genvar t = 0; t < Tables; t++) begin : gen_table
    localparam int unsigned Length = t == 0 ? 8 : 24;
    logic [Bits-1:0] entries_q[Entries];  // entry_t
    for (genvar l = 0; l < Lookups; l++) begin : gen_lookup
      logic [EntryBits-1:0] fold, index;
      tag_t tag_fold, tag;
      logic [19:0] place;
      logic [Bits-1:0] entry;
      ooo_pkg::path_t path;
      logic hit;
      assign place = l == 1 ? update_at_i : at_i;
      assign path = l == 1 ? update_path_i : path_i;
      path_fold #(.Length(Length), .Bits(EntryBits)) u_index (
        .valid_i(asks[l]), .path_i(path), .fold_o(fold)
      );
      path_fold #(.Length(Length), .Bits(TagBits)) u_tag (
        .valid_i(asks[l]), .path_i(path), .fold_o(tag_fold)
      );
      always_comb begin
        index = '0;
        tag = '0;
        entry = '0;
        hit = 1'b0;
        if (asks[l]) begin
          // Rotated: see direction_predictor.sv.
          tag = tag_t'(place ^ place >> 5) ^ {tag_fold[3:0], tag_fold[8:4]};
          index = EntryBits'(place ^ place >> (6 - t)) ^ fold;
          entry = entries_q[index];
          hit = entry[Bits-1-:TagBits+1] == {1'b1, tag};
        end
      end
      assign hits[Tables*l+t] = hit;
      assign entries[Bits*(Tables*l+t)+:Bits] = entry;
    end
    assign update_tag[TagBits*t+:TagBits] = gen_lookup[1].tag;

    logic [EntryBits-1:0] write_index;
    logic [Bits-1:0] write_entry;
    always_comb begin
      write_index = gen_lookup[1].index;
      write_entry = new_entry[Bits*t+:Bits];
      if (clear_i) begin
        write_index = clear_entry_i;
        write_entry = '0;
      end
    end
    always_ff @(posedge clk_i) if (clear_i || writes[t]) entries_q[write_index] <= write_entry;
  end

  assign hit_o = hits[1:0] != '0;
  assign target_o = hits[1] ? entries[Bits+:39] : entries[0+:39];

  logic [7:0] chance_q;  // a linear feedback shift register
  logic wrong, allocates;
  logic [Tables-1:0] longest, chosen;
  entry_t old, next;
  always_comb begin
    wrong = 1'b0;
    allocates = 1'b0;
    longest = '0;
    chosen = '0;
    writes = '0;
    new_entry = '0;
    old = '0;
    next = '0;
    if (asks[1]) begin
      longest = hits[3] ? 2'b10 : {1'b0, hits[2]};
      wrong = update_last_i != update_target_i;
      if (longest != '0)
        wrong = (longest[1] ? entries[3*Bits+:39] : entries[2*Bits+:39]) != update_target_i;
      allocates = wrong && !longest[1];
      if (allocates) chosen = longest[0] || chance_q[0] ? 2'b10 : 2'b01;
      for (int t = 0; t < Tables; t++) begin
        old = entries[Bits*(Tables+t)+:Bits];
        next = old;
        writes[t] = longest[t] || chosen[t];
        if (longest[t] && !wrong) begin
          if (old.confidence != 2'd3) next.confidence = old.confidence + 2'd1;
        end else if (old.confidence != 2'd0) begin
          next.confidence = old.confidence - 2'd1;
        end else begin
          next = {1'b1, update_tag[TagBits*t+:TagBits], 2'd0, update_target_i};
        end
        new_entry[Bits*t+:Bits] = next;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) chance_q <= 8'd1;
    else if (allocates) chance_q <= (chance_q >> 1) ^ (chance_q[0] ? 8'hb8 : 8'h00);
  end

endmodule
