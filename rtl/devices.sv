// SPDX-License-Identifier: Apache-2.0
// What stands beside RAM: the bus, and the devices on it.
//
// Handshake: valid_i stays up, its operands unchanged, until ready_o. The access
// happens at the end of the first cycle; ready_o and rsp_o come in the
// second, for one cycle. Nothing at the address, or an access of a size that the
// device does not take, is an error and has no effect.
// Interrupt lines follow an access in time for the next instruction. A byte that
// arrives at the UART takes two edges to them; idle_o waits for it.
// Devices sleep while `active` is low: at such an edge only time may pass.

module devices (
  input  logic        clk_i,
  input  logic        rst_ni,
  input  logic [15:0] skip_i,
  output logic        idle_o,  // the next edge changes nothing but time, if no input changes

  // bus
  input  logic                 valid_i,
  input  logic [55:0]          addr_i,
  input  logic                 write_i,
  input  soc_pkg::size_e       size_i,
  input  logic [63:0]          wdata_i,
  output logic                 ready_o,
  output soc_pkg::device_rsp_t rsp_o,  // right-aligned, zero-extended

  // interrupts and time
  output soc_pkg::irq_t irq_lines_o,
  output logic [63:0]   mtime_o,
  output logic [11:0]   tick_o,

  // serial line
  output logic       uart_tx_valid_o,
  output logic [7:0] uart_tx_data_o,
  input  logic       uart_rx_valid_i,
  input  logic [7:0] uart_rx_data_i,
  output logic       uart_rx_ready_o,

  output logic        power_valid_o,
  output logic [31:0] power_value_o
);

  // A device sees the low bits of the address: no base has a bit set below the
  // span of its device.
  localparam logic [63:0] UartBase = soc_map_pkg::SOC_UART_BASE;
  localparam logic [63:0] ClintBase = soc_map_pkg::SOC_CLINT_BASE;
  localparam logic [63:0] PlicBase = soc_map_pkg::SOC_PLIC_BASE;
  localparam logic [63:0] PlicSize = soc_map_pkg::SOC_PLIC_SIZE;
  localparam logic [63:0] PowerBase = soc_map_pkg::SOC_POWER_BASE;
  localparam logic [63:0] UartIrq = soc_map_pkg::SOC_UART_IRQ;

  typedef enum logic [3:0] {
    Nothing = 4'b0000,
    Uart = 4'b0001,
    Clint = 4'b0010,
    Plic = 4'b0100,
    Power = 4'b1000
  } select_e;

  logic ready_q, access, active;
  select_e select, select_q;
  logic [7:0] uart_rdata;
  logic [63:0] clint_rdata;
  logic [31:0] plic_rdata;
  logic uart_irq, uart_settling;
  logic [31:0] sources;

  assign access = valid_i & ~ready_q;
  assign active = valid_i | ready_q | uart_rx_valid_i | uart_settling | ~rst_ni;

  always_comb begin
    select = Nothing;
    if (access) begin
      case (size_i)
        soc_pkg::SizeByte: if (addr_i[55:8] == UartBase[55:8]) select = Uart;
        soc_pkg::SizeHalf: ;
        default: begin
          if (addr_i[55:16] == ClintBase[55:16]) select = Clint;
          if (size_i == soc_pkg::SizeWord) begin
            if (addr_i[55:23] == PlicBase[55:23] && addr_i[22:0] < PlicSize[22:0]) select = Plic;
            if (addr_i[55:12] == PowerBase[55:12]) select = Power;
          end
        end
      endcase
    end
  end

  always_ff @(posedge clk_i) begin
    ready_q <= rst_ni & access;
    if (active) select_q <= select;
  end

  always_comb begin
    rsp_o.error = 1'b0;
    rsp_o.rdata = 64'd0;
    if (ready_q)
      case (select_q)
        Nothing: rsp_o.error = 1'b1;
        Uart: rsp_o.rdata = {56'd0, uart_rdata};
        Clint: rsp_o.rdata = clint_rdata;
        Plic: rsp_o.rdata = {32'd0, plic_rdata};
        default: ;
      endcase
  end

  assign ready_o = ready_q;
  assign idle_o = ~active;
  assign sources = {31'd0, uart_irq} << UartIrq[4:0];

  clint u_clint (
    .clk_i,
    .rst_ni,
    .active_i(active),
    .skip_i,
    .access_i(select[1]),
    .write_i,
    .wide_i(size_i[0]),
    .offset_i(addr_i[15:2]),
    .wdata_i,
    .rdata_o(clint_rdata),
    .mtip_o(irq_lines_o.mtip),
    .msip_o(irq_lines_o.msip),
    .mtime_o,
    .tick_o
  );

  plic u_plic (
    .clk_i,
    .rst_ni,
    .active_i(active),
    .sources_i(sources),
    .access_i(select[2]),
    .write_i,
    .offset_i(addr_i[22:2]),
    .wdata_i(wdata_i[31:0]),
    .rdata_o(plic_rdata),
    .meip_o(irq_lines_o.meip),
    .seip_o(irq_lines_o.seip)
  );

  uart u_uart (
    .clk_i,
    .rst_ni,
    .active_i(active),
    .access_i(select[0]),
    .write_i,
    .offset_i(addr_i[7:0]),
    .wdata_i(wdata_i[7:0]),
    .rdata_o(uart_rdata),
    .settling_o(uart_settling),
    .tx_valid_o(uart_tx_valid_o),
    .tx_data_o(uart_tx_data_o),
    .rx_valid_i(uart_rx_valid_i),
    .rx_data_i(uart_rx_data_i),
    .rx_ready_o(uart_rx_ready_o),
    .irq_o(uart_irq)
  );

  power u_power (
    .clk_i,
    .rst_ni,
    .access_i(select[3]),
    .write_i,
    .offset_i(addr_i[11:2]),
    .wdata_i(wdata_i[31:0]),
    .valid_o(power_valid_o),
    .value_o(power_value_o)
  );

  `ASSERT(one_device, $onehot0(select))
  `ASSERT_HELD(access_stands, valid_i, ready_o, {addr_i, write_i, size_i, wdata_i})

endmodule
