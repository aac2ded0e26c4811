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
  localparam logic [27:0] Lengths = {14'd0, 7'd24, 7'd8};
  localparam int unsigned TagBits = ooo_pkg::PathTagBits;
  localparam int unsigned EntryBits = $clog2(Entries);

  typedef logic [TagBits-1:0] tag_t;
  typedef struct packed {
    logic        valid;
    tag_t        tag;
    logic [1:0]  confidence;
    logic [38:0] target;
  } entry_t;
  localparam int unsigned Bits = TagBits + 42;

  logic [Bits-1:0] entries_q[Tables*Entries];  // {table, entry}: entry_t

  // As in direction_predictor.sv, one block for the lookup and one for the update
  logic [EntryBits*Tables-1:0] folds, old_folds;
  logic [TagBits*Tables-1:0] tag_folds, old_tag_folds;
  path_folds #(
    .Tables   (Tables),
    .Lengths  (Lengths),
    .IndexBits(EntryBits)
  ) u_folds (
    .valid_i(lookup_i), .path_i, .indexes_o(folds), .tags_o(tag_folds)
  );
  logic [Bits-1:0] found;
  always_comb begin
    hit_o = 1'b0;
    target_o = '0;
    found = '0;
    if (lookup_i && !clear_i)
      for (int t = 0; t < Tables; t++) begin
        found = entries_q[{
          1'(t), EntryBits'(at_i ^ at_i >> (6 - t)) ^ folds[EntryBits*t+:EntryBits]
        }];
        if (found[Bits-1-:TagBits+1] ==
            {1'b1, TagBits'(at_i ^ at_i >> 5) ^ tag_folds[TagBits*t+:TagBits]}) begin
          hit_o = 1'b1;
          target_o = found[38:0];
        end
      end
  end

  path_folds #(
    .Tables   (Tables),
    .Lengths  (Lengths),
    .IndexBits(EntryBits)
  ) u_old_folds (
    .valid_i(update_i), .path_i(update_path_i), .indexes_o(old_folds), .tags_o(old_tag_folds)
  );
  logic [7:0] chance_q;  // a linear feedback shift register
  logic wrong, allocates;
  logic [Tables-1:0] longest, chosen, writes;
  logic [EntryBits*Tables-1:0] indexes;
  logic [TagBits*Tables-1:0] tags;
  logic [Bits*Tables-1:0] old_entries, new_entries;
  logic [EntryBits-1:0] index;
  tag_t tag;
  entry_t old, next;
  always_comb begin
    wrong = 1'b0;
    allocates = 1'b0;
    longest = '0;
    chosen = '0;
    writes = '0;
    indexes = '0;
    tags = '0;
    old_entries = '0;
    new_entries = '0;
    index = '0;
    tag = '0;
    old = '0;
    next = '0;
    if (update_i && !clear_i) begin
      wrong = update_last_i != update_target_i;
      for (int t = 0; t < Tables; t++) begin
        index = EntryBits'(update_at_i ^ update_at_i >> (6 - t)) ^
                old_folds[EntryBits*t+:EntryBits];
        tag = TagBits'(update_at_i ^ update_at_i >> 5) ^ old_tag_folds[TagBits*t+:TagBits];
        old = entries_q[{1'(t), index}];
        indexes[EntryBits*t+:EntryBits] = index;
        tags[TagBits*t+:TagBits] = tag;
        old_entries[Bits*t+:Bits] = old;
        if (old.valid && old.tag == tag) begin
          longest = Tables'(1) << t;
          wrong = old.target != update_target_i;
        end
      end
      allocates = wrong && !longest[1];
      if (allocates) chosen = longest[0] || chance_q[0] ? 2'b10 : 2'b01;
      writes = longest | chosen;
      for (int t = 0; t < Tables; t++) begin
        old = old_entries[Bits*t+:Bits];
        next = old;
        if (longest[t] && !wrong) begin
          if (old.confidence != 2'd3) next.confidence = old.confidence + 2'd1;
        end else if (old.confidence != 2'd0) begin
          next.confidence = old.confidence - 2'd1;
        end else begin
          next = {1'b1, tags[TagBits*t+:TagBits], 2'd0, update_target_i};
        end
        new_entries[Bits*t+:Bits] = next;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      for (int t = 0; t < Tables; t++) entries_q[{1'(t), clear_entry_i}] <= '0;
    end else if (writes != '0) begin
      for (int t = 0; t < Tables; t++)
        if (writes[t])
          entries_q[{1'(t), indexes[EntryBits*t+:EntryBits]}] <= new_entries[Bits*t+:Bits];
    end
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) chance_q <= 8'd1;
    else if (allocates) chance_q <= (chance_q >> 1) ^ (chance_q[0] ? 8'hb8 : 8'h00);
  end

endmodule
