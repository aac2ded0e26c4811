// SPDX-License-Identifier: Apache-2.0
// Writes received frames to the buffers of RECV by DMA.
//
// A frame takes the oldest buffer. It is written line by line, in beats of 8 bytes with byte
// enables; up to DmaLines lines are in flight, also of later frames. When all lines of a
// frame have landed (done_i), in order, received_o is pushed; while that queue is full the
// line keeps its place. A frame longer than its buffer is dropped, and the buffer stays.
// While enable_i is low frames are dropped, except one that is already being written.

module nic_writer #(
  parameter logic [mem_pkg::DmaMasterBits-1:0] Master = mem_pkg::DmaMasterNic
) (
  input logic clk_i,
  input logic rst_ni,
  input logic enable_i,

  // The receive buffer, as in nic_buffer.sv
  input  logic               frame_valid_i,
  input  nic_pkg::received_t frame_i,
  output logic               frame_done_o,
  input  logic               word_valid_i,
  input  logic [63:0]        word_i,
  output logic               word_pop_o,

  // RECV
  input  logic           recv_valid_i,
  input  nic_pkg::recv_t recv_i,
  output logic           recv_pop_o,

  // DMA: a request with its first beat
  output logic                          req_valid_o,
  output logic [mem_pkg::DmaLineBits-1:0] req_id_o,
  output logic [47:0]                   req_addr_o,
  output logic                          beat_valid_o,
  output mem_pkg::dma_beat_t            beat_o,
  input  logic                          ready_i,       // the port can take a beat
  input  logic                          done_valid_i,
  input  logic [mem_pkg::DmaLineBits-1:0] done_id_i,

  // RECEIVED
  output logic               received_valid_o,
  output nic_pkg::received_t received_o,
  input  logic               received_full_i,

  output logic drop_size_o,  // events of a cycle: a frame was dropped
  output logic drop_off_o,
  output logic in_flight_o,  // a frame or a line is unfinished
  output logic busy_o   // the next edge changes something
);

  localparam int unsigned Lines = mem_pkg::DmaLines;
  localparam int unsigned IdBits = mem_pkg::DmaLineBits;

  typedef enum logic [1:0] {
    StIdle = 2'd0,
    StMove = 2'd1,
    StDrop = 2'd2
  } fsm_e;

  // Lines in flight
  logic [Lines-1:0] done_q, last_q;  // has landed; is the last of a frame
  logic [nic_pkg::ReceivedBits-1:0] frames_q[Lines];  // received_t, of a last line
  logic [IdBits-1:0] head_q, tail_q, line_q, line;
  logic [IdBits:0] used_q;
  logic retire;

  // The frame
  fsm_e fsm_q;
  logic first_q, drop_off_q;  // its first beat is next; dropped because the receiver is off
  logic [2:0] shift_q, byte_offset;
  logic [47:3] addr_q;
  logic [13:0] left_q;
  logic [10:0] words_q;
  logic [63:0] prev_word_q, word;
  logic [3:0] beat_bytes;
  logic line_start, step, frame_last, start, drop_start, drop_step;
  assign start = fsm_q == StIdle && frame_valid_i && enable_i && recv_valid_i &&
                  {2'd0, frame_i.length} <= recv_i.size;
  assign drop_start = fsm_q == StIdle && frame_valid_i &&
                 (!enable_i || (recv_valid_i && {2'd0, frame_i.length} > recv_i.size));

  // A beat: the rest of the word before, and the beginning of the next word
  assign byte_offset = first_q ? shift_q : 3'd0;
  assign beat_bytes = left_q < 14'd8 - {11'd0, byte_offset} ? left_q[3:0] :
                                                               4'd8 - {1'b0, byte_offset};
  assign frame_last = left_q == {10'd0, beat_bytes};
  assign line_start = first_q || addr_q[5:3] == 3'd0;
  assign step = fsm_q == StMove && (words_q == 11'd0 || word_valid_i) &&
                !(line_start && used_q[IdBits]) && ready_i;
  assign drop_step = fsm_q == StDrop && words_q != 11'd0 && word_valid_i;
  assign word_pop_o = (step && words_q != 11'd0) || drop_step;
  assign word = words_q == 11'd0 ? 64'd0 : word_i;
  assign line = line_start ? tail_q : line_q;
  always_comb begin
    req_valid_o = step && line_start;
    req_id_o = tail_q;
    req_addr_o = {addr_q[47:6], 6'd0};
    beat_valid_o = step;
    beat_o.last = frame_last || addr_q[5:3] == 3'd7;
    beat_o.id = {Master, line};
    beat_o.beat = addr_q[5:3];
    beat_o.strb = (8'hff >> (4'd8 - beat_bytes)) << byte_offset;
    beat_o.data = 64'({word, prev_word_q} >> (7'd64 - {1'b0, shift_q, 3'd0}));
  end
  assign frame_done_o = (step && frame_last) || (fsm_q == StDrop && words_q == 11'd0);
  assign recv_pop_o = step && frame_last && enable_i;

  always_ff @(posedge clk_i) begin
    if (start || drop_start) begin
      fsm_q <= start ? StMove : StDrop;
      first_q <= 1'b1;
      drop_off_q <= !enable_i;
      shift_q <= recv_i.addr[2:0];
      addr_q <= recv_i.addr[47:3];
      left_q <= frame_i.length;
      words_q <= 11'((frame_i.length + 14'd7) >> 3);
      prev_word_q <= 64'd0;
    end
    if (step) begin
      first_q  <= 1'b0;
      addr_q     <= addr_q + 1'b1;
      left_q   <= left_q - {10'd0, beat_bytes};
      prev_word_q <= word;
    end
    if (word_pop_o) words_q <= words_q - 11'd1;
    if (frame_done_o || !rst_ni) fsm_q <= StIdle;
  end

  // Landing
  assign retire = used_q != '0 && done_q[head_q] && !(last_q[head_q] && received_full_i);
  always_ff @(posedge clk_i) begin
    if (done_valid_i) done_q[done_id_i] <= 1'b1;
    if (step && line_start) begin
      done_q[tail_q] <= 1'b0;
      last_q[tail_q] <= 1'b0;
      line_q <= tail_q;
      tail_q <= tail_q + 1'b1;
    end
    if (step && frame_last) begin
      last_q[line]   <= 1'b1;
      frames_q[line] <= frame_i;
    end
    if (retire) head_q <= head_q + 1'b1;
    used_q <= used_q + (IdBits + 1)'(step && line_start) - (IdBits + 1)'(retire);
    if (!rst_ni) begin
      used_q <= '0;
      head_q <= '0;
      tail_q <= '0;
      done_q <= '0;
    end
  end
  assign received_valid_o = retire && last_q[head_q];
  assign received_o = frames_q[head_q];

  assign drop_size_o = fsm_q == StDrop && words_q == 11'd0 && !drop_off_q;
  assign drop_off_o = fsm_q == StDrop && words_q == 11'd0 && drop_off_q;
  assign in_flight_o = fsm_q != StIdle || used_q != '0 || frame_valid_i;
  assign busy_o = start || drop_start || step || drop_step || frame_done_o || retire;

  `ASSERT_IF(line_was_written, used_q != '0 && !done_q[done_id_i], done_valid_i)
  `COVER(nic_writer_requests, "Lines that the writer of the network interface writes", req_valid_o)
  `COVER_HISTOGRAM(nic_writer_lines, "Lines that the writer has in flight", used_q, 8)

endmodule
