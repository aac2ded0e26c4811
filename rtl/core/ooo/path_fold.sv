// SPDX-License-Identifier: Apache-2.0
// The newest Length bits of a path, folded to Bits bits by exclusive or.

module path_fold #(
  parameter int unsigned Length = 64,  // 1 to 64
  parameter int unsigned Bits = 9
) (
  input  logic                       valid_i,  // else fold_o is 0
  input  ooo_pkg::path_t             path_i,
  output logic           [Bits-1:0] fold_o
);

  localparam ooo_pkg::path_t Newest = {64{1'b1}} >> (64 - Length);

  ooo_pkg::path_t left;
  always_comb begin
    left = '0;
    fold_o = '0;
    if (valid_i) begin
      left = path_i & Newest;
      for (int unsigned from = 0; from < Length; from += Bits) begin
        fold_o = fold_o ^ left[Bits-1:0];
        left = left >> Bits;
      end
    end
  end

endmodule
