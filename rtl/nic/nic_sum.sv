// SPDX-License-Identifier: Apache-2.0
// The Internet checksum: adds the bytes of words as numbers of 16 bits in one's complement,
// in the byte order of memory.
//
// add_i adds the bytes of data_i that mask_i selects; with clear_i they are the first. sum_o
// is the sum of all words up to the last edge, for up to 16 Ki words.

module nic_sum (
  input  logic        clk_i,
  input  logic        add_i,
  input  logic        clear_i,
  input  logic [63:0] data_i,
  input  logic [7:0]  mask_i,
  output logic [15:0] sum_o
);

  logic [31:0] total_q;
  logic [63:0] data;
  logic [16:0] folded;

  for (genvar i = 0; i < 8; i++) begin : gen_bytes
    assign data[8*i+:8] = mask_i[i] ? data_i[8*i+:8] : 8'd0;
  end

  always_ff @(posedge clk_i) begin
    if (add_i)
      total_q <= (clear_i ? 32'd0 : total_q) + {16'd0, data[15:0]} + {16'd0, data[31:16]} +
                 {16'd0, data[47:32]} + {16'd0, data[63:48]};
  end

  assign folded = {1'b0, total_q[15:0]} + {1'b0, total_q[31:16]};
  assign sum_o  = folded[15:0] + {15'd0, folded[16]};

endmodule
