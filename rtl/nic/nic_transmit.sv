// SPDX-License-Identifier: Apache-2.0
// The send buffer: collects a frame, computes its checksum, and sends it.
//
// Words are those of nic_reader.sv, taken in cycles with ready_o. A frame of 0 or more than
// MaxFrame bytes is dropped, and so is a frame whose last word leaves while the link is
// down. A word is on link_o in a cycle with link_valid_o, if link_ready_i was high in the
// cycle before; the words of a frame follow one another as long as it is.

module nic_transmit (
  input logic clk_i,
  input logic rst_ni,

  // The reader
  input  logic           word_valid_i,
  input  nic_pkg::link_t word_i,
  input  logic           empty_i,
  input  nic_pkg::csum_t csum_i,
  input  logic           abort_i,
  output logic           ready_o,

  // The link
  input  logic           link_up_i,
  input  logic           link_ready_i,
  output logic           link_valid_o,
  output nic_pkg::link_t link_o,

  // Events of a cycle
  output logic        sent_o,    // a frame
  output logic [13:0] length_o,  // of that frame
  output logic [1:0]  drops_o,

  output logic in_flight_o,  // a frame is in the buffer
  output logic busy_o        // the next edge changes something
);

  // The frame being collected
  logic [13:0] bytes_q, length_q;
  logic too_long_q, too_long, frame_end_q, write_word, frame_bad, word_ready, frame_ready, last;
  logic [7:0] mask;
  logic [15:0] sum;
  nic_pkg::send_frame_t frame_d, frame;
  logic frame_valid, word_valid, buffer_busy, send;
  logic [63:0] word;
  assign too_long = too_long_q || bytes_q == 14'(nic_pkg::MaxFrame);
  assign write_word = word_valid_i && !too_long && !empty_i;
  assign frame_bad = too_long_q || length_q == 14'd0;
  always_comb begin
    mask = 8'hff;
    if (bytes_q[13:3] < csum_i.start[13:3]) mask = 8'd0;
    if (bytes_q[13:3] == csum_i.start[13:3]) mask = 8'hff << {csum_i.start[2:1], 1'b0};
  end

  always_ff @(posedge clk_i) begin
    if (word_valid_i) begin
      if (write_word) bytes_q <= bytes_q + 14'd8;
      too_long_q <= too_long;
      frame_end_q <= word_i.last;
      length_q <= empty_i ? 14'd0 : bytes_q + {11'd0, word_i.bytes} + 14'd1;
    end
    if (frame_end_q || abort_i || !rst_ni) begin
      bytes_q  <= 14'd0;
      too_long_q   <= 1'b0;
      frame_end_q <= 1'b0;
    end
  end

  nic_sum u_sum (
    .clk_i,
    .add_i  (write_word),
    .clear_i(bytes_q == 14'd0),
    .data_i (word_i.data),
    .mask_i (mask),
    .sum_o  (sum)
  );

  always_comb begin
    frame_d.on = csum_i.on && {1'b0, csum_i.offset, 1'b0} + 15'd2 <= {1'b0, length_q};
    frame_d.offset = csum_i.offset;
    frame_d.sum = sum == 16'hffff ? 16'hffff : ~sum;
    frame_d.length = length_q;
  end

  nic_buffer #(
    .Words(nic_pkg::SendWords),
    .Frames(nic_pkg::SendFrames),
    .FrameBits(nic_pkg::SendFrameBits)
  ) u_buffer (
    .clk_i,
    .rst_ni,
    .write_i(write_word),
    .wdata_i(word_i.data),
    .commit_i(frame_end_q && !frame_bad),
    .frame_i(frame_d),
    .abort_i(abort_i || (frame_end_q && frame_bad)),
    .word_ready_o(word_ready),
    .frame_ready_o(frame_ready),
    .frame_valid_o(frame_valid),
    .frame_o(frame),
    .frame_done_i(send && last),
    .word_valid_o(word_valid),
    .word_o(word),
    .word_pop_i(send),
    .busy_o(buffer_busy)
  );
  assign ready_o = word_ready && frame_ready && !frame_end_q;

  // The frame being sent
  logic [13:3] word_index_q;
  logic [13:0] left;
  logic [63:0] patched;
  logic link_valid_q;
  nic_pkg::link_t link_q;
  assign send = frame_valid && word_valid && (link_ready_i || !link_up_i);
  assign left = frame.length - {word_index_q, 3'd0};
  assign last = left <= 14'd8;
  always_comb begin
    patched = word;
    if (frame.on && frame.offset[13:3] == word_index_q)
      patched[16*frame.offset[2:1]+:16] = frame.sum;
  end

  always_ff @(posedge clk_i) begin
    link_valid_q <= send && link_up_i;
    if (send) begin
      word_index_q <= last ? '0 : word_index_q + 1'b1;
      link_q.last <= last;
      link_q.bytes <= last ? left[2:0] - 3'd1 : 3'd7;
      link_q.data <= patched;
    end
    if (!rst_ni) begin
      word_index_q <= '0;
      link_valid_q <= 1'b0;
    end
  end

  assign link_valid_o = link_valid_q;
  assign link_o = link_q;
  assign sent_o = send && last && link_up_i;
  assign length_o = frame.length;
  assign drops_o = {1'b0, frame_end_q && frame_bad} + {1'b0, send && last && !link_up_i};
  assign in_flight_o = frame_end_q || frame_valid || link_valid_q;
  assign busy_o = frame_end_q || buffer_busy || send || link_valid_q;

endmodule
