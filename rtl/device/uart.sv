// SPDX-License-Identifier: Apache-2.0
// The UART: a 16550A whose transmitter is always ready.
//
// access_i is high for one cycle per access of one byte. The access takes effect at the end
// of that cycle; rdata_o, and tx_o with a byte sent, are valid in the next one. A byte is
// taken from rx_i in a cycle with rx_ready_o, which is low in loop-back. In a cycle with
// both, the access comes first. irq_o follows in the next cycle; rx_pending_o is high in that
// cycle after a received byte.
// active_i is high in an access, with rx_i.valid, and in the cycle after either.

module uart (
  input logic clk_i,
  input logic rst_ni,
  input logic active_i,  // low: nothing changes

  input  logic       access_i,
  input  logic       write_i,
  input  logic [7:0] offset_i,
  input  logic [7:0] wdata_i,
  output logic [7:0] rdata_o,
  output logic       rx_pending_o,

  output device_pkg::serial_t tx_o,
  input  device_pkg::serial_t rx_i,
  output logic                rx_ready_o,

  output logic irq_o
);

  // Registers. Data and Ier are the divisor when DLAB is set; Iir is the FIFO
  // control register when written.
  typedef enum logic [7:0] {
    Data = 8'd0,
    Ier = 8'd1,
    Iir = 8'd2,
    Lcr = 8'd3,
    Mcr = 8'd4,
    Lsr = 8'd5,
    Msr = 8'd6,
    Scr = 8'd7
  } register_e;

  // The cause of the interrupt, in the low bits of IIR. Bit 0: no interrupt.
  typedef enum logic [3:0] {
    ReasonNone = 4'h1,
    ReasonTx = 4'h2,
    ReasonRx = 4'h4,
    ReasonLine = 4'h6,
    ReasonTimeout = 4'hc
  } reason_e;

  localparam logic [7:0] MsrConnected = 8'hb0;  // DCD, DSR, CTS: a terminal is connected

  // The effect of an access on the FIFO.
  typedef enum logic [1:0] {
    OpNone = 2'd0,
    OpPush = 2'd1,  // a byte sent in loop-back
    OpPop = 2'd2,
    OpClear = 2'd3
  } op_e;

  logic [3:0] ier_q;  // modem status (never), line status, transmitter, receiver
  logic [7:0] lcr_q, scr_q, dll_q, dlm_q;
  logic [4:0] mcr_q;
  logic fifo_on_q;
  logic [1:0] trigger_q;
  logic thr_empty_q, overrun_q, received_q;
  reason_e reason_q, reason;
  device_pkg::serial_t tx_q;
  logic [7:0] rdata_q;

  logic [7:0] fifo_q[16];
  logic [3:0] first_q;
  logic [4:0] count_q;

  logic dlab, loop, room, empty, receive;
  op_e op;
  logic [4:0] level;

  assign dlab = lcr_q[7];
  assign loop = mcr_q[4];
  assign empty = count_q == 5'd0;
  assign room = fifo_on_q ? ~count_q[4] : empty;
  assign rx_ready_o = room & ~loop;
  assign receive = rx_i.valid & rx_ready_o;

  always_comb begin
    op = OpNone;
    if (access_i) begin
      if (offset_i == Data && !dlab) begin
        if (!write_i && !empty) op = OpPop;
        if (write_i && loop && room) op = OpPush;
      end
      if (offset_i == Iir && write_i && (wdata_i[1] || wdata_i[0] != fifo_on_q)) op = OpClear;
    end
  end

  // Bytes below the trigger level time out at once.
  always_comb begin
    reason = reason_q;
    level = 5'd1;
    if (active_i) begin
      if (fifo_on_q)
        case (trigger_q)
          2'd0: level = 5'd1;
          2'd1: level = 5'd4;
          2'd2: level = 5'd8;
          default: level = 5'd14;
        endcase
      if (ier_q[2] & overrun_q) reason = ReasonLine;
      else if (ier_q[0] & ~empty) reason = count_q >= level ? ReasonRx : ReasonTimeout;
      else if (ier_q[1] & thr_empty_q) reason = ReasonTx;
      else reason = ReasonNone;
    end
  end

  always_ff @(posedge clk_i) begin
    if (active_i) begin
      if (receive | op == OpPush)
        fifo_q[op==OpClear?first_q : first_q+count_q[3:0]] <= receive ? rx_i.data : wdata_i;
    end
  end

  always_ff @(posedge clk_i) begin
    if (active_i) begin
      rdata_q <= 8'd0;
      if (access_i)
        case (offset_i)
          Data: rdata_q <= dlab ? dll_q : empty ? 8'd0 : fifo_q[first_q];
          Ier: rdata_q <= dlab ? dlm_q : {4'd0, ier_q};
          Iir: rdata_q <= {fifo_on_q, fifo_on_q, 2'd0, reason};
          Lcr: rdata_q <= lcr_q;
          Mcr: rdata_q <= {3'd0, mcr_q};
          Lsr: rdata_q <= {6'b011000, overrun_q, ~empty};
          Msr: rdata_q <= loop ? {mcr_q[3:2], mcr_q[0], mcr_q[1], 4'd0} : MsrConnected;
          Scr: rdata_q <= scr_q;
          default: ;
        endcase
    end
  end

  always_ff @(posedge clk_i) begin
    if (active_i) begin
      received_q <= receive & rst_ni;
      case (op)
        OpPush: count_q <= count_q + 5'd1;
        OpPop: count_q <= count_q - {4'd0, ~receive};
        OpClear: count_q <= {4'd0, receive};
        default: count_q <= count_q + {4'd0, receive};
      endcase
      if (op == OpPop) first_q <= first_q + 4'd1;
      if (!rst_ni) begin
        first_q <= 4'd0;
        count_q <= 5'd0;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    if (active_i) begin
      tx_q.valid <= 1'b0;
      reason_q <= reason;
      if (access_i) begin
        if (write_i) begin
          case (offset_i)
            Data: begin
              if (dlab) dll_q <= wdata_i;
              else begin
                thr_empty_q <= 1'b1;
                tx_q <= {~loop, wdata_i};
                if (loop & ~room) overrun_q <= 1'b1;
              end
            end
            Ier: begin
              if (dlab) dlm_q <= wdata_i;
              else begin
                ier_q <= wdata_i[3:0];
                if (wdata_i[1] & ~ier_q[1]) thr_empty_q <= 1'b1;
              end
            end
            Iir: begin
              fifo_on_q <= wdata_i[0];
              trigger_q <= wdata_i[7:6];
            end
            Lcr: lcr_q <= wdata_i;
            Mcr: mcr_q <= wdata_i[4:0];
            Scr: scr_q <= wdata_i;
            default: ;
          endcase
        end else begin
          if (offset_i == Iir && reason == ReasonTx) thr_empty_q <= 1'b0;
          if (offset_i == Lsr) overrun_q <= 1'b0;
        end
      end
      if (!rst_ni) begin
        ier_q <= 4'd0;
        lcr_q <= 8'd0;
        mcr_q <= 5'd0;
        scr_q <= 8'd0;
        dll_q <= 8'd0;
        dlm_q <= 8'd0;
        fifo_on_q <= 1'b0;
        trigger_q <= 2'd0;
        thr_empty_q <= 1'b0;
        overrun_q <= 1'b0;
        tx_q.valid <= 1'b0;
        reason_q <= ReasonNone;
      end
    end
  end

  assign rdata_o = rdata_q;
  assign tx_o = tx_q;
  assign rx_pending_o = received_q;
  assign irq_o = ~reason[0];

  `COVER_HISTOGRAM(uart_rx, "Bytes in the FIFO of the receiver", count_q, 16)
  `COVER(uart_tx, "Bytes sent", tx_q.valid)

endmodule
