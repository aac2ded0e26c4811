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
  localparam int unsigned ShortestPath = 8;
  localparam int unsigned TagBits = 9;
  localparam int unsigned EntryBits = $clog2(Entries);
  localparam int unsigned CounterBits = $clog2(Counters);
  localparam int unsigned WordBits = CounterBits - 5;  // 32 counters in a word

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

  // Lookups 0 and 1, and that of the update: 2
  localparam int unsigned Lookups = 3;
  logic [Lookups-1:0] asks;
  logic [20*Lookups-1:0] at;
  assign asks = clear_i ? '0 : {update_i, branch_i};
  assign at = {update_at_i, at_i};

  // The tables. Of a hit, its entry.
  logic [Tables-1:0] update_hit, writes;
  logic [TagBits*Tables-1:0] update_tag;
  logic [Bits*Tables-1:0] update_entry, new_entry;
  logic [Tables*Lookups-1:0] hits, takes, unsure;
  for (genvar t = 0; t < Tables; t++) begin : gen_table
    localparam int unsigned Length = ShortestPath << t;
    logic [EntryBits-1:0] path_index, old_index;
    tag_t path_tag, old_tag;
    path_fold #(.Length(Length), .Bits(EntryBits)) u_index (
      .valid_i(asks[1:0] != '0), .path_i(path_i), .fold_o(path_index)
    );
    path_fold #(.Length(Length), .Bits(TagBits)) u_tag (
      .valid_i(asks[1:0] != '0), .path_i(path_i), .fold_o(path_tag)
    );
    path_fold #(.Length(Length), .Bits(EntryBits)) u_old_index (
      .valid_i(asks[2]), .path_i(update_path_i), .fold_o(old_index)
    );
    path_fold #(.Length(Length), .Bits(TagBits)) u_old_tag (
      .valid_i(asks[2]), .path_i(update_path_i), .fold_o(old_tag)
    );

    logic [Bits-1:0] entries_q[Entries];  // entry_t
    for (genvar l = 0; l < Lookups; l++) begin : gen_lookup
      logic [EntryBits-1:0] index;
      tag_t tag, folded;
      logic [19:0] place;
      logic [Bits-1:0] entry;
      logic hit;
      always_comb begin
        index = '0;
        tag = '0;
        folded = '0;
        place = '0;
        entry = '0;
        hit = 1'b0;
        if (asks[l]) begin
          place = at[20*l+:20];
          // The tag has the fold rotated: else branches that differ as their paths do would share
          // entries.
          folded = l == 2 ? old_tag : path_tag;
          tag = tag_t'(place ^ place >> 5) ^ {folded[3:0], folded[8:4]};
          index = EntryBits'(place ^ place >> (8 - t)) ^ (l == 2 ? old_index : path_index);
          entry = entries_q[index];
          hit = entry[4+:TagBits] == tag;
        end
      end
      assign hits[Tables*l+t] = hit;
      assign takes[Tables*l+t] = entry[3];
      assign unsure[Tables*l+t] = entry[3:0] == {3'd3, 1'b0} || entry[3:0] == {3'd4, 1'b0};
    end
    assign update_hit[t] = gen_lookup[2].hit;
    assign update_tag[TagBits*t+:TagBits] = gen_lookup[2].tag;
    assign update_entry[Bits*t+:Bits] = gen_lookup[2].entry;

    logic [Bits-1:0] write_entry;
    logic [EntryBits-1:0] write_index;
    always_comb begin
      write_index = gen_lookup[2].index;
      write_entry = new_entry[Bits*t+:Bits];
      if (clear_i) begin
        write_index = clear_entry_i;
        write_entry = Cleared;
      end
    end
    always_ff @(posedge clk_i) if (clear_i || writes[t]) entries_q[write_index] <= write_entry;
  end

  // Counters by the address alone
  logic [63:0] counters_q[Counters/32];
  logic [Lookups-1:0] counter_takes;
  for (genvar l = 0; l < Lookups; l++) begin : gen_counter
    logic [CounterBits-1:0] index;
    logic [63:0] word;
    always_comb begin
      index = '0;
      word = '0;
      if (asks[l]) begin
        index = CounterBits'(at[20*l+:20]);
        word = counters_q[index[CounterBits-1:5]];
      end
    end
    assign counter_takes[l] = word[{index[4:0], 1'b1}];
  end

  logic counts;
  logic [1:0] count, count_d;
  logic [WordBits-1:0] count_word;
  logic [63:0] word_d;
  always_comb begin
    counts = clear_i;
    count_word = clear_word_i;
    count = 2'd0;
    count_d = 2'd0;
    word_d = {32{2'd2}};
    if (asks[2] && update_hit == '0) begin
      counts = 1'b1;
      count_word = gen_counter[2].index[CounterBits-1:5];
      count = 2'(gen_counter[2].word >> {gen_counter[2].index[4:0], 1'b0});
      count_d = count;
      if (update_taken_i && count != 2'd3) count_d = count + 2'd1;
      if (!update_taken_i && count != 2'd0) count_d = count - 2'd1;
      word_d = gen_counter[2].word ^
               ({62'd0, count ^ count_d} << {gen_counter[2].index[4:0], 1'b0});
    end
  end
  always_ff @(posedge clk_i) if (counts) counters_q[count_word] <= word_d;

  // What a lookup predicts: the longest hit, if that is not weak, else what there would be
  // without it.
  logic [Lookups-1:0] longest, without, predicted;
  for (genvar l = 0; l < Lookups; l++) begin : gen_choice
    logic is_unsure;
    always_comb begin
      longest[l] = counter_takes[l];
      without[l] = counter_takes[l];
      is_unsure = 1'b0;
      if (hits[Tables*l+:Tables] != '0)
        for (int t = 0; t < Tables; t++)
          if (hits[Tables*l+t]) begin
            without[l] = longest[l];
            longest[l] = takes[Tables*l+t];
            is_unsure = unsure[Tables*l+t];
          end
      predicted[l] = is_unsure ? without[l] : longest[l];
    end
  end
  assign taken_o = predicted[1:0];

  // Update of the tables
  logic [7:0] chance_q;  // a linear feedback shift register
  logic [Tables-1:0] above, candidates, chosen;
  logic allocates;
  entry_t old, next;
  always_comb begin
    above = '1;  // tables with longer paths than that of the longest hit
    writes = '0;
    new_entry = '0;
    candidates = '0;
    chosen = '0;
    allocates = 1'b0;
    old = '0;
    next = '0;
    if (asks[2]) begin
      for (int t = 0; t < Tables; t++) if (update_hit[t]) above = {Tables{1'b1}} << (t + 1);
      allocates = predicted[2] != update_taken_i && above != '0;
      if (allocates) begin
        candidates = above;
        if (chance_q[0] && above << 1 != '0) candidates = above << 1;
        for (int t = 0; t < Tables; t++)
          if (!update_entry[Bits*t]) chosen[t] = candidates[t];
        chosen = chosen & -chosen;
      end
      for (int t = 0; t < Tables; t++) begin
        old = update_entry[Bits*t+:Bits];
        next = old;
        if (update_hit[t] && above == {Tables{1'b1}} << (t + 1)) begin
          writes[t] = 1'b1;
          if (update_taken_i && old.counter != 3'd7) next.counter = old.counter + 3'd1;
          if (!update_taken_i && old.counter != 3'd0) next.counter = old.counter - 3'd1;
          if (longest[2] != without[2]) next.useful = longest[2] == update_taken_i;
        end else if (chosen[t]) begin
          writes[t] = 1'b1;
          next = {update_tag[TagBits*t+:TagBits], update_taken_i ? 3'd4 : 3'd3, 1'b0};
        end else if (candidates[t] && chosen == '0) begin
          writes[t] = 1'b1;
          next.useful = 1'b0;
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
