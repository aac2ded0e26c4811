// SPDX-License-Identifier: Apache-2.0
// Aligns the words of a copy's source to its destination, and writes them by DMA.
//
// start_i begins with operands that need not stand. The destination is written line by line,
// in beats of 8 bytes with byte enables; up to DmaLines lines are in flight. in_flight_o is low
// when all lines have landed.
//
// A word to write consists of the end of one word of the source and the beginning of the next:
// {word, before} >> shift. If the source's offset in its word is greater than the
// destination's, the first word to write already needs two.

module copy_writer (
  input logic clk_i,
  input logic rst_ni,

  input logic                              start_i,
  input logic [2:0]                        source_i,       // its offset
  input logic [55:0]                       destination_i,
  input logic [mem_pkg::CopyCountBits-1:0] count_i,        // not 0; within a page

  // Words of the source
  input  logic        word_valid_i,
  input  logic [63:0] word_i,
  output logic        word_ready_o,

  // DMA: a request with its first beat, when ready_i
  output logic                            req_valid_o,
  output logic [55:0]                     req_addr_o,
  output logic                            beat_valid_o,
  output logic                            beat_last_o,
  output logic [mem_pkg::DmaLineBits-1:0] beat_id_o,
  output logic [2:0]                      beat_o,
  output logic [7:0]                      beat_strb_o,
  output logic [63:0]                     beat_data_o,
  input  logic                            ready_i,
  input  logic                            done_valid_i,
  input  logic [mem_pkg::DmaLineBits-1:0] done_id_i,

  output logic in_flight_o
);

  localparam int unsigned Lines = mem_pkg::DmaLines;
  localparam int unsigned IdBits = mem_pkg::DmaLineBits;

  logic [Lines-1:0] busy_q;  // lines that have not landed
  logic [IdBits-1:0] tail_q, line_q;

  logic first_q, needs_prime_q;  // the first beat is next; a word of the source goes before it
  logic [2:0] offset_q;  // of the first beat
  logic [3:0] shift_q;  // bytes, 1 to 8
  logic [55:3] addr_q;
  logic [12:0] left_q;  // bytes
  logic [9:0] words_q;  // of the source, at most 512
  logic [63:0] prev_word_q, word;

  logic [2:0] byte_offset;
  logic [3:0] beat_bytes;
  logic more, line_start, copy_last, step, prime;
  assign byte_offset = first_q ? offset_q : 3'd0;
  assign beat_bytes = left_q < 13'd8 - {10'd0, byte_offset} ? left_q[3:0] :
                                                               4'd8 - {1'b0, byte_offset};
  assign copy_last = left_q == {9'd0, beat_bytes};
  assign line_start = first_q || addr_q[5:3] == 3'd0;
  assign more = words_q != 10'd0;
  assign word = more ? word_i : 64'd0;
  assign prime = needs_prime_q && word_valid_i;
  assign step = left_q != 13'd0 && !needs_prime_q && (!more || word_valid_i) &&
                !(line_start && busy_q[tail_q]) && ready_i;
  assign word_ready_o = prime || (step && more);

  assign req_valid_o = step && line_start;
  assign req_addr_o = {addr_q[55:6], 6'd0};
  assign beat_valid_o = step;
  assign beat_last_o = copy_last || addr_q[5:3] == 3'd7;
  assign beat_id_o = line_start ? tail_q : line_q;
  assign beat_o = addr_q[5:3];
  assign beat_strb_o = (8'hff >> (4'd8 - beat_bytes)) << byte_offset;
  assign beat_data_o = 64'({word, prev_word_q} >> {shift_q, 3'd0});
  assign in_flight_o = left_q != 13'd0 || busy_q != '0;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      first_q <= 1'b1;
      needs_prime_q <= source_i > destination_i[2:0];
      offset_q <= destination_i[2:0];
      shift_q <= {source_i <= destination_i[2:0], 3'd0} + {1'b0, source_i} -
                 {1'b0, destination_i[2:0]};
      addr_q <= destination_i[55:3];
      left_q <= count_i;
      words_q <= 10'((13'd7 + count_i + {10'd0, source_i}) >> 3);
    end
    if (word_ready_o) words_q <= words_q - 10'd1;
    if (prime) needs_prime_q <= 1'b0;
    if (prime || step) prev_word_q <= word;
    if (step) begin
      first_q <= 1'b0;
      addr_q <= addr_q + 1'b1;
      left_q <= left_q - {9'd0, beat_bytes};
    end
    if (done_valid_i) busy_q[done_id_i] <= 1'b0;
    if (step && line_start) begin
      busy_q[tail_q] <= 1'b1;
      line_q <= tail_q;
      tail_q <= tail_q + 1'b1;
    end
    if (!rst_ni) begin
      left_q <= 13'd0;
      words_q <= 10'd0;
      needs_prime_q <= 1'b0;
      busy_q <= '0;
      tail_q <= '0;
    end
  end

  `ASSERT_IF(starts_when_closed, !in_flight_o && !more, start_i)
  `ASSERT_IF(line_was_written, busy_q[done_id_i], done_valid_i)
  `ASSERT_IF(words_are_used, left_q != 13'd0, word_ready_o)

endmodule
