// SPDX-License-Identifier: Apache-2.0
// A buffer for whole frames: words of 8 bytes, and what is known of each frame.
//
// Words are written one a cycle while word_ready_o is high. commit_i ends the frame, without the
// word written in the same cycle, which is the first of the next one; abort_i discards the
// words of the unfinished frame, that of the same cycle included. A frame can be read once
// it is committed: frame_valid_o and frame_o describe the oldest one, until frame_done_i.
// Its words follow one another on word_o; word_pop_i takes one. The memory is read a cycle
// before, so a word may be missing (word_valid_o) after an empty buffer.

module nic_buffer #(
  parameter int unsigned Words = 4096,  // powers of two
  parameter int unsigned Frames = 64,
  parameter int unsigned FrameBits = 32
) (
  input logic clk_i,
  input logic rst_ni,

  input  logic                 write_i,
  input  logic [63:0]          wdata_i,
  input  logic                 commit_i,
  input  logic [FrameBits-1:0] frame_i,
  input  logic                 abort_i,
  output logic                 word_ready_o,   // for a word
  output logic                 frame_ready_o,  // for a frame that is committed

  output logic                 frame_valid_o,
  output logic [FrameBits-1:0] frame_o,
  input  logic                 frame_done_i,
  output logic                 word_valid_o,
  output logic [63:0]          word_o,
  input  logic                 word_pop_i,

  output logic busy_o  // the next edge changes something without any input
);

  localparam int unsigned Bits = $clog2(Words);

  logic [63:0] words_q[Words];
  logic [Bits:0] write_q, commit_q, read_q;
  logic word_valid_q, full;
  logic [63:0] word_q;
  logic [$clog2(Frames):0] frames;

  logic [Bits:0] count;
  assign count  = write_q - read_q;
  assign word_ready_o = !count[Bits];

  logic fetch;
  assign fetch = read_q != commit_q && (!word_valid_q || word_pop_i);
  assign busy_o = read_q != commit_q && !word_valid_q;

  always_ff @(posedge clk_i) begin
    if (write_i) words_q[write_q[Bits-1:0]] <= wdata_i;
    if (fetch) word_q <= words_q[read_q[Bits-1:0]];
  end

  always_ff @(posedge clk_i) begin
    if (abort_i) write_q <= commit_q;
    else if (write_i) write_q <= write_q + 1'b1;
    if (commit_i) commit_q <= write_q;
    if (fetch) begin
      read_q <= read_q + 1'b1;
      word_valid_q <= 1'b1;
    end else if (word_pop_i) begin
      word_valid_q <= 1'b0;
    end
    if (!rst_ni) begin
      write_q <= '0;
      commit_q <= '0;
      read_q <= '0;
      word_valid_q <= 1'b0;
    end
  end

  nic_queue #(
    .Width(FrameBits),
    .Entries(Frames)
  ) u_frames (
    .clk_i,
    .rst_ni,
    .clear_i(1'b0),
    .push_i (commit_i),
    .data_i (frame_i),
    .full_o (full),
    .pop_i  (frame_done_i),
    .valid_o(frame_valid_o),
    .data_o (frame_o),
    .count_o(frames)
  );

  // A commit may still be on its way.
  assign frame_ready_o = !full && frames != ($clog2(Frames) + 1)'(Frames - 1);
  assign word_valid_o = word_valid_q;
  assign word_o = word_q;

  `ASSERT_IF(room_for_word, word_ready_o, write_i)
  `ASSERT_IF(room_for_frame, !full, commit_i)
  `ASSERT_IF(word_to_take, word_valid_q, word_pop_i)
  `ASSERT(one_end, !(commit_i && abort_i))
  `COVER_HISTOGRAM(nic_buffer, "KiB of frames in the buffer, rounded up",
                   (Bits - 5)'((count + (Bits + 1)'(127)) >> 7), Words / 128)

endmodule
