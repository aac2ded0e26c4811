// SPDX-License-Identifier: Apache-2.0
// The device bus: arbitrates between masters and decodes the address.
//
// Masters are the harts and any other initiator of device accesses. A master holds valid_i
// and its operands until ready_o, which is high for one cycle. A granted access takes two
// cycles: it happens in the first, in which access_o selects the device, if one accepts it;
// in the second response_o selects the device, and ready_o is high. The master with the
// lowest number has priority. With a single master, arbitration adds no cycle.

module bus #(
  parameter int unsigned Masters = 2
) (
  input logic clk_i,
  input logic rst_ni,

  // Masters
  input  logic [Masters-1:0]                           valid_i,
  input  logic [Masters*device_pkg::DeviceReqBits-1:0] req_i,    // a device_req_t per master
  input  logic [Masters*64-1:0]                        wdata_i,
  output logic [Masters-1:0]                           ready_o,

  // Devices: one bit each, indexed by device_e
  output logic [device_pkg::Devices-1:0] access_o,
  output logic [device_pkg::Devices-1:0] response_o,
  output device_pkg::device_req_t        req_o,
  output logic [63:0]                    wdata_o
);

  localparam int unsigned ReqBits = device_pkg::DeviceReqBits;

  // The address map: one row per device; device_e indexes the rows from the right.
  localparam int unsigned RegionBits = 116;
  localparam logic [device_pkg::Devices*RegionBits-1:0] Map = {
    // accepted access sizes (8, 4, 2, 1 bytes); base; size
    4'b0100, 56'(soc_map_pkg::SOC_DISK_BASE), 56'(soc_map_pkg::SOC_DISK_SIZE),
    4'b1100, 56'(soc_map_pkg::SOC_NIC_BASE), 56'(soc_map_pkg::SOC_NIC_SIZE),
    4'b0100, 56'(soc_map_pkg::SOC_POWER_BASE), 56'(soc_map_pkg::SOC_POWER_SIZE),
    4'b0100, 56'(soc_map_pkg::SOC_PLIC_BASE), 56'(soc_map_pkg::SOC_PLIC_SIZE),
    4'b1100, 56'(soc_map_pkg::SOC_CLINT_BASE), 56'(soc_map_pkg::SOC_CLINT_SIZE),
    4'b0001, 56'(soc_map_pkg::SOC_UART_BASE), 56'(soc_map_pkg::SOC_UART_SIZE)
  };

  logic [Masters-1:0] grant, ready_q;
  logic [device_pkg::Devices-1:0] response_q;

  always_comb begin
    grant = '0;
    grant[0] = valid_i[0];
    req_o = req_i[0+:ReqBits];
    wdata_o = wdata_i[0+:64];
    for (int unsigned i = 1; i < Masters; i++) begin
      if (valid_i[i] && grant == '0) begin
        grant[i] = 1'b1;
        req_o = req_i[ReqBits*i+:ReqBits];
        wdata_o = wdata_i[64*i+:64];
      end
    end
    if (ready_q != '0) grant = '0;
  end

  device_pkg::region_t region;
  always_comb begin
    access_o = '0;
    region = '0;
    if (grant != '0) begin
      for (int unsigned i = 0; i < device_pkg::Devices; i++) begin
        region = Map[RegionBits*i+:RegionBits];
        access_o[i] = region.sizes[req_o.size] && req_o.addr - region.base < region.size;
      end
    end
  end

  always_ff @(posedge clk_i) begin
    ready_q <= rst_ni ? grant : '0;
    if (grant != '0) response_q <= access_o;
  end
  assign ready_o = ready_q;
  assign response_o = response_q;

  `ASSERT(one_device, $onehot0(access_o))
  for (genvar i = 0; i < Masters; i++) begin : gen_held
    `ASSERT_HELD(access_stands, valid_i[i], ready_o[i],
                 {req_i[ReqBits*i+:ReqBits], wdata_i[64*i+:64]})
  end

endmodule
