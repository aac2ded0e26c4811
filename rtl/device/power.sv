// SPDX-License-Identifier: Apache-2.0
// The power register ("sifive,test0"): the first write of a known command is on
// power_o from the next cycle until reset. Writes to other words are ignored.

module power (
  input logic clk_i,
  input logic rst_ni,

  input logic        access_i,  // one cycle, 4 aligned bytes
  input logic        write_i,
  input logic [11:2] offset_i,
  input logic [31:0] wdata_i,

  output device_pkg::power_t power_o
);

  localparam logic [63:0] Off = soc_map_pkg::SOC_POWER_OFF;
  localparam logic [63:0] Fail = soc_map_pkg::SOC_POWER_FAIL;
  localparam logic [63:0] Restart = soc_map_pkg::SOC_POWER_RESET;

  device_pkg::power_t power_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) power_q.valid <= 1'b0;
    else if (access_i) begin
      if (write_i && offset_i == 10'd0 && !power_q.valid) begin
        if (wdata_i[15:0] == Off[15:0] || wdata_i[15:0] == Fail[15:0] ||
            wdata_i[15:0] == Restart[15:0])
          power_q <= {1'b1, wdata_i};
      end
    end
  end

  assign power_o = power_q;

endmodule
