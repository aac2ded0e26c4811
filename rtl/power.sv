// SPDX-License-Identifier: Apache-2.0
// The power register ("sifive,test0"): the first write that means something stays
// until reset, from the cycle after it. Other words read 0 and ignore writes.

module power (
  input logic clk_i,
  input logic rst_ni,

  input logic        access_i,  // one cycle, 4 aligned bytes
  input logic        write_i,
  input logic [11:2] offset_i,
  input logic [31:0] wdata_i,

  output logic        valid_o,
  output logic [31:0] value_o  // as written
);

  localparam logic [63:0] Off = soc_map_pkg::SOC_POWER_OFF;
  localparam logic [63:0] Fail = soc_map_pkg::SOC_POWER_FAIL;
  localparam logic [63:0] Restart = soc_map_pkg::SOC_POWER_RESET;

  logic valid_q;
  logic [31:0] value_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) valid_q <= 1'b0;
    else if (access_i) begin
      if (write_i && offset_i == 10'd0 && !valid_q) begin
        if (wdata_i[15:0] == Off[15:0] || wdata_i[15:0] == Fail[15:0] ||
            wdata_i[15:0] == Restart[15:0]) begin
          valid_q <= 1'b1;
          value_q <= wdata_i;
        end
      end
    end
  end

  assign valid_o = valid_q;
  assign value_o = value_q;

endmodule
