// SPDX-License-Identifier: Apache-2.0
// The device bus and the devices on it.
//
// Handshake: as in bus.sv. The access takes effect at the end of its first cycle; ready_o
// and rsp_o are valid in the second only. An access to an unmapped address, or of a size
// that the device does not accept, is an error and has no effect.
// Interrupt lines reflect an access in time for the next instruction. A byte that
// arrives at the UART reaches them after two edges; idle_o is low until then.
// At an edge while `active` is low, only time advances.

module devices #(
  parameter int unsigned Harts = 1,
  parameter int unsigned Masters = 1  // masters of the bus
) (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [15:0] skip_i,
  output logic        idle_o,  // the next edge changes nothing but time, if no input changes

  // bus
  input  logic [Masters-1:0]                           valid_i,
  input  logic [Masters*device_pkg::DeviceReqBits-1:0] req_i,    // a device_req_t per master
  input  logic [Masters*64-1:0]                        wdata_i,
  output logic [Masters-1:0]                           ready_o,
  output device_pkg::device_rsp_t                      rsp_o,    // right-aligned, zero-extended

  // interrupts and time
  output logic [Harts*device_pkg::IrqBits-1:0] irq_lines_o,  // irq_t of each hart
  output logic [63:0]                          mtime_o,
  output logic [11:0]                          tick_o,

  // serial line
  output device_pkg::serial_t uart_tx_o,
  input  device_pkg::serial_t uart_rx_i,
  output logic                uart_rx_ready_o,

  output device_pkg::power_t power_o
);

  // A device gets the low bits of the address as its offset: each base is aligned to
  // the span of its device.
  localparam logic [63:0] UartIrq = soc_map_pkg::SOC_UART_IRQ;

  logic active;
  logic [device_pkg::Devices-1:0] access, answer;
  device_pkg::device_req_t req;
  logic [63:0] wdata;
  logic [7:0] uart_rdata;
  logic [63:0] clint_rdata;
  logic [31:0] plic_rdata;
  logic uart_irq, uart_settling;
  logic [31:0] sources;
  logic [Harts-1:0] mtip, msip;
  logic [2*Harts-1:0] external;  // to M and S of each hart

  bus #(
    .Masters(Masters)
  ) u_bus (
    .clk_i,
    .rst_ni,
    .valid_i,
    .req_i,
    .wdata_i,
    .ready_o,
    .access_o(access),
    .answer_o(answer),
    .req_o(req),
    .wdata_o(wdata)
  );

  assign active = valid_i != '0 | ready_o != '0 | uart_rx_i.valid | uart_settling | ~rst_ni;
  assign idle_o = ~active;
  assign sources = {31'd0, uart_irq} << UartIrq[4:0];

  always_comb begin
    rsp_o.error = 1'b0;
    rsp_o.rdata = 64'd0;
    if (ready_o != '0) begin
      rsp_o.error = answer == '0;
      if (answer[device_pkg::DeviceUart]) rsp_o.rdata = {56'd0, uart_rdata};
      if (answer[device_pkg::DeviceClint]) rsp_o.rdata = clint_rdata;
      if (answer[device_pkg::DevicePlic]) rsp_o.rdata = {32'd0, plic_rdata};
    end
  end

  for (genvar h = 0; h < Harts; h++) begin : gen_irq
    assign irq_lines_o[device_pkg::IrqBits*h+:device_pkg::IrqBits] = {
      external[2*h], external[2*h+1], mtip[h], msip[h]
    };
  end

  clint #(
    .Harts(Harts)
  ) u_clint (
    .clk_i,
    .rst_ni,
    .active_i(active),
    .skip_i,
    .access_i(access[device_pkg::DeviceClint]),
    .write_i(req.write),
    .wide_i(req.size[0]),
    .offset_i(req.addr[15:2]),
    .wdata_i(wdata),
    .rdata_o(clint_rdata),
    .mtip_o(mtip),
    .msip_o(msip),
    .mtime_o,
    .tick_o
  );

  plic #(
    .Contexts(2 * Harts)
  ) u_plic (
    .clk_i,
    .rst_ni,
    .active_i(active),
    .sources_i(sources),
    .access_i(access[device_pkg::DevicePlic]),
    .write_i(req.write),
    .offset_i(req.addr[22:2]),
    .wdata_i(wdata[31:0]),
    .rdata_o(plic_rdata),
    .irq_o(external)
  );

  uart u_uart (
    .clk_i,
    .rst_ni,
    .active_i(active),
    .access_i(access[device_pkg::DeviceUart]),
    .write_i(req.write),
    .offset_i(req.addr[7:0]),
    .wdata_i(wdata[7:0]),
    .rdata_o(uart_rdata),
    .settling_o(uart_settling),
    .tx_o(uart_tx_o),
    .rx_i(uart_rx_i),
    .rx_ready_o(uart_rx_ready_o),
    .irq_o(uart_irq)
  );

  power u_power (
    .clk_i,
    .rst_ni,
    .access_i(access[device_pkg::DevicePower]),
    .write_i(req.write),
    .offset_i(req.addr[11:2]),
    .wdata_i(wdata[31:0]),
    .power_o
  );

endmodule
