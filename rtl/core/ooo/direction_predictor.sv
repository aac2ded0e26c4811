// SPDX-License-Identifier: Apache-2.0
// Whether branches are taken: a TAGE predictor (Seznec and Michaud, "A case for (partially)
// tagged geometric history length branch predictors", JILP 8, 2006).
//
// A branch has a two-bit counter by its address alone, and may have an entry in each of four
// tables, which are looked up with the newest 8, 16, 32 and 64 bits of its path. The hit with the
// longest path predicts; one that has predicted little yet is passed over for the next hit, or
// the counter. A branch that was predicted wrong gets an entry in a table with a longer path, in
// the place of one that is not useful: that has not been right where the next one was wrong. If
// there is none, those passed over cease to be useful. By chance the search begins one table
// further, so that branches with the same path do not all compete for the same table.
//
// Lookups are combinational: taken_o of each branch in branch_i, whose bits 20:1 of the address
// of the last halfword are in at_i. An update takes effect at the clock edge; its path is that of
// the lookup. While clear_i is high, an entry of each table and a word of 32 counters are
// cleared, and other inputs are ignored.

module direction_predictor #(
  parameter int unsigned Counters = 4096,  // powers of two; 64 to 2^20
  parameter int unsigned Entries = 1024    // of each table; 16 to 2^16
) (
  input logic clk_i,
  input logic rst_ni,

  input logic                        clear_i,
  input logic [ $clog2(Entries)-1:0] clear_entry_i,
  input logic [$clog2(Counters)-6:0] clear_word_i,

  // Lookup of two branches of a block
  input  logic           [1:0]      branch_i,
  input  logic           [39:0]     at_i,
  input  ooo_pkg::path_t            path_i,
  output logic           [1:0]      taken_o,

  // Outcome
  input logic                  update_i,
  input logic           [19:0] update_at_i,
  input ooo_pkg::path_t        update_path_i,
  input logic                  update_taken_i
);

  localparam int unsigned Tables = 4;
  localparam logic [27:0] Lengths = {7'd64, 7'd32, 7'd16, 7'd8};
  localparam int unsigned TagBits = ooo_pkg::PathTagBits;
  localparam int unsigned EntryBits = $clog2(Entries);
  localparam int unsigned CounterBits = $clog2(Counters);

  // An entry: its tag, a counter, of which 4 to 7 say that the branch is taken, and whether it is
  // useful.
  typedef logic [TagBits-1:0] tag_t;
  typedef struct packed {
    tag_t       tag;
    logic [2:0] counter;
    logic       useful;
  } entry_t;
  localparam int unsigned Bits = TagBits + 4;
  localparam logic [Bits-1:0] Cleared = {9'd0, 3'd4, 1'b0};

  logic [Bits-1:0] entries_q[Tables*Entries];  // {table, entry}: entry_t
  logic [63:0] counters_q[Counters/32];

  // One block for all tables simulates faster than one for each. `without` is what there would be
  // without the hit with the longest path.
  logic [EntryBits*Tables-1:0] folds, old_folds;
  logic [TagBits*Tables-1:0] tag_folds, old_tag_folds;
  path_folds #(
    .Tables   (Tables),
    .Lengths  (Lengths),
    .IndexBits(EntryBits)
  ) u_folds (
    .valid_i(branch_i != '0), .path_i, .indexes_o(folds), .tags_o(tag_folds)
  );
  logic [1:0] longest, without, unsure;
  logic [19:0] at;
  logic [Bits-1:0] found;
  always_comb begin
    longest = '0;
    without = '0;
    unsure = '0;
    at = '0;
    found = '0;
    if (branch_i != '0 && !clear_i) begin
      for (int l = 0; l < 2; l++)
        if (branch_i[l]) begin
          at = at_i[20*l+:20];
          longest[l] = counters_q[at[CounterBits-1:5]][{at[4:0], 1'b1}];
        end
      for (int t = 0; t < Tables; t++)
        for (int l = 0; l < 2; l++)
          if (branch_i[l]) begin
            at = at_i[20*l+:20];
            found = entries_q[{
              2'(t), EntryBits'(at ^ at >> (8 - t)) ^ folds[EntryBits*t+:EntryBits]
            }];
            if (found[4+:TagBits] ==
                (TagBits'(at ^ at >> 5) ^ tag_folds[TagBits*t+:TagBits])) begin
              without[l] = longest[l];
              longest[l] = found[3];
              unsure[l] = found[3:0] == {3'd3, 1'b0} || found[3:0] == {3'd4, 1'b0};
            end
          end
    end
  end
  assign taken_o = (unsure & without) | (~unsure & longest);

  // The same for an update, and what it writes
  path_folds #(
    .Tables   (Tables),
    .Lengths  (Lengths),
    .IndexBits(EntryBits)
  ) u_old_folds (
    .valid_i(update_i), .path_i(update_path_i), .indexes_o(old_folds), .tags_o(old_tag_folds)
  );
  logic [7:0] chance_q;  // a linear feedback shift register
  logic [Tables-1:0] hits, above, candidates, chosen, writes;
  logic [EntryBits*Tables-1:0] indexes;
  logic [TagBits*Tables-1:0] tags;
  logic [Bits*Tables-1:0] old_entries, new_entries;
  logic longest_taken, other_taken, old_unsure, allocates, counts;
  logic [EntryBits-1:0] index;
  tag_t tag;
  entry_t old, next;
  logic [1:0] count, count_d;
  logic [63:0] word, word_d;
  always_comb begin
    hits = '0;
    above = '1;  // tables with longer paths than that of the longest hit
    candidates = '0;
    chosen = '0;
    writes = '0;
    indexes = '0;
    tags = '0;
    old_entries = '0;
    new_entries = '0;
    longest_taken = 1'b0;
    other_taken = 1'b0;
    old_unsure = 1'b0;
    allocates = 1'b0;
    counts = 1'b0;
    index = '0;
    tag = '0;
    old = '0;
    next = '0;
    count = '0;
    count_d = '0;
    word = '0;
    word_d = '0;
    if (update_i && !clear_i) begin
      word = counters_q[update_at_i[CounterBits-1:5]];
      count = 2'(word >> {update_at_i[4:0], 1'b0});
      longest_taken = count[1];
      other_taken = count[1];
      for (int t = 0; t < Tables; t++) begin
        index = EntryBits'(update_at_i ^ update_at_i >> (8 - t)) ^
                old_folds[EntryBits*t+:EntryBits];
        tag = TagBits'(update_at_i ^ update_at_i >> 5) ^ old_tag_folds[TagBits*t+:TagBits];
        old = entries_q[{2'(t), index}];
        indexes[EntryBits*t+:EntryBits] = index;
        tags[TagBits*t+:TagBits] = tag;
        old_entries[Bits*t+:Bits] = old;
        if (old.tag == tag) begin
          hits = Tables'(1) << t;
          above = {Tables{1'b1}} << (t + 1);
          other_taken = longest_taken;
          longest_taken = old.counter[2];
          old_unsure = !old.useful && (old.counter == 3'd3 || old.counter == 3'd4);
        end
      end

      // A new entry, if it was predicted wrong
      allocates = (old_unsure ? other_taken : longest_taken) != update_taken_i && above != '0;
      if (allocates) begin
        candidates = above;
        if (chance_q[0] && above << 1 != '0) candidates = above << 1;
        for (int t = 0; t < Tables; t++)
          if (!old_entries[Bits*t]) chosen[t] = candidates[t];
        chosen = chosen & -chosen;
      end
      writes = hits | (chosen == '0 ? candidates : chosen);
      for (int t = 0; t < Tables; t++) begin
        old = old_entries[Bits*t+:Bits];
        next = old;
        if (hits[t]) begin
          if (update_taken_i && old.counter != 3'd7) next.counter = old.counter + 3'd1;
          if (!update_taken_i && old.counter != 3'd0) next.counter = old.counter - 3'd1;
          if (longest_taken != other_taken) next.useful = longest_taken == update_taken_i;
        end else if (chosen[t]) begin
          next = {tags[TagBits*t+:TagBits], update_taken_i ? 3'd4 : 3'd3, 1'b0};
        end else begin
          next.useful = 1'b0;
        end
        new_entries[Bits*t+:Bits] = next;
      end

      // The counter, if there was no hit
      counts = hits == '0;
      count_d = count;
      if (update_taken_i && count != 2'd3) count_d = count + 2'd1;
      if (!update_taken_i && count != 2'd0) count_d = count - 2'd1;
      word_d = word ^ ({62'd0, count ^ count_d} << {update_at_i[4:0], 1'b0});
    end
  end

  always_ff @(posedge clk_i) begin
    if (clear_i) begin
      for (int t = 0; t < Tables; t++) entries_q[{2'(t), clear_entry_i}] <= Cleared;
    end else if (writes != '0) begin
      for (int t = 0; t < Tables; t++)
        if (writes[t])
          entries_q[{2'(t), indexes[EntryBits*t+:EntryBits]}] <= new_entries[Bits*t+:Bits];
    end
  end
  always_ff @(posedge clk_i) begin
    if (clear_i) counters_q[clear_word_i] <= {32{2'd2}};
    else if (counts) counters_q[update_at_i[CounterBits-1:5]] <= word_d;
  end
  always_ff @(posedge clk_i) begin
    if (!rst_ni) chance_q <= 8'd1;
    else if (allocates) chance_q <= (chance_q >> 1) ^ (chance_q[0] ? 8'hb8 : 8'h00);
  end

endmodule
