// SPDX-License-Identifier: Apache-2.0
// Reads the source of a copy by DMA, and delivers its aligned words in order.
//
// start_i begins with operands that need not stand. Up to DmaLines requests are in flight;
// lines may arrive in any order, and beats of several lines may be mixed. A word is taken in a
// cycle with word_valid_o and word_ready_i. in_flight_o is low when all words have been taken and
// no line is in flight.

module copy_reader (
  input logic clk_i,
  input logic rst_ni,

  input logic                              start_i,
  input logic [55:0]                       source_i,
  input logic [mem_pkg::CopyCountBits-1:0] count_i,  // not 0; within a page

  // DMA
  output logic                            req_valid_o,
  output logic [mem_pkg::DmaLineBits-1:0] req_id_o,
  output logic [55:0]                     req_addr_o,
  input  logic                            req_ready_i,
  input  logic                            rsp_valid_i,
  input  logic [mem_pkg::DmaLineBits-1:0] rsp_id_i,
  input  logic [63:0]                     rsp_data_i,

  // Words
  output logic        word_valid_o,
  output logic [63:0] word_o,
  input  logic        word_ready_i,

  output logic in_flight_o
);

  localparam int unsigned Lines = mem_pkg::DmaLines;
  localparam int unsigned IdBits = mem_pkg::DmaLineBits;

  logic [63:0] words_q[8*Lines];  // {line, beat}
  logic [Lines*4-1:0] arrived_q;  // beats of each line
  logic [IdBits-1:0] head_q, tail_q;
  logic [IdBits:0] used_q;

  // Requests
  logic [49:0] next_q;
  logic [6:0] lines_q;  // still to be requested, at most 64
  logic issue;
  assign req_valid_o = lines_q != 7'd0 && !used_q[IdBits];
  assign req_id_o = tail_q;
  assign req_addr_o = {next_q, 6'd0};
  assign issue = req_valid_o && req_ready_i;

  // Words. The last line keeps its place until all of its beats have arrived.
  logic [2:0] beat_q;
  logic [9:0] left_q;  // at most 512
  logic [3:0] arrived;
  logic step, release_line;
  assign arrived = arrived_q[4*head_q+:4];
  assign word_valid_o = left_q != 10'd0 && used_q != '0 && arrived > {1'b0, beat_q};
  assign word_o = words_q[{head_q, beat_q}];
  assign step = word_valid_o && word_ready_i;
  assign release_line = (step && beat_q == 3'd7) || (left_q == 10'd0 && used_q != '0 && arrived[3]);
  assign in_flight_o = left_q != 10'd0 || used_q != '0;

  always_ff @(posedge clk_i) begin
    if (start_i) begin
      next_q <= source_i[55:6];
      lines_q <= 7'((13'd63 + count_i + {7'd0, source_i[5:0]}) >> 6);
      left_q <= 10'((13'd7 + count_i + {10'd0, source_i[2:0]}) >> 3);
      beat_q <= source_i[5:3];
    end
    if (issue) begin
      next_q <= next_q + 50'd1;
      lines_q <= lines_q - 7'd1;
      tail_q <= tail_q + 1'b1;
      arrived_q[4*tail_q+:4] <= 4'd0;
    end
    if (rsp_valid_i) begin
      words_q[{rsp_id_i, arrived_q[4*rsp_id_i+:3]}] <= rsp_data_i;
      arrived_q[4*rsp_id_i+:4] <= arrived_q[4*rsp_id_i+:4] + 4'd1;
    end
    if (step) begin
      beat_q <= beat_q + 3'd1;
      left_q <= left_q - 10'd1;
    end
    if (release_line) head_q <= head_q + 1'b1;
    used_q <= used_q + (IdBits + 1)'(issue) - (IdBits + 1)'(release_line);
    if (!rst_ni) begin
      lines_q <= 7'd0;
      left_q <= 10'd0;
      used_q <= '0;
      head_q <= '0;
      tail_q <= '0;
    end
  end

  `ASSERT_IF(starts_when_closed, !in_flight_o && lines_q == 7'd0, start_i)
  `ASSERT_IF(beat_was_asked_for, used_q != '0 && !arrived_q[4*rsp_id_i+3], rsp_valid_i)
  `COVER_HISTOGRAM(copy_reader_lines, "Lines that the reader of the copy unit has in flight", used_q, 8)

endmodule
