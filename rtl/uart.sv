// SPDX-License-Identifier: Apache-2.0
// The UART: a 16550A whose transmitter is always ready.
//
// access_i lasts one cycle, one byte; rdata_o belongs to that cycle, and what the
// access does happens at its end. A byte sent shows on tx_valid_o for one cycle,
// the next one. A byte is taken from rx_valid_i in a cycle with rx_ready_o; there
// is no line in loop-back. irq_o follows a change in the cycle after it
// (settling_o). An rx byte and an access in one cycle: the access comes first.

module uart (
  input logic clk_i,
  input logic rst_ni,

  input logic access_i,
  input logic write_i,
  input logic [7:0] offset_i,
  input logic [7:0] wdata_i,
  output logic [7:0] rdata_o,

  output logic tx_valid_o,
  output logic [7:0] tx_data_o,
  input logic rx_valid_i,
  input logic [7:0] rx_data_i,
  output logic rx_ready_o,

  output logic settling_o,
  output logic irq_o
);

  // Registers. Data and Ier are the divisor when DLAB is set; Iir is the FIFO
  // control register when written.
  localparam logic [2:0] Data = 3'd0;
  localparam logic [2:0] Ier = 3'd1;
  localparam logic [2:0] Iir = 3'd2;
  localparam logic [2:0] Lcr = 3'd3;
  localparam logic [2:0] Mcr = 3'd4;
  localparam logic [2:0] Lsr = 3'd5;
  localparam logic [2:0] Msr = 3'd6;
  localparam logic [2:0] Scr = 3'd7;

  // Why it interrupts: the low bits of IIR. Bit 0 means that it does not.
  localparam logic [3:0] ReasonNone = 4'h1;
  localparam logic [3:0] ReasonTx = 4'h2;
  localparam logic [3:0] ReasonRx = 4'h4;
  localparam logic [3:0] ReasonLine = 4'h6;
  localparam logic [3:0] ReasonTimeout = 4'hc;

  localparam logic [7:0] MsrConnected = 8'hb0;  // DCD, DSR, CTS: a terminal is there

  logic [3:0] ier_q;  // modem status (never), line status, transmitter, receiver
  logic [7:0] lcr_q, scr_q, dll_q, dlm_q;
  logic [4:0] mcr_q;
  logic fifo_on_q;
  logic [1:0] trigger_q;
  logic thr_empty_q, overrun_q, changed_q;
  logic [3:0] reason_q, reason;
  logic tx_valid_q;
  logic [7:0] tx_data_q;

  logic [7:0] fifo_q[16];
  logic [3:0] first_q;
  logic [4:0] count_q;

  logic dlab, loop, room, empty;
  logic read, write, receive, send, push, pop, clear;
  logic [7:0] push_data;
  logic [3:0] push_at;
  logic [4:0] level;

  assign dlab = lcr_q[7];
  assign loop = mcr_q[4];
  assign empty = count_q == 5'd0;
  assign room = fifo_on_q ? ~count_q[4] : empty;
  assign rx_ready_o = room & ~loop;
  assign receive = rx_valid_i & rx_ready_o;

  always_comb begin
    read = 1'b0;
    write = 1'b0;
    send = 1'b0;
    pop = 1'b0;
    clear = 1'b0;
    if (access_i) begin
      read = ~write_i & offset_i[7:3] == 5'd0;
      write = write_i & offset_i[7:3] == 5'd0;
      send = write & offset_i[2:0] == Data & ~dlab;
      pop = read & offset_i[2:0] == Data & ~dlab & ~empty;
      clear = write & offset_i[2:0] == Iir & (wdata_i[1] | (wdata_i[0] ^ fifo_on_q));
    end
  end

  always_comb begin
    push = 1'b0;
    push_data = rx_data_i;
    push_at = first_q;
    if (receive | send) begin
      push = receive | (loop & room);
      if (send & loop) push_data = wdata_i;
      if (~clear) push_at = first_q + count_q[3:0];
    end
  end

  // Bytes below the trigger level count as timed out at once.
  always_comb begin
    reason = reason_q;
    level = 5'd1;
    if (changed_q) begin
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

  always_comb begin
    rdata_o = 8'd0;
    if (read)
      case (offset_i[2:0])
        Data: begin
          if (dlab) rdata_o = dll_q;
          else if (~empty) rdata_o = fifo_q[first_q];
        end
        Ier: rdata_o = dlab ? dlm_q : {4'd0, ier_q};
        Iir: rdata_o = {fifo_on_q, fifo_on_q, 2'd0, reason};
        Lcr: rdata_o = lcr_q;
        Mcr: rdata_o = {3'd0, mcr_q};
        Lsr: rdata_o = {6'b011000, overrun_q, ~empty};
        Msr: rdata_o = loop ? {mcr_q[3:2], mcr_q[0], mcr_q[1], 4'd0} : MsrConnected;
        default: rdata_o = scr_q;
      endcase
  end

  always_ff @(posedge clk_i) begin
    changed_q <= rst_ni & (access_i | receive);
    tx_valid_q <= rst_ni & send & ~loop;
    if (send) tx_data_q <= wdata_i;
    if (push) fifo_q[push_at] <= push_data;
    if (!rst_ni) begin
      first_q <= 4'd0;
      count_q <= 5'd0;
      reason_q <= ReasonNone;
    end else begin
      if (pop) first_q <= first_q + 4'd1;
      if (push | pop | clear)
        count_q <= (clear ? 5'd0 : count_q) + {4'd0, push} - {4'd0, pop};
      if (changed_q) reason_q <= reason;
    end
  end

  always_ff @(posedge clk_i) begin
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
    end else if (read) begin
      if (offset_i[2:0] == Iir && reason == ReasonTx) thr_empty_q <= 1'b0;
      if (offset_i[2:0] == Lsr) overrun_q <= 1'b0;
    end else if (write) begin
      case (offset_i[2:0])
        Data: begin
          if (dlab) dll_q <= wdata_i;
          else begin
            thr_empty_q <= 1'b1;
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
    end
  end

  assign tx_valid_o = tx_valid_q;
  assign tx_data_o = tx_data_q;
  assign settling_o = changed_q;
  assign irq_o = ~reason[0];

endmodule
