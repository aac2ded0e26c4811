// SPDX-License-Identifier: Apache-2.0
// The network interface: queues of requests, DMA, and a link. nic.md describes it.
//
// nic_i says which inputs are valid. Accesses are as in nic_registers.sv. nic_clk_i is clk_i,
// but may be stopped in cycles in which clk_req_o is low, except in reset: then nothing
// changes. Nothing outside depends on registers of nic_clk_i combinationally, except the
// ports, so that a simulator with the clock stopped has little to do.
//
// The DMA port is that of dma_arbiter.sv, for at most DmaLines lines each way; the first beat
// of a line that is written comes with its request.

module nic #(
  parameter logic [mem_pkg::DmaMasterBits-1:0] Master = mem_pkg::DmaMasterNic
) (
  input logic clk_i,
  input logic nic_clk_i,
  input logic rst_ni,
  input logic on_i,  // 0: not there; constant from the first cycle of reset on

  input  logic        access_i,
  input  logic        write_i,
  input  logic        wide_i,
  input  logic [11:2] offset_i,
  input  logic [63:0] wdata_i,
  output logic [63:0] rdata_o,
  output logic [1:0]  irq_o,      // receive, send
  output logic        clk_req_o,

  // Memory
  output logic                          dma_req_valid_o,
  output mem_pkg::dma_req_t             dma_req_o,
  output logic                          dma_beat_valid_o,
  output mem_pkg::dma_beat_t            dma_beat_o,
  input  logic                          dma_ready_i,
  input  mem_pkg::dma_rsp_t             dma_rsp_i,
  input  logic [mem_pkg::DmaIdBits-1:0] dma_done_id_i,

  // Link
  input  logic [47:0]     mac_i,
  output logic            link_tx_valid_o,
  output nic_pkg::link_t  link_tx_o,
  input  nic_pkg::link_t  link_rx_i,
  input  nic_pkg::input_t nic_i
);

  localparam int unsigned CountBits = $clog2(nic_pkg::Entries) + 1;

  // The link is registered here, so that no logic depends on inputs combinationally
  logic link_up_q, link_ready_q, rx_valid_q;
  nic_pkg::link_t rx_q;
  logic [47:0] mac_q;
  always_ff @(posedge nic_clk_i) begin
    link_up_q <= nic_i.link_up;
    link_ready_q <= nic_i.link_ready;
    rx_valid_q <= nic_i.link_rx && rst_ni;
    if (nic_i.link_rx) rx_q <= link_rx_i;
    if (!rst_ni) mac_q <= mac_i;
  end

  logic send_on, recv_on;

  // Queues
  logic send_push, send_pop, send_valid, send_full;
  logic recv_push, recv_pop, recv_valid, recv_full;
  logic received_push, received_pop, received_valid, received_full;
  logic [nic_pkg::SendBits-1:0] send_in, send;
  logic [nic_pkg::RecvBits-1:0] recv_in, recv;
  nic_pkg::received_t received_in, received;
  logic [CountBits-1:0] send_count, recv_count, received_count;

  nic_queue #(
    .Width(nic_pkg::SendBits),
    .Entries(nic_pkg::Entries)
  ) u_send (
    .clk_i(nic_clk_i),
    .rst_ni,
    .clear_i(!send_on),
    .push_i (send_push),
    .data_i (send_in),
    .full_o (send_full),
    .pop_i  (send_pop),
    .valid_o(send_valid),
    .data_o (send),
    .count_o(send_count)
  );

  nic_queue #(
    .Width(nic_pkg::RecvBits),
    .Entries(nic_pkg::Entries)
  ) u_recv (
    .clk_i(nic_clk_i),
    .rst_ni,
    .clear_i(!recv_on),
    .push_i (recv_push),
    .data_i (recv_in),
    .full_o (recv_full),
    .pop_i  (recv_pop),
    .valid_o(recv_valid),
    .data_o (recv),
    .count_o(recv_count)
  );

  nic_queue #(
    .Width(nic_pkg::ReceivedBits),
    .Entries(nic_pkg::Entries)
  ) u_received (
    .clk_i(nic_clk_i),
    .rst_ni,
    .clear_i(!recv_on),
    .push_i (received_push),
    .data_i (received_in),
    .full_o (received_full),
    .pop_i  (received_pop),
    .valid_o(received_valid),
    .data_o (received),
    .count_o(received_count)
  );

  // Sending
  logic read_valid, read_ready;
  logic [mem_pkg::DmaLineBits-1:0] read_id;
  logic [47:0] read_addr;
  logic word_valid, word_empty, word_abort, word_ready, read_done;
  nic_pkg::link_t word;
  nic_pkg::csum_t csum;
  logic [15:0] requests;
  logic reader_in_flight, reader_busy, transmit_in_flight, transmit_busy;
  logic sent;
  logic [13:0] sent_length;
  logic [1:0] send_drops;

  nic_reader u_reader (
    .clk_i(nic_clk_i),
    .rst_ni,
    .enable_i(send_on),
    .send_valid_i(send_valid),
    .send_i(send),
    .send_pop_o(send_pop),
    .req_valid_o(read_valid),
    .req_id_o(read_id),
    .req_addr_o(read_addr),
    .req_ready_i(read_ready),
    .rsp_valid_i(nic_i.dma_rsp),
    .rsp_line_i(dma_rsp_i.id[mem_pkg::DmaLineBits-1:0]),
    .rsp_data_i(dma_rsp_i.data),
    .word_valid_o(word_valid),
    .word_o(word),
    .empty_o(word_empty),
    .csum_o(csum),
    .abort_o(word_abort),
    .ready_i(word_ready),
    .done_o(read_done),
    .requests_o(requests),
    .in_flight_o(reader_in_flight),
    .busy_o(reader_busy)
  );

  nic_transmit u_transmit (
    .clk_i(nic_clk_i),
    .rst_ni,
    .word_valid_i(word_valid),
    .word_i(word),
    .empty_i(word_empty && word.last),
    .csum_i(csum),
    .abort_i(word_abort),
    .ready_o(word_ready),
    .link_up_i(link_up_q),
    .link_ready_i(link_ready_q),
    .link_valid_o(link_tx_valid_o),
    .link_o(link_tx_o),
    .sent_o(sent),
    .length_o(sent_length),
    .drops_o(send_drops),
    .in_flight_o(transmit_in_flight),
    .busy_o(transmit_busy)
  );

  // Receiving
  logic port_ready;  // what the DMA port shows is taken
  logic frame_valid, frame_done, in_valid, in_pop;
  nic_pkg::received_t frame;
  logic [63:0] in_word;
  nic_pkg::drop_t link_drop;
  logic drop_size, drop_off;
  logic write_valid, beat_valid;
  logic [mem_pkg::DmaLineBits-1:0] write_id;
  logic [47:0] write_addr;
  mem_pkg::dma_beat_t beat;
  logic writer_in_flight, writer_busy, receive_busy;

  nic_receive u_receive (
    .clk_i(nic_clk_i),
    .rst_ni,
    .enable_i(recv_on),
    .link_valid_i(rx_valid_q),
    .link_i(rx_q),
    .frame_valid_o(frame_valid),
    .frame_o(frame),
    .frame_done_i(frame_done),
    .word_valid_o(in_valid),
    .word_o(in_word),
    .word_pop_i(in_pop),
    .drop_o(link_drop),
    .busy_o(receive_busy)
  );

  nic_writer #(
    .Master(Master)
  ) u_writer (
    .clk_i(nic_clk_i),
    .rst_ni,
    .enable_i(recv_on),
    .frame_valid_i(frame_valid),
    .frame_i(frame),
    .frame_done_o(frame_done),
    .word_valid_i(in_valid),
    .word_i(in_word),
    .word_pop_o(in_pop),
    .recv_valid_i(recv_valid),
    .recv_i(recv),
    .recv_pop_o(recv_pop),
    .req_valid_o(write_valid),
    .req_id_o(write_id),
    .req_addr_o(write_addr),
    .beat_valid_o(beat_valid),
    .beat_o(beat),
    .ready_i(port_ready),
    .done_valid_i(nic_i.dma_done),
    .done_id_i(dma_done_id_i[mem_pkg::DmaLineBits-1:0]),
    .received_valid_o(received_push),
    .received_o(received_in),
    .received_full_i(received_full),
    .drop_size_o(drop_size),
    .drop_off_o(drop_off),
    .in_flight_o(writer_in_flight),
    .busy_o(writer_busy)
  );

  // The DMA port; the writer, which requests a line in 8 cycles, has priority
  logic req_valid_q, beat_valid_q;
  mem_pkg::dma_req_t req_q;
  mem_pkg::dma_beat_t beat_q;
  assign port_ready = dma_ready_i || !(req_valid_q || beat_valid_q);
  assign read_ready = !write_valid && port_ready;
  always_ff @(posedge nic_clk_i) begin
    if (port_ready || !rst_ni) begin
      req_valid_q <= (read_valid || write_valid) && rst_ni;
      beat_valid_q <= beat_valid && rst_ni;
      if (read_valid) req_q <= {1'b0, Master, read_id, 8'd0, read_addr};
      if (write_valid) req_q <= {1'b1, Master, write_id, 8'd0, write_addr};
      if (beat_valid) beat_q <= beat;
    end
  end
  assign dma_req_valid_o = req_valid_q;
  assign dma_req_o = req_q;
  assign dma_beat_valid_o = beat_valid_q;
  assign dma_beat_o = beat_q;

  logic registers_busy, send_irq, recv_irq;
  nic_registers u_registers (
    .clk_i(nic_clk_i),
    .bus_clk_i(clk_i),
    .rst_ni,
    .access_i,
    .write_i,
    .wide_i,
    .offset_i,
    .wdata_i,
    .rdata_o,
    .mac_i(mac_q),
    .link_up_i(link_up_q),
    .send_on_o(send_on),
    .recv_on_o(recv_on),
    .send_busy_i(reader_in_flight || transmit_in_flight),
    .recv_busy_i(writer_in_flight),
    .send_push_o(send_push),
    .send_o(send_in),
    .send_full_i(send_full),
    .send_count_i(send_count),
    .recv_push_o(recv_push),
    .recv_o(recv_in),
    .recv_full_i(recv_full),
    .recv_count_i(recv_count),
    .received_pop_o(received_pop),
    .received_valid_i(received_valid),
    .received_i(received),
    .received_count_i(received_count),
    .done_i(read_done),
    .requests_i(requests),
    .sent_i(sent),
    .sent_length_i(sent_length),
    .send_drops_i(send_drops),
    .received_done_i(received_push),
    .received_length_i(received_in.length),
    .link_drop_i(link_drop),
    .drop_size_i(drop_size),
    .drop_off_i(drop_off),
    .send_irq_o(send_irq),
    .recv_irq_o(recv_irq),
    .busy_o(registers_busy)
  );

  // The clock: an input may make the parts busy, as they show in the next cycle. The PLIC sees
  // an interrupt change in a cycle with clk_req_o.
  logic busy, input_event, awake_q;
  logic [1:0] irq_q;
  nic_pkg::input_t link_levels_q;  // the levels of the link as last seen
  assign busy = reader_busy || transmit_busy || receive_busy || writer_busy || registers_busy ||
                req_valid_q || beat_valid_q || rx_valid_q;
  always_comb begin
    input_event = 1'b0;
    clk_req_o = 1'b0;
    if (on_i) begin
      input_event = access_i || nic_i != link_levels_q;
      clk_req_o = awake_q || input_event;
    end
  end
  always_ff @(posedge clk_i) begin
    if (on_i) begin
      if (clk_req_o || !rst_ni) begin
        awake_q <= busy || input_event || !rst_ni || irq_q != {recv_irq, send_irq};
        irq_q <= {recv_irq, send_irq};
        link_levels_q <= {3'd0, nic_i.link_up, nic_i.link_ready};
      end
    end
  end
  assign irq_o = on_i ? irq_q : 2'd0;

  // Answers to other masters do not come here: soc.sv
  logic unused;
  assign unused = ^{dma_rsp_i.id[mem_pkg::DmaIdBits-1:mem_pkg::DmaLineBits],
                    dma_done_id_i[mem_pkg::DmaIdBits-1:mem_pkg::DmaLineBits]};

endmodule
