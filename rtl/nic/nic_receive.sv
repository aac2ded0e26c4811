// SPDX-License-Identifier: Apache-2.0
// The receive buffer: takes frames from the link, and checks their checksums.
//
// A word may come in every cycle, without back-pressure; a frame that finds no room, or has
// more than MaxFrame bytes, or begins while enable_i is low, is dropped as a whole. Frames
// are read as in nic_buffer.sv; a frame is there two cycles after its last word.
//
// The sum of a frame is that of the bytes from 14 on. With the right IP header, whose sum is
// 0, it is the sum of TCP or UDP, and 0 after the pseudo-header is added.

module nic_receive (
  input logic clk_i,
  input logic rst_ni,
  input logic enable_i,

  // The link
  input logic           link_valid_i,
  input nic_pkg::link_t link_i,

  // The writer
  output logic               frame_valid_o,
  output nic_pkg::received_t frame_o,
  input  logic               frame_done_i,
  output logic               word_valid_o,
  output logic [63:0]        word_o,
  input  logic               word_pop_i,

  output nic_pkg::drop_t drop_o,  // events of a cycle
  output logic           busy_o   // the next edge changes something without a word
);

  logic in_frame_q;  // a frame has begun
  logic word_ready, frame_ready, write_word, last, frame_end_q, buffer_busy;
  logic [13:0] bytes_q, bytes, length_q;
  nic_pkg::drop_t drop_reason_q, drop_reason, drop_q;  // why this frame is dropped
  assign bytes = in_frame_q ? bytes_q : 14'd0;
  assign last = link_valid_i && link_i.last;
  always_comb begin
    drop_reason = '0;
    if (in_frame_q && drop_reason_q != '0) begin
      drop_reason = drop_reason_q;
    end else if (!in_frame_q && !enable_i) begin
      drop_reason.off = 1'b1;
    end else if (bytes == 14'(nic_pkg::MaxFrame)) begin
      drop_reason.size = 1'b1;
    end else begin
      drop_reason.full = !word_ready || (!in_frame_q && !frame_ready);
    end
  end
  assign write_word = link_valid_i && drop_reason == '0;

  always_ff @(posedge clk_i) begin
    drop_q <= '0;
    frame_end_q <= 1'b0;
    if (link_valid_i) begin
      in_frame_q <= !link_i.last;
      bytes_q <= bytes + (write_word ? 14'd8 : 14'd0);
      drop_reason_q <= drop_reason;
      if (last) begin
        drop_q <= drop_reason;
        frame_end_q <= write_word;
        length_q <= bytes + {11'd0, link_i.bytes} + 14'd1;
      end
    end
    if (!rst_ni) begin
      in_frame_q <= 1'b0;
      frame_end_q <= 1'b0;
      drop_q   <= '0;
    end
  end

  // The sum
  logic [7:0] mask;
  logic [15:0] sum;
  always_comb begin
    mask = 8'hff >> (3'd7 - link_i.bytes);
    if (bytes[13:3] == 11'd0) mask = 8'd0;
    if (bytes[13:3] == 11'd1) mask = mask & 8'hc0;
  end
  nic_sum u_sum (
    .clk_i,
    .add_i  (write_word),
    .clear_i(bytes == 14'd0),
    .data_i (link_i.data),
    .mask_i (mask),
    .sum_o  (sum)
  );

  // The headers: IPv4 without fragments, and the sum of the pseudo-header
  logic ip_q, known_q;
  logic [3:0] ihl_q;
  logic [15:0] total_q, total, payload;
  logic [19:0] pseudo_q;
  logic [63:0] data;
  assign data = link_i.data;
  assign total = {data[7:0], data[15:8]};
  assign payload = total - {10'd0, ihl_q, 2'd0};
  always_ff @(posedge clk_i) begin
    if (write_word) begin
      unique case (bytes[13:3])
        11'd0: begin
          ip_q <= 1'b0;
          known_q <= 1'b0;
        end
        11'd1: begin
          ip_q  <= data[47:32] == 16'h0008 && data[55:52] == 4'd4 && data[51:48] >= 4'd5;
          ihl_q <= data[51:48];
        end
        11'd2: begin
          known_q <= ip_q && data[37:32] == 6'd0 && data[47:40] == 8'd0 && !data[39] &&
                     (data[63:56] == 8'd6 || data[63:56] == 8'd17) &&
                     total >= {10'd0, ihl_q, 2'd0} + 16'd8;
          total_q <= total;
          pseudo_q <= {4'd0, data[63:56], 8'd0} + {4'd0, payload[7:0], payload[15:8]};
        end
        11'd3: pseudo_q <= pseudo_q + {4'd0, data[31:16]} + {4'd0, data[47:32]} + {4'd0, data[63:48]};
        11'd4: pseudo_q <= pseudo_q + {4'd0, data[15:0]};
        default: ;
      endcase
    end
  end

  logic [20:0] checked;
  logic [16:0] folded;
  logic known;
  nic_pkg::received_t frame_d;
  assign checked = {1'b0, pseudo_q} + {5'd0, sum};
  assign folded = {1'b0, checked[15:0]} + {12'd0, checked[20:16]};
  assign known = known_q && {2'd0, length_q} >= total_q + 16'd14 && total_q < 16'h4000;
  always_comb begin
    frame_d.sum = sum;
    frame_d.good = known && (folded == 17'h0ffff || folded == 17'h1fffe);
    frame_d.known = known;
    frame_d.length = length_q;
  end

  nic_buffer #(
    .Words(nic_pkg::ReceiveWords),
    .Frames(nic_pkg::ReceiveFrames),
    .FrameBits(nic_pkg::ReceivedBits)
  ) u_buffer (
    .clk_i,
    .rst_ni,
    .write_i(write_word),
    .wdata_i(data),
    .commit_i(frame_end_q),
    .frame_i(frame_d),
    .abort_i(link_valid_i && in_frame_q && drop_reason != '0 && drop_reason_q == '0),
    .word_ready_o(word_ready),
    .frame_ready_o(frame_ready),
    .frame_valid_o,
    .frame_o,
    .frame_done_i,
    .word_valid_o,
    .word_o,
    .word_pop_i,
    .busy_o(buffer_busy)
  );

  assign drop_o = drop_q;
  assign busy_o = frame_end_q || drop_q != '0 || buffer_busy;

  `COVER(nic_frames_in, "Frames that arrive at the network interface", last)

endmodule
