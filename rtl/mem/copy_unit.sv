// SPDX-License-Identifier: Apache-2.0
// The copy unit of a hart: copies bytes of memory by DMA, for the instruction cpy (copy.md).
//
// valid_i is held with copy_i until done_o, in whose cycle count_o bytes have been copied, and
// every access from now on gets them. The next copy may begin two cycles later. clk_i may be
// stopped while valid_i is low, except in reset. Answers are registered here.

module copy_unit #(
  parameter logic [mem_pkg::DmaMasterBits-1:0] Master = mem_pkg::DmaMasterCopy
) (
  input logic clk_i,
  input logic rst_ni,

  input  logic                              valid_i,
  input  mem_pkg::copy_t                    copy_i,
  output logic                              done_o,
  output logic [mem_pkg::CopyCountBits-1:0] count_o,

  // Memory: requests as in dma_arbiter.sv, answers for all masters
  output logic                          dma_req_valid_o,
  output mem_pkg::dma_req_t             dma_req_o,
  output logic                          dma_beat_valid_o,
  output mem_pkg::dma_beat_t            dma_beat_o,
  input  logic                          dma_ready_i,
  input  logic                          dma_rsp_valid_i,
  input  mem_pkg::dma_rsp_t             dma_rsp_i,
  input  logic                          dma_done_valid_i,
  input  logic [mem_pkg::DmaIdBits-1:0] dma_done_id_i
);

  localparam int unsigned LineBits = mem_pkg::DmaLineBits;
  localparam int unsigned CountBits = mem_pkg::CopyCountBits;

  typedef enum logic [1:0] {
    StIdle = 2'd0,
    StStart = 2'd1,
    StMove = 2'd2,
    StDone = 2'd3
  } fsm_e;

  // Returns the bytes from an offset to the end of the page, or of the aligned 4 bytes.
  function automatic logic [CountBits-1:0] reach(input logic [11:0] offset, input logic splits);
    reach = 13'd4096 - {1'b0, offset};
    if (splits) reach = 13'd4 - {11'd0, offset[1:0]};
  endfunction

  // How many bytes are copied. No byte that is written may be read later: of ranges that
  // overlap, as many as their distance.
  mem_pkg::copy_t copy_q;
  logic [11:0] from, to;
  logic [CountBits-1:0] clip, from_reach, to_reach, distance;
  always_comb begin
    from = copy_q.source[11:0];
    to = copy_q.destination[11:0];
    from_reach = reach(from, copy_q.source_splits);
    to_reach = reach(to, copy_q.destination_splits);
    distance = {1'b0, from < to ? to - from : from - to};
    clip = copy_q.length[63:12] != 52'd0 ? 13'd4096 : copy_q.length[12:0];
    if (from_reach < clip) clip = from_reach;
    if (to_reach < clip) clip = to_reach;
    if (copy_q.source[55:12] == copy_q.destination[55:12] && from != to && distance < clip)
      clip = distance;
  end

  fsm_e fsm_q;
  logic [CountBits-1:0] count_q;
  logic start, reader_in_flight, writer_in_flight;
  assign start = fsm_q == StStart;
  assign done_o = fsm_q == StDone;
  assign count_o = count_q;
  always_ff @(posedge clk_i) begin
    case (fsm_q)
      StIdle: begin
        if (valid_i) begin
          fsm_q <= StStart;
          copy_q <= copy_i;
        end
      end
      StStart: begin
        fsm_q <= StMove;
        count_q <= clip;
      end
      StMove: if (!reader_in_flight && !writer_in_flight) fsm_q <= StDone;
      default: fsm_q <= StIdle;
    endcase
    if (!rst_ni) fsm_q <= StIdle;
  end

  // Answers
  logic rsp_valid_q, write_done_valid_q;
  logic [LineBits-1:0] rsp_id_q, write_done_id_q;
  logic [63:0] rsp_data_q;
  always_ff @(posedge clk_i) begin
    rsp_valid_q <= dma_rsp_valid_i && dma_rsp_i.id[LineBits+:mem_pkg::DmaMasterBits] == Master &&
                   rst_ni;
    rsp_id_q <= dma_rsp_i.id[LineBits-1:0];
    rsp_data_q <= dma_rsp_i.data;
    write_done_valid_q <= dma_done_valid_i &&
                      dma_done_id_i[LineBits+:mem_pkg::DmaMasterBits] == Master && rst_ni;
    write_done_id_q <= dma_done_id_i[LineBits-1:0];
  end

  logic read_valid, read_ready, word_valid, word_ready;
  logic [LineBits-1:0] read_id;
  logic [55:0] read_addr;
  logic [63:0] word;
  copy_reader u_reader (
    .clk_i,
    .rst_ni,
    .start_i     (start),
    .source_i    (copy_q.source),
    .count_i     (clip),
    .req_valid_o (read_valid),
    .req_id_o    (read_id),
    .req_addr_o  (read_addr),
    .req_ready_i (read_ready),
    .rsp_valid_i (rsp_valid_q),
    .rsp_id_i    (rsp_id_q),
    .rsp_data_i  (rsp_data_q),
    .word_valid_o(word_valid),
    .word_o      (word),
    .word_ready_i(word_ready),
    .in_flight_o (reader_in_flight)
  );

  logic write_valid, beat_valid, beat_last, port_ready;
  logic [LineBits-1:0] beat_id;
  logic [2:0] beat;
  logic [7:0] beat_strb;
  logic [55:0] write_addr;
  logic [63:0] beat_data;
  copy_writer u_writer (
    .clk_i,
    .rst_ni,
    .start_i      (start),
    .source_i     (copy_q.source[2:0]),
    .destination_i(copy_q.destination),
    .count_i      (clip),
    .word_valid_i (word_valid),
    .word_i       (word),
    .word_ready_o (word_ready),
    .req_valid_o  (write_valid),
    .req_addr_o   (write_addr),
    .beat_valid_o (beat_valid),
    .beat_last_o  (beat_last),
    .beat_id_o    (beat_id),
    .beat_o       (beat),
    .beat_strb_o  (beat_strb),
    .beat_data_o  (beat_data),
    .ready_i      (port_ready),
    .done_valid_i (write_done_valid_q),
    .done_id_i    (write_done_id_q),
    .in_flight_o  (writer_in_flight)
  );

  // Requests; the writer, which requests a line in 8 cycles, has priority
  logic req_valid_q, beat_valid_q;
  mem_pkg::dma_req_t req_q;
  mem_pkg::dma_beat_t beat_q;
  assign port_ready = dma_ready_i || !(req_valid_q || beat_valid_q);
  assign read_ready = port_ready && !write_valid;
  always_ff @(posedge clk_i) begin
    if (port_ready || !rst_ni) begin
      req_valid_q <= (read_valid || write_valid) && rst_ni;
      beat_valid_q <= beat_valid && rst_ni;
      if (read_valid) req_q <= {1'b0, Master, read_id, read_addr};
      if (write_valid) req_q <= {1'b1, Master, beat_id, write_addr};
      if (beat_valid) beat_q <= {beat_last, Master, beat_id, beat, beat_strb, beat_data};
    end
  end
  assign dma_req_valid_o = req_valid_q;
  assign dma_req_o = req_q;
  assign dma_beat_valid_o = beat_valid_q;
  assign dma_beat_o = beat_q;

  `ASSERT_HELD(copy_stands, valid_i, done_o, copy_i)
  `ASSERT_IF(clock_runs_while_busy, valid_i || !rst_ni, fsm_q != StIdle)
  `COVER(copy_unit_busy, "Cycles in which the copy unit copies", valid_i)
  `COVER(copy_unit_bytes, "Bytes that the copy unit copies", done_o ? count_q : 13'd0)

endmodule
