// SPDX-License-Identifier: Apache-2.0
// The registers of the network interface, as in nic.md: requests, interrupts, statistics.
//
// access_i is high for one cycle per access of 4 or 8 aligned bytes; rdata_o is valid in the
// next one, in which push and pop of queues follow. Between two accesses there is at least
// one cycle. bus_clk_i is clk_i, but never stops.

module nic_registers (
  input logic clk_i,
  input logic bus_clk_i,
  input logic rst_ni,

  input  logic        access_i,
  input  logic        write_i,
  input  logic        wide_i,
  input  logic [11:2] offset_i,
  input  logic [63:0] wdata_i,
  output logic [63:0] rdata_o,

  input  logic [47:0] mac_i,
  input  logic        link_up_i,
  output logic        send_on_o,
  output logic        recv_on_o,
  input  logic        send_busy_i,
  input  logic        recv_busy_i,

  // Queues
  output logic                                send_push_o,
  output nic_pkg::send_t                      send_o,
  input  logic                                send_full_i,
  input  logic [$clog2(nic_pkg::Entries):0]   send_count_i,
  output logic                                recv_push_o,
  output nic_pkg::recv_t                      recv_o,
  input  logic                                recv_full_i,
  input  logic [$clog2(nic_pkg::Entries):0]   recv_count_i,
  output logic                                received_pop_o,
  input  logic                                received_valid_i,
  input  nic_pkg::received_t                  received_i,
  input  logic [$clog2(nic_pkg::Entries):0]   received_count_i,

  // Events
  input logic               done_i,        // a frame has been read
  input logic [15:0]        requests_i,    // of that frame
  input logic               sent_i,
  input logic [13:0]        sent_length_i,
  input logic [1:0]         send_drops_i,
  input logic               received_done_i,
  input logic [13:0]        received_length_i,
  input nic_pkg::drop_t     link_drop_i,
  input logic               drop_size_i,
  input logic               drop_off_i,

  output logic send_irq_o,
  output logic recv_irq_o,
  output logic busy_o  // the next edge changes something without access or event
);

  // Offsets of registers, in 8 bytes
  typedef enum logic [8:0] {
    Send = 9'h00,
    Recv = 9'h01,
    Sent = 9'h02,
    Received = 9'h03,
    SendCsum = 9'h04,
    IntStatus = 9'h05,
    IntEnable = 9'h06,
    IntDisable = 9'h07,
    Control = 9'h08,
    Status = 9'h09,
    Occupancy = 9'h0a,
    Mac = 9'h0b,
    TxFrames = 9'h0c,
    TxBytes = 9'h0d,
    TxDrops = 9'h0e,
    RxFrames = 9'h0f,
    RxBytes = 9'h10,
    RxDropsFull = 9'h11,
    RxDropsSize = 9'h12,
    RxDropsOff = 9'h13,
    Info = 9'h14
  } register_e;

  logic send_on_q, recv_on_q, send_continues_q;  // the next write of SEND continues a frame
  logic send_overflow_q, recv_overflow_q, link_changed_q, link_q;
  logic [2:0] enable_q, status;
  logic [31:0] sent_q, acked_q, waiting;
  nic_pkg::csum_t csum_q;
  logic [47:0] tx_frames_q, tx_bytes_q, tx_drops_q, rx_frames_q, rx_bytes_q;
  logic [47:0] full_q, size_q, off_q;

  assign status = {link_changed_q, received_valid_i, sent_q != acked_q};
  assign waiting = sent_q - acked_q;

  // Reads
  logic [8:0] number;
  logic [63:0] rdata_q;
  assign number = offset_i[11:3];
  assign rdata_o = rdata_q;

  // Returns what an access gets of a register.
  function automatic logic [63:0] part(input logic [63:0] value, input logic wide,
                                       input logic upper);
    part = wide ? value : {32'd0, upper ? value[63:32] : value[31:0]};
  endfunction

  // Registers of several fields
  localparam logic [63:0] Constants = {
    32'd0, 16'(nic_pkg::MaxFrame), 8'(mem_pkg::DmaLines), 8'(nic_pkg::Entries)
  };
  logic [63:0] received, csum, state, occupancy;
  logic [6:0] sent_shown;
  assign sent_shown = waiting > 32'd127 ? 7'd127 : waiting[6:0];
  assign csum = {32'd0, csum_q.on, 1'b0, csum_q.offset, 1'b0, 2'd0, csum_q.start, 1'b0};
  assign state = {
    54'd0, recv_overflow_q, send_overflow_q, 5'd0, recv_busy_i, send_busy_i, link_up_i
  };
  assign occupancy = {
    32'd0, 8'(received_count_i), 8'(recv_count_i), 1'b0, sent_shown, 8'(send_count_i)
  };
  always_comb begin
    received = 64'd0;
    if (received_valid_i)
      received = {
        16'd0, received_i.sum, 1'b1, received_i.good, received_i.known, 15'd0, received_i.length
      };
  end

  always_ff @(posedge bus_clk_i) begin
    if (access_i) begin
      unique case (number)
        Sent: rdata_q <= part({32'd0, sent_q}, wide_i, offset_i[2]);
        Received: rdata_q <= part(received, wide_i, offset_i[2]);
        SendCsum: rdata_q <= part(csum, wide_i, offset_i[2]);
        IntStatus: rdata_q <= part({61'd0, status}, wide_i, offset_i[2]);
        IntEnable, IntDisable: rdata_q <= part({61'd0, enable_q}, wide_i, offset_i[2]);
        Control: rdata_q <= part({62'd0, recv_on_q, send_on_q}, wide_i, offset_i[2]);
        Status: rdata_q <= part(state, wide_i, offset_i[2]);
        Occupancy: rdata_q <= part(occupancy, wide_i, offset_i[2]);
        Mac: rdata_q <= part({16'd0, mac_i}, wide_i, offset_i[2]);
        TxFrames: rdata_q <= part({16'd0, tx_frames_q}, wide_i, offset_i[2]);
        TxBytes: rdata_q <= part({16'd0, tx_bytes_q}, wide_i, offset_i[2]);
        TxDrops: rdata_q <= part({16'd0, tx_drops_q}, wide_i, offset_i[2]);
        RxFrames: rdata_q <= part({16'd0, rx_frames_q}, wide_i, offset_i[2]);
        RxBytes: rdata_q <= part({16'd0, rx_bytes_q}, wide_i, offset_i[2]);
        RxDropsFull: rdata_q <= part({16'd0, full_q}, wide_i, offset_i[2]);
        RxDropsSize: rdata_q <= part({16'd0, size_q}, wide_i, offset_i[2]);
        RxDropsOff: rdata_q <= part({16'd0, off_q}, wide_i, offset_i[2]);
        Info: rdata_q <= part(Constants, wide_i, offset_i[2]);
        default: rdata_q <= 64'd0;
      endcase
    end
  end

  // Accesses with an effect include the lower half; SEND and RECV need all 8 bytes
  logic send_full, recv_full;
  assign send_full = send_full_i || !send_on_q;
  assign recv_full = recv_full_i || !recv_on_q;

  logic send_push_q, recv_push_q, received_pop_q;
  nic_pkg::send_t send_q;
  nic_pkg::recv_t recv_q;
  always_ff @(posedge clk_i) begin
    send_push_q <= 1'b0;
    recv_push_q <= 1'b0;
    received_pop_q <= 1'b0;
    if (access_i && !offset_i[2]) begin
      send_push_q <= write_i && number == Send && wide_i && !send_full;
      recv_push_q <= write_i && number == Recv && wide_i && !recv_full;
      received_pop_q <= !write_i && number == Received && received_valid_i;
      send_q.csum <= send_continues_q ? '0 : csum_q;
      send_q.partial <= wdata_i[63];
      send_q.length <= wdata_i[62:48];
      send_q.addr <= wdata_i[47:0];
      recv_q <= wdata_i;
    end
    if (!rst_ni) begin
      send_push_q <= 1'b0;
      recv_push_q <= 1'b0;
      received_pop_q <= 1'b0;
    end
  end

  always_ff @(posedge clk_i) begin
    link_q <= link_up_i;
    if (link_up_i != link_q) link_changed_q <= 1'b1;
    if (access_i && write_i && !offset_i[2]) begin
      unique case (number)
        Send:
        if (wide_i) begin
          if (send_full) send_overflow_q <= 1'b1;
          else begin
            send_continues_q <= wdata_i[63];
            if (!send_continues_q) csum_q <= '0;
          end
        end
        Recv: if (wide_i && recv_full) recv_overflow_q <= 1'b1;
        SendCsum: csum_q <= {wdata_i[31], wdata_i[29:17], wdata_i[13:1]};
        IntStatus: if (wdata_i[2]) link_changed_q <= 1'b0;
        IntEnable: enable_q <= enable_q | wdata_i[2:0];
        IntDisable: enable_q <= enable_q & ~wdata_i[2:0];
        Control: {recv_on_q, send_on_q} <= wdata_i[1:0];
        Status: begin
          if (wdata_i[8]) send_overflow_q <= 1'b0;
          if (wdata_i[9]) recv_overflow_q <= 1'b0;
        end
        default: ;
      endcase
    end
    if (access_i && !write_i && !offset_i[2] && number == Sent) acked_q <= sent_q;
    if (done_i) sent_q <= sent_q + {16'd0, requests_i};
    if (!send_on_q) begin
      csum_q <= '0;
      send_continues_q <= 1'b0;
    end
    if (!rst_ni) begin
      send_on_q <= 1'b0;
      recv_on_q <= 1'b0;
      send_overflow_q <= 1'b0;
      recv_overflow_q <= 1'b0;
      link_changed_q <= 1'b0;
      link_q <= link_up_i;
      enable_q <= 3'd0;
      sent_q <= 32'd0;
      acked_q <= 32'd0;
      csum_q <= '0;
      send_continues_q <= 1'b0;
    end
  end

  // Statistics
  always_ff @(posedge clk_i) begin
    tx_frames_q <= tx_frames_q + {47'd0, sent_i};
    if (sent_i) tx_bytes_q <= tx_bytes_q + {34'd0, sent_length_i};
    tx_drops_q  <= tx_drops_q + {46'd0, send_drops_i};
    rx_frames_q <= rx_frames_q + {47'd0, received_done_i};
    if (received_done_i) rx_bytes_q <= rx_bytes_q + {34'd0, received_length_i};
    full_q <= full_q + {47'd0, link_drop_i.full};
    size_q <= size_q + {47'd0, link_drop_i.size} + {47'd0, drop_size_i};
    off_q  <= off_q + {47'd0, link_drop_i.off} + {47'd0, drop_off_i};
    if (!rst_ni) begin
      tx_frames_q <= '0;
      tx_bytes_q <= '0;
      tx_drops_q <= '0;
      rx_frames_q <= '0;
      rx_bytes_q <= '0;
      full_q <= '0;
      size_q <= '0;
      off_q <= '0;
    end
  end

  assign send_on_o = send_on_q;
  assign recv_on_o = recv_on_q;
  assign send_push_o = send_push_q;
  assign send_o = send_q;
  assign recv_push_o = recv_push_q;
  assign recv_o = recv_q;
  assign received_pop_o = received_pop_q;
  assign send_irq_o = (status[0] && enable_q[0]) || (status[2] && enable_q[2]);
  assign recv_irq_o = status[1] && enable_q[1];
  assign busy_o = send_push_q || recv_push_q || received_pop_q || link_q != link_up_i;

  `COVER_HISTOGRAM(nic_send, "Entries of SEND, requests to send", send_count_i, 64)
  `COVER_HISTOGRAM(nic_sent, "Requests sent that SENT has not acknowledged", sent_shown, 64)
  `COVER_HISTOGRAM(nic_recv, "Entries of RECV, receive buffers", recv_count_i, 64)
  `COVER_HISTOGRAM(nic_received, "Entries of RECEIVED, frames received", received_count_i, 64)
  `COVER(nic_frames_sent, "Frames given to the link", sent_i)
  `COVER(nic_bytes_sent, "Bytes of frames given to the link", sent_length_i, sent_i)
  `COVER(nic_frames_received, "Frames written to memory", received_done_i)
  `COVER(nic_bytes_received, "Bytes of frames written to memory", received_length_i, received_done_i)
  `COVER(nic_send_drops, "Frames not given to the link", send_drops_i)
  `COVER(nic_drops_full, "Frames that found no room in the receive buffer", link_drop_i.full)
  `COVER(nic_drops_size, "Received frames too long for the buffer, or at all",
         {1'b0, link_drop_i.size} + {1'b0, drop_size_i})
  `COVER(nic_drops_off, "Received frames dropped while the receiver was off",
         {1'b0, link_drop_i.off} + {1'b0, drop_off_i})

endmodule
