// SPDX-License-Identifier: Apache-2.0
// A small RV32IMC core with machine and user mode, and RVFI: an example for trace_sink.sv.
//
// It executes one instruction at a time, in the states of state_e: three cycles at least,
// one more for a load or store, 33 more for a multiplication or division, and the memory's
// wait states. The memory port holds a request until mem_ack_i, whose cycle has the data of
// a read; mem_error_i, with it, is a place without memory. Interrupts are levels.

module small_core #(
  parameter logic [31:0] ResetPc = 32'h8000_0000,
  parameter logic [31:0] HartId = 32'd0
) (
  input logic clk_i,
  input logic rst_ni,

  output logic        mem_req_o,
  output logic        mem_we_o,
  output logic [ 3:0] mem_be_o,
  output logic [31:0] mem_addr_o,  // of an aligned word
  output logic [31:0] mem_wdata_o,
  input  logic        mem_ack_i,
  input  logic        mem_error_i,
  input  logic [31:0] mem_rdata_i,

  input logic irq_timer_i,
  input logic irq_external_i,

  // The RISC-V formal interface, one channel. rvfi_cause is an addition.
  output logic        rvfi_valid,
  output logic [63:0] rvfi_order,
  output logic [31:0] rvfi_insn,
  output logic        rvfi_trap,
  output logic        rvfi_intr,
  output logic [ 1:0] rvfi_mode,
  output logic [ 4:0] rvfi_rd_addr,
  output logic [31:0] rvfi_rd_wdata,
  output logic [31:0] rvfi_pc_rdata,
  output logic [31:0] rvfi_pc_wdata,
  output logic [31:0] rvfi_cause
);

  typedef enum logic [2:0] {
    Fetch,  // waits for the word at pc
    FetchHigh,  // waits for the next word, which has the upper half of the instruction
    Execute,
    Memory,  // waits for a load or store
    Muldiv,
    Sleep  // WFI
  } state_e;

  state_e state_q, state_d;
  logic [31:0] pc_q, insn_q;
  logic [31:0] registers_q[32];

  // Decoding

  logic compressed;
  logic [31:0] expanded, insn;
  assign compressed = insn_q[1:0] != 2'd3;
  small_expand u_expand (
    .insn_i(insn_q[15:0]),
    .insn_o(expanded)
  );
  assign insn = compressed ? expanded : insn_q;

  logic [6:0] opcode, funct7;
  logic [4:0] rd;
  logic [2:0] funct3;
  assign opcode = insn[6:0];
  assign rd = insn[11:7];
  assign funct3 = insn[14:12];
  assign funct7 = insn[31:25];

  logic [31:0] rs1, rs2, imm_i, imm_s, imm_b, imm_u, imm_j;
  assign rs1 = registers_q[insn[19:15]];
  assign rs2 = registers_q[insn[24:20]];
  assign imm_i = {{20{insn[31]}}, insn[31:20]};
  assign imm_s = {{20{insn[31]}}, insn[31:25], insn[11:7]};
  assign imm_b = {{20{insn[31]}}, insn[7], insn[30:25], insn[11:8], 1'b0};
  assign imm_u = {insn[31:12], 12'd0};
  assign imm_j = {{12{insn[31]}}, insn[19:12], insn[20], insn[30:21], 1'b0};

  logic is_muldiv, is_csr, is_load, is_store, is_system;
  assign is_muldiv = opcode == small_pkg::OpReg && funct7 == 7'h01;
  assign is_load = opcode == small_pkg::OpLoad;
  assign is_store = opcode == small_pkg::OpStore;
  assign is_system = opcode == small_pkg::OpSystem && funct3 == 3'd0;
  assign is_csr = opcode == small_pkg::OpSystem && funct3[1:0] != 2'd0;

  logic is_ecall, is_ebreak, is_mret, is_wfi;
  assign is_ecall = is_system && insn[31:7] == 25'd0;
  assign is_ebreak = is_system && insn[31:7] == 25'h2000;
  assign is_mret = is_system && insn[31:7] == 25'h60_4000 && priv == small_pkg::PrivM;
  assign is_wfi = is_system && insn[31:7] == 25'h20_a000;

  logic legal;
  always_comb begin
    unique case (opcode)
      small_pkg::OpLui, small_pkg::OpAuipc, small_pkg::OpJal: legal = 1'b1;
      small_pkg::OpFence: legal = funct3[2:1] == 2'd0;
      small_pkg::OpJalr: legal = funct3 == 3'd0;
      small_pkg::OpBranch: legal = funct3[2:1] != 2'd1;
      small_pkg::OpLoad: legal = funct3 <= 3'd5 && funct3 != 3'd3;
      small_pkg::OpStore: legal = funct3 <= 3'd2;
      small_pkg::OpImm:
      legal = funct3 == 3'd1 ? funct7 == 7'h00 :
              funct3 == 3'd5 ? (funct7 & 7'h5f) == 7'h00 : 1'b1;
      small_pkg::OpReg:
      legal = funct7 == 7'h00 || funct7 == 7'h01 ||
              (funct7 == 7'h20 && (funct3 == 3'd0 || funct3 == 3'd5));
      small_pkg::OpSystem: legal = is_csr ? csr_legal : is_ecall || is_ebreak || is_mret || is_wfi;
      default: legal = 1'b0;
    endcase
  end

  // Operations

  logic [31:0] alu_result;
  logic branch_taken;
  small_alu u_alu (
    .funct3_i(funct3),
    .alternate_i(insn[30] && (opcode == small_pkg::OpReg || funct3 == 3'd5)),
    .a_i(rs1),
    .b_i(opcode == small_pkg::OpImm ? imm_i : rs2),
    .result_o(alu_result),
    .taken_o(branch_taken)
  );

  logic [31:0] muldiv_result;
  logic muldiv_busy;
  small_muldiv u_muldiv (
    .clk_i,
    .rst_ni,
    .start_i(state_q == Execute && state_d == Muldiv),
    .funct3_i(funct3),
    .a_i(rs1),
    .b_i(rs2),
    .busy_o(muldiv_busy),
    .result_o(muldiv_result)
  );

  logic [31:0] csr_rdata, mtvec, mepc;
  logic [1:0] priv;
  logic csr_legal, wake, irq, irq_external;
  logic retire, trap;
  small_pkg::cause_t cause;
  logic [31:0] tval;
  small_csr #(
    .HartId(HartId)
  ) u_csr (
    .clk_i,
    .rst_ni,
    .addr_i(insn[31:20]),
    .write_i(funct3[1:0] == 2'd1 || insn[19:15] != 5'd0),
    .access_i(retire && is_csr),
    .op_i(funct3[1:0]),
    .wdata_i(funct3[2] ? {27'd0, insn[19:15]} : rs1),
    .rdata_o(csr_rdata),
    .legal_o(csr_legal),
    .trap_i(trap),
    .cause_i(cause),
    .epc_i(pc_q),
    .tval_i(tval),
    .mret_i(retire && is_mret),
    .retire_i(retire),
    .irq_timer_i,
    .irq_external_i,
    .wake_o(wake),
    .irq_o(irq),
    .irq_external_o(irq_external),
    .priv_o(priv),
    .mtvec_o(mtvec),
    .mepc_o(mepc)
  );

  // Memory port

  logic [31:0] address;
  logic misaligned;
  assign address = rs1 + (is_store ? imm_s : imm_i);
  assign misaligned = (funct3[1:0] == 2'd1 && address[0]) ||
                      (funct3[1:0] == 2'd2 && address[1:0] != 2'd0);

  always_comb begin
    mem_req_o = state_q == Fetch || state_q == FetchHigh || state_q == Memory;
    mem_we_o = state_q == Memory && is_store;
    mem_wdata_o = rs2 << {address[1:0], 3'd0};
    unique case (state_q)
      Memory: mem_addr_o = {address[31:2], 2'd0};
      FetchHigh: mem_addr_o = {pc_q[31:2], 2'd0} + 32'd4;
      default: mem_addr_o = {pc_q[31:2], 2'd0};
    endcase
    unique case (funct3[1:0])
      2'd0: mem_be_o = 4'b0001 << address[1:0];
      2'd1: mem_be_o = 4'b0011 << address[1:0];
      default: mem_be_o = 4'b1111;
    endcase
    if (state_q != Memory) mem_be_o = 4'b1111;
  end

  logic [31:0] loaded, shifted;
  assign shifted = mem_rdata_i >> {address[1:0], 3'd0};
  always_comb begin
    unique case (funct3[1:0])
      2'd0: loaded = {{24{shifted[7] && !funct3[2]}}, shifted[7:0]};
      2'd1: loaded = {{16{shifted[15] && !funct3[2]}}, shifted[15:0]};
      default: loaded = shifted;
    endcase
  end

  // Control: `retire` and `trap` are pulses at the end of an instruction.

  logic fetched_half;  // the first half of an instruction that crosses the word
  assign fetched_half = pc_q[1] && mem_rdata_i[17:16] == 2'd3;

  always_comb begin
    state_d = state_q;
    retire = 1'b0;
    trap = 1'b0;
    cause = small_pkg::CauseIllegal;
    tval = 32'd0;
    unique case (state_q)
      Fetch, FetchHigh:
      if (mem_ack_i && mem_error_i) begin
        trap = 1'b1;
        cause = small_pkg::CauseFetchAccess;
        tval = state_q == Fetch ? pc_q : pc_q + 32'd2;
      end else if (mem_ack_i) begin
        state_d = state_q == Fetch && fetched_half ? FetchHigh : Execute;
      end
      Execute: begin
        if (irq) begin
          trap = 1'b1;
          cause = irq_external ? small_pkg::CauseExternal : small_pkg::CauseTimer;
        end else if (!legal) begin
          trap = 1'b1;
          tval = compressed ? {16'd0, insn_q[15:0]} : insn_q;
        end else if (is_ecall || is_ebreak) begin
          trap = 1'b1;
          cause = is_ebreak ? small_pkg::CauseBreakpoint : priv == small_pkg::PrivM ? small_pkg::CauseEcallM : small_pkg::CauseEcallU;
        end else if ((is_load || is_store) && misaligned) begin
          trap = 1'b1;
          cause = is_load ? small_pkg::CauseLoadMisaligned : small_pkg::CauseStoreMisaligned;
          tval = address;
        end else if (is_load || is_store) state_d = Memory;
        else if (is_muldiv) state_d = Muldiv;
        else if (is_wfi) state_d = Sleep;
        else retire = 1'b1;
      end
      Memory:
      if (mem_ack_i && mem_error_i) begin
        trap = 1'b1;
        cause = is_load ? small_pkg::CauseLoadAccess : small_pkg::CauseStoreAccess;
        tval = address;
      end else retire = mem_ack_i;
      Muldiv: retire = !muldiv_busy;
      default: retire = wake;
    endcase
    if (retire || trap) state_d = Fetch;
  end

  logic [31:0] next_pc, link;
  assign link = pc_q + (compressed ? 32'd2 : 32'd4);
  always_comb begin
    next_pc = link;
    if (opcode == small_pkg::OpJal) next_pc = pc_q + imm_j;
    if (opcode == small_pkg::OpJalr) next_pc = (rs1 + imm_i) & ~32'd1;
    if (opcode == small_pkg::OpBranch && branch_taken) next_pc = pc_q + imm_b;
    if (is_mret) next_pc = mepc;
  end

  logic [31:0] result;
  logic writes;
  always_comb begin
    unique case (opcode)
      small_pkg::OpLui: result = imm_u;
      small_pkg::OpAuipc: result = pc_q + imm_u;
      small_pkg::OpJal, small_pkg::OpJalr: result = link;
      small_pkg::OpLoad: result = loaded;
      small_pkg::OpSystem: result = csr_rdata;
      default: result = is_muldiv ? muldiv_result : alu_result;
    endcase
  end
  assign writes = retire && rd != 5'd0 && opcode != small_pkg::OpStore && opcode != small_pkg::OpBranch &&
                  opcode != small_pkg::OpFence && !is_system;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      state_q <= Fetch;
      pc_q <= ResetPc;
    end else begin
      state_q <= state_d;
      if (state_q == Fetch && mem_ack_i)
        insn_q <= pc_q[1] ? {16'd0, mem_rdata_i[31:16]} : mem_rdata_i;
      if (state_q == FetchHigh && mem_ack_i) insn_q[31:16] <= mem_rdata_i[15:0];
      if (trap) pc_q <= mtvec;
      else if (retire) pc_q <= next_pc;
    end
  end

  always_ff @(posedge clk_i) begin
    if (!rst_ni) registers_q[0] <= 32'd0;
    else if (writes) registers_q[rd] <= result;
  end

  // RVFI, a cycle later. An instruction before which an interrupt is taken is not reported.

  logic traps_on;  // the next instruction is a trap handler's first
  logic is_interrupt;
  assign is_interrupt = trap && cause[4];
  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      rvfi_valid <= 1'b0;
      rvfi_order <= 64'd0;
      traps_on <= 1'b0;
      rvfi_cause <= 32'd0;
    end else begin
      rvfi_valid <= (retire || trap) && !is_interrupt;
      if (rvfi_valid) rvfi_order <= rvfi_order + 64'd1;
      if (retire || trap) traps_on <= trap;
      if (trap) rvfi_cause <= {cause[4], 27'd0, cause[3:0]};
    end
    rvfi_insn <= compressed ? {16'd0, insn_q[15:0]} : insn_q;
    rvfi_trap <= trap;
    rvfi_intr <= traps_on;
    rvfi_mode <= priv;
    rvfi_rd_addr <= writes ? rd : 5'd0;
    rvfi_rd_wdata <= writes ? result : 32'd0;
    rvfi_pc_rdata <= pc_q;
    rvfi_pc_wdata <= trap ? mtvec : next_pc;
  end

endmodule
