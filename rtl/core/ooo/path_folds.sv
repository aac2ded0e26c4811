// SPDX-License-Identifier: Apache-2.0
// The newest bits of a path, folded by exclusive or: for each table of a predictor that is looked
// up with it, one part of the table's index and one of the entry's tag.
//
// The fold of a tag is rotated: else jumps that differ as their paths do would share entries.

module path_folds #(
  parameter int unsigned Tables = 4,     // 1 to 4
  parameter logic [27:0] Lengths = '0,   // bits 7t+6:7t: of the path, for table t; 1 to 64
  parameter int unsigned IndexBits = 10
) (
  input logic           valid_i,  // else the outputs are 0
  input ooo_pkg::path_t path_i,

  output logic [          IndexBits*Tables-1:0] indexes_o,
  output logic [ooo_pkg::PathTagBits*Tables-1:0] tags_o
);

  localparam int unsigned TagBits = ooo_pkg::PathTagBits;

  ooo_pkg::path_t newest, left;
  logic [IndexBits-1:0] index;
  logic [TagBits-1:0] tag;
  always_comb begin
    indexes_o = '0;
    tags_o = '0;
    newest = '0;
    left = '0;
    index = '0;
    tag = '0;
    if (valid_i) begin
      for (int t = 0; t < Tables; t++) begin
        newest = path_i & ({64{1'b1}} >> (7'd64 - Lengths[7*t+:7]));
        index = '0;
        left = newest;
        for (int from = 0; from < 32'(Lengths[7*t+:7]); from += IndexBits) begin
          index = index ^ left[IndexBits-1:0];
          left = left >> IndexBits;
        end
        tag = '0;
        left = newest;
        for (int from = 0; from < 32'(Lengths[7*t+:7]); from += TagBits) begin
          tag = tag ^ left[TagBits-1:0];
          left = left >> TagBits;
        end
        indexes_o[IndexBits*t+:IndexBits] = index;
        tags_o[TagBits*t+:TagBits] = {tag[TagBits-6:0], tag[TagBits-1-:5]};
      end
    end
  end

endmodule
