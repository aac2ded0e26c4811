// SPDX-License-Identifier: Apache-2.0
// CSRs, traps and privilege of the small core: M and U, direct vectors, no delegation.
//
// An access is presented while the instruction executes; rdata_o and legal_o follow in the
// same cycle. access_i, trap_i and mret_i are pulses that exclude each other and take effect
// at the edge.

module small_csr #(
  parameter logic [31:0] HartId = 32'd0
) (
  input logic clk_i,
  input logic rst_ni,

  input  logic [11:0] addr_i,
  input  logic        write_i,  // the instruction writes it
  input  logic        access_i,
  input  logic [ 1:0] op_i,  // 1 write, 2 set, 3 clear
  input  logic [31:0] wdata_i,
  output logic [31:0] rdata_o,
  output logic        legal_o,

  input logic              trap_i,
  input small_pkg::cause_t cause_i,
  input logic [31:0]       epc_i,
  input logic [31:0]       tval_i,
  input logic              mret_i,
  input logic              retire_i,

  input  logic        irq_timer_i,
  input  logic        irq_external_i,
  output logic        wake_o,  // an enabled interrupt is pending
  output logic        irq_o,  // and is taken
  output logic        irq_external_o,  // which of them
  output logic [ 1:0] priv_o,
  output logic [31:0] mtvec_o,
  output logic [31:0] mepc_o
);

  logic [1:0] priv_q, mpp_q;
  logic mie_q, mpie_q;
  logic meie_q, mtie_q;
  logic [31:0] mtvec_q, mscratch_q, mepc_q, mtval_q;
  small_pkg::cause_t mcause_q;
  logic [2:0] counteren_q;
  logic [63:0] cycle_q, instret_q;

  logic exists;
  always_comb begin
    exists = 1'b1;
    rdata_o = 32'd0;
    unique case (addr_i)
      12'h300: rdata_o = {19'd0, mpp_q, 3'd0, mpie_q, 3'd0, mie_q, 3'd0};
      12'h301: rdata_o = 32'h4010_1104;  // misa: RV32 with C, I, M and U
      12'h304: rdata_o = {20'd0, meie_q, 3'd0, mtie_q, 7'd0};
      12'h305: rdata_o = mtvec_q;
      12'h306: rdata_o = {29'd0, counteren_q};
      12'h310, 12'hf11, 12'hf12, 12'hf13, 12'hf15: rdata_o = 32'd0;
      12'hf14: rdata_o = HartId;
      12'h340: rdata_o = mscratch_q;
      12'h341: rdata_o = mepc_q;
      12'h342: rdata_o = {mcause_q[4], 27'd0, mcause_q[3:0]};
      12'h343: rdata_o = mtval_q;
      12'h344: rdata_o = {20'd0, irq_external_i, 3'd0, irq_timer_i, 7'd0};
      12'hb00, 12'hc00: rdata_o = cycle_q[31:0];
      12'hb80, 12'hc80: rdata_o = cycle_q[63:32];
      12'hb02, 12'hc02: rdata_o = instret_q[31:0];
      12'hb82, 12'hc82: rdata_o = instret_q[63:32];
      default: exists = 1'b0;
    endcase
  end

  // Bits 11:10 mark what is read-only, bits 9:8 the lowest privilege.
  logic counter_denied;
  assign counter_denied = addr_i[11:8] == 4'hc && priv_q == small_pkg::PrivU && 
                          !counteren_q[addr_i[1:0]];
  assign legal_o = exists && priv_q >= addr_i[9:8] && !(write_i && addr_i[11:10] == 2'd3) &&
                   !counter_denied;

  logic [31:0] value;
  always_comb begin
    unique case (op_i)
      2'd2: value = rdata_o | wdata_i;
      2'd3: value = rdata_o & ~wdata_i;
      default: value = wdata_i;
    endcase
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      priv_q <= small_pkg::PrivM;
      mpp_q <= small_pkg::PrivU;
      {mie_q, mpie_q, meie_q, mtie_q} <= 4'd0;
      mtvec_q <= 32'd0;
      mcause_q <= '0;
      counteren_q <= 3'd0;
    end else if (trap_i) begin
      priv_q <= small_pkg::PrivM;
      mpp_q <= priv_q;
      mpie_q <= mie_q;
      mie_q <= 1'b0;
      mepc_q <= epc_i;
      mcause_q <= cause_i;
      mtval_q <= tval_i;
    end else if (mret_i) begin
      priv_q <= mpp_q;
      mpp_q <= small_pkg::PrivU;
      mie_q <= mpie_q;
      mpie_q <= 1'b1;
    end else if (access_i && write_i) begin
      unique case (addr_i)
        12'h300: begin
          mie_q <= value[3];
          mpie_q <= value[7];
          if (value[12:11] == small_pkg::PrivU || value[12:11] == small_pkg::PrivM) mpp_q <= value[12:11];
        end
        12'h304: {meie_q, mtie_q} <= {value[11], value[7]};
        12'h305: mtvec_q <= {value[31:2], 2'd0};
        12'h306: counteren_q <= {value[2], 1'b0, value[0]};
        12'h340: mscratch_q <= value;
        12'h341: mepc_q <= {value[31:1], 1'b0};
        12'h342: mcause_q <= {value[31], value[3:0]};
        12'h343: mtval_q <= value;
        default: ;
      endcase
    end
  end

  logic writes_counter;
  assign writes_counter = access_i && write_i;
  always_ff @(posedge clk_i) begin
    if (!rst_ni) {cycle_q, instret_q} <= 128'd0;
    else begin
      cycle_q <= cycle_q + 64'd1;
      instret_q <= instret_q + {63'd0, retire_i};
      if (writes_counter && addr_i == 12'hb00) cycle_q[31:0] <= value;
      if (writes_counter && addr_i == 12'hb80) cycle_q[63:32] <= value;
      if (writes_counter && addr_i == 12'hb02) instret_q[31:0] <= value;
      if (writes_counter && addr_i == 12'hb82) instret_q[63:32] <= value;
    end
  end

  assign irq_external_o = meie_q && irq_external_i;
  assign wake_o = irq_external_o || (mtie_q && irq_timer_i);
  assign irq_o = wake_o && (mie_q || priv_q == small_pkg::PrivU);
  assign priv_o = priv_q;
  assign mtvec_o = mtvec_q;
  assign mepc_o = mepc_q;

endmodule
