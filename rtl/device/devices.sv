// SPDX-License-Identifier: Apache-2.0
// The device bus and the devices on it.
//
// Handshake: as in bus.sv. The access takes effect at the end of its first cycle; ready_o
// and rsp_o are valid in the second only. An access to an unmapped address, or of a size
// that the device does not accept, is an error and has no effect.
// Interrupt lines reflect an access in time for the next instruction. A byte that
// arrives at the UART reaches them after two edges; idle_o is low until then. A source of the
// network interface or of the disk that changes reaches them after one edge.
// At an edge while `active` is low, only time advances.

module devices #(
  parameter int unsigned Harts = 1,
  parameter int unsigned Masters = 1,  // masters of the bus
  parameter bit Disk = 1'b0  // 0: no disk, whatever disk_on_i is
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

  // network interface, as in nic.sv
  input  logic                          nic_on_i,          // as on_i of nic.sv
  input  logic                          nic_clk_i,
  output logic                          nic_clk_req_o,     // in this cycle it needs its clock
  output logic                          dma_req_valid_o,
  output mem_pkg::dma_req_t             dma_req_o,
  output logic                          dma_beat_valid_o,
  output mem_pkg::dma_beat_t            dma_beat_o,
  input  logic                          dma_ready_i,
  input  mem_pkg::dma_rsp_t             dma_rsp_i,
  input  logic [mem_pkg::DmaIdBits-1:0] dma_done_id_i,
  input  logic [47:0]                   mac_i,
  output logic                          link_tx_valid_o,
  output nic_pkg::link_t                link_tx_o,
  input  nic_pkg::link_t                link_rx_i,
  input  nic_pkg::input_t               nic_i,

  // disk, as in disk.sv
  input  logic                     disk_on_i,
  input  logic                     disk_clk_i,
  output logic                     disk_clk_req_o,
  input  logic [63:0]              disk_sectors_i,
  output device_pkg::disk_event_t  disk_event_o,
  output device_pkg::disk_queue_t  disk_queue_o,
  input  device_pkg::disk_answer_t disk_answer_i,

  output device_pkg::power_t power_o
);

  // A device gets the low bits of the address as its offset: each base is aligned to
  // the span of its device.
  localparam logic [63:0] UartIrq = soc_map_pkg::SOC_UART_IRQ;
  localparam logic [63:0] SendIrq = soc_map_pkg::SOC_NIC_SEND_IRQ;
  localparam logic [63:0] RecvIrq = soc_map_pkg::SOC_NIC_RECV_IRQ;
  localparam logic [63:0] DiskIrq = soc_map_pkg::SOC_DISK_IRQ;

  logic active;
  logic [device_pkg::Devices-1:0] access, response;
  device_pkg::device_req_t req;
  logic [63:0] wdata;
  logic [7:0] uart_rdata;
  logic [63:0] clint_rdata;
  logic [31:0] plic_rdata;
  logic uart_irq, uart_rx_pending;
  logic nic_access;
  logic [1:0] nic_irq;
  logic [63:0] nic_rdata;
  logic has_disk, disk_irq;
  logic [31:0] disk_rdata;
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
    .response_o(response),
    .req_o(req),
    .wdata_o(wdata)
  );

  assign active = valid_i != '0 | ready_o != '0 | uart_rx_i.valid | uart_rx_pending | ~rst_ni |
                  nic_clk_req_o | disk_clk_req_o;
  assign idle_o = ~active;
  always_comb begin
    sources = '0;
    if (active)
      sources = ({31'd0, uart_irq} << UartIrq[4:0]) | ({31'd0, nic_irq[0]} << SendIrq[4:0]) |
                ({31'd0, nic_irq[1]} << RecvIrq[4:0]) | ({31'd0, disk_irq} << DiskIrq[4:0]);
  end
  assign nic_access = access[device_pkg::DeviceNic] && nic_on_i;

  always_comb begin
    rsp_o.error = 1'b0;
    rsp_o.rdata = 64'd0;
    if (ready_o != '0) begin
      rsp_o.error = response == '0 || (response[device_pkg::DeviceNic] && !nic_on_i) ||
                    (response[device_pkg::DeviceDisk] && !has_disk);
      if (response[device_pkg::DeviceUart]) rsp_o.rdata = {56'd0, uart_rdata};
      if (response[device_pkg::DeviceClint]) rsp_o.rdata = clint_rdata;
      if (response[device_pkg::DevicePlic]) rsp_o.rdata = {32'd0, plic_rdata};
      if (response[device_pkg::DeviceNic]) rsp_o.rdata = nic_rdata;
      if (response[device_pkg::DeviceDisk]) rsp_o.rdata = {32'd0, disk_rdata};
    end
  end

  // With several harts only assembled if one is high, which costs a simulator less
  if (Harts == 1) begin : gen_irq
    assign irq_lines_o = {external[0], external[1], mtip, msip};
  end else begin : gen_irqs
    always_comb begin
      irq_lines_o = '0;
      if (external != '0 || mtip != '0 || msip != '0) begin
        for (int unsigned h = 0; h < Harts; h++)
          irq_lines_o[device_pkg::IrqBits*h+:device_pkg::IrqBits] = {
            external[2*h], external[2*h+1], mtip[h], msip[h]
          };
      end
    end
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
    .rx_pending_o(uart_rx_pending),
    .tx_o(uart_tx_o),
    .rx_i(uart_rx_i),
    .rx_ready_o(uart_rx_ready_o),
    .irq_o(uart_irq)
  );

  nic u_nic (
    .clk_i,
    .nic_clk_i,
    .rst_ni,
    .on_i (nic_on_i),
    .access_i (nic_access),
    .write_i(req.write),
    .wide_i(req.size[0]),
    .offset_i (req.addr[11:2]),
    .wdata_i(wdata),
    .rdata_o(nic_rdata),
    .irq_o(nic_irq),
    .clk_req_o(nic_clk_req_o),
    .dma_req_valid_o,
    .dma_req_o,
    .dma_beat_valid_o,
    .dma_beat_o,
    .dma_ready_i,
    .dma_rsp_i,
    .dma_done_id_i,
    .mac_i,
    .link_tx_valid_o,
    .link_tx_o,
    .link_rx_i,
    .nic_i
  );

  assign has_disk = Disk && disk_on_i;
  if (Disk) begin : gen_disk
    disk u_disk (
      .clk_i,
      .disk_clk_i,
      .rst_ni,
      .on_i     (disk_on_i),
      .sectors_i(disk_sectors_i),
      .access_i (access[device_pkg::DeviceDisk] && disk_on_i),
      .write_i  (req.write),
      .offset_i (req.addr[11:2]),
      .wdata_i  (wdata[31:0]),
      .rdata_o  (disk_rdata),
      .irq_o    (disk_irq),
      .clk_req_o(disk_clk_req_o),
      .event_o  (disk_event_o),
      .queue_o  (disk_queue_o),
      .answer_i (disk_answer_i)
    );
  end else begin : gen_no_disk
    logic unused;
    assign unused = ^{disk_clk_i, disk_sectors_i, disk_answer_i, access[device_pkg::DeviceDisk]};
    assign disk_rdata = 32'd0;
    assign disk_irq = 1'b0;
    assign disk_clk_req_o = 1'b0;
    assign disk_event_o = '0;
    assign disk_queue_o = '0;
  end

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
