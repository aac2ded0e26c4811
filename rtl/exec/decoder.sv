// SPDX-License-Identifier: Apache-2.0
// Decoder of 32-bit instructions of RV64IMAFD, Zicsr, Zifencei, privileged ones, and cpy.
//
// Combinational: a table indexed by opcode, funct3 and two bits of funct7, then
// the few checks and choices that need more bits; those of F and D are in
// decoder_float.sv. M checks what depends on privilege or on the CSR. An illegal
// instruction becomes an AluAdd that reads and writes no register. The outputs mean
// something only with valid_i, and imm_o only if the instruction has an immediate; that of
// a shift holds the upper bits too, since the ALU uses only the amount.

module decoder #(
  parameter bit Float = 1'b1  // 0: instructions of F and D are illegal
) (
  input logic          valid_i,
  input logic [31:0]   insn_i,
  input logic          float_on_i,  // as in decoder_float.sv
  input soc_pkg::frm_t frm_i,
  input logic          copy_on_i,   // cpy is not illegal

  output logic           illegal_o,
  output soc_pkg::unit_e unit_o,
  output soc_pkg::op_t   op_o,
  output logic           word_o,     // 32-bit form
  output soc_pkg::rd_t   rd_o,       // registers; 0 if not written or read
  output soc_pkg::rd_t   rs1_o,
  output soc_pkg::rd_t   rs2_o,
  output logic           use_imm_o,  // the ALU's second operand is imm_o
  output logic           use_pc_o,   // the ALU's first operand is the pc
  output logic [63:0]    imm_o,

  // An instruction of F or D, even if illegal, with its operation, rounding mode and third
  // source register; or a CSR instruction that accesses fcsr
  output logic           is_float_o,
  output soc_pkg::fpu_t  fpu_o,
  output soc_pkg::frm_t  rounding_o,
  output soc_pkg::rd_t   rs3_o
);

  // Major opcodes, bits 6:2.
  typedef enum logic [4:0] {
    Load = 5'h00,
    LoadFp = 5'h01,
    Custom0 = 5'h02,
    MiscMem = 5'h03,
    OpImm = 5'h04,
    Auipc = 5'h05,
    OpImm32 = 5'h06,
    Store = 5'h08,
    StoreFp = 5'h09,
    Amo = 5'h0b,
    Op = 5'h0c,
    Lui = 5'h0d,
    Op32 = 5'h0e,
    Madd = 5'h10,
    Msub = 5'h11,
    Nmsub = 5'h12,
    Nmadd = 5'h13,
    OpFp = 5'h14,
    Branch = 5'h18,
    Jalr = 5'h19,
    Jal = 5'h1b,
    System = 5'h1c
  } opcode_e;

  // Remaining checks.
  typedef enum logic [2:0] {
    Any = 3'd0,  // none
    F7 = 3'd1,  // the other bits of funct7 (or funct6) are 0
    A = 3'd2,  // funct5 of AMO
    Sys = 3'd3,  // the rest of SYSTEM
    F = 3'd4,  // F and D, by decoder_float.sv
    C = 3'd5,  // the CSR: is it part of fcsr?
    Bad = 3'd6,  // illegal
    K = 3'd7  // cpy
  } check_e;

  // Immediate formats; Z: of CSR instructions; N: none, 0.
  typedef enum logic [2:0] {
    I = 3'd0,
    S = 3'd1,
    B = 3'd2,
    U = 3'd3,
    J = 3'd4,
    Z = 3'd5,
    N = 3'd6
  } imm_e;

  // Operands read, and whether rd is written.
  typedef struct packed {
    logic pc;
    logic imm;
    logic rd;
    logic rs1;
    logic rs2;
  } operands_t;

  typedef struct packed {
    check_e     check;
    imm_e       imm;
    operands_t  operands;
    logic [8:0] action;  // soc_pkg::action_t: yosys supports no package type here
  } row_t;

  // Operands of the rows.
  localparam operands_t None = 5'b00000;
  localparam operands_t R1 = 5'b00010;
  localparam operands_t R12 = 5'b00011;
  localparam operands_t D = 5'b00100;
  localparam operands_t D1 = 5'b00110;
  localparam operands_t D12 = 5'b00111;
  localparam operands_t DI = 5'b01100;
  localparam operands_t D1I = 5'b01110;
  localparam operands_t DPI = 5'b11100;
  // Word: the 32-bit form or the 64-bit one.
  localparam logic W = 1'b1;
  localparam logic X = 1'b0;

  logic [9:0] key;
  assign key = {insn_i[6:2], insn_i[14:12], insn_i[30], insn_i[25]};

  // The rows hold only constants, so that a simulator can make a table of them.
  row_t row;
  always_comb begin
    casez (key)
      {Load, 5'b0????} : row = {Any, I, D1, X, soc_pkg::UnitMem, soc_pkg::MemLoad};
      {Load, 5'b10???} : row = {Any, I, D1, X, soc_pkg::UnitMem, soc_pkg::MemLoad};
      {Load, 5'b110??} : row = {Any, I, D1, X, soc_pkg::UnitMem, soc_pkg::MemLoad};
      {Store, 5'b0????} : row = {Any, S, R12, X, soc_pkg::UnitMem, soc_pkg::MemStore};
      {LoadFp, 5'b01???} : row = {F, I, R1, X, soc_pkg::UnitFloatMem, soc_pkg::MemLoad};
      {StoreFp, 5'b01???} : row = {F, S, R1, X, soc_pkg::UnitFloatMem, soc_pkg::MemStore};
      {Madd, 5'b?????} : row = {F, N, None, X, soc_pkg::UnitFma, soc_pkg::FloatFma};
      {Msub, 5'b?????} : row = {F, N, None, X, soc_pkg::UnitFma, soc_pkg::FloatFma};
      {Nmsub, 5'b?????} : row = {F, N, None, X, soc_pkg::UnitFma, soc_pkg::FloatFma};
      {Nmadd, 5'b?????} : row = {F, N, None, X, soc_pkg::UnitFma, soc_pkg::FloatFma};
      {OpFp, 5'b?????} : row = {F, N, None, X, soc_pkg::UnitFpu, soc_pkg::FloatOther};
      {Custom0, 5'b00000} : row = {K, N, D12, X, soc_pkg::UnitMem, soc_pkg::MemCopy};
      {Amo, 5'b01???} : row = {A, N, D12, X, soc_pkg::UnitMem, soc_pkg::MemAmo};

      {OpImm, 5'b000??} : row = {Any, I, D1I, X, soc_pkg::UnitAlu, soc_pkg::AluAdd};
      {OpImm, 5'b0010?} : row = {F7, I, D1I, X, soc_pkg::UnitAlu, soc_pkg::AluSll};
      {OpImm, 5'b010??} : row = {Any, I, D1I, X, soc_pkg::UnitAlu, soc_pkg::AluSlt};
      {OpImm, 5'b011??} : row = {Any, I, D1I, X, soc_pkg::UnitAlu, soc_pkg::AluSltu};
      {OpImm, 5'b100??} : row = {Any, I, D1I, X, soc_pkg::UnitAlu, soc_pkg::AluXor};
      {OpImm, 5'b1010?} : row = {F7, I, D1I, X, soc_pkg::UnitAlu, soc_pkg::AluSrl};
      {OpImm, 5'b1011?} : row = {F7, I, D1I, X, soc_pkg::UnitAlu, soc_pkg::AluSra};
      {OpImm, 5'b110??} : row = {Any, I, D1I, X, soc_pkg::UnitAlu, soc_pkg::AluOr};
      {OpImm, 5'b111??} : row = {Any, I, D1I, X, soc_pkg::UnitAlu, soc_pkg::AluAnd};
      {OpImm32, 5'b000??} : row = {Any, I, D1I, W, soc_pkg::UnitAlu, soc_pkg::AluAdd};
      {OpImm32, 5'b00100} : row = {F7, I, D1I, W, soc_pkg::UnitAlu, soc_pkg::AluSll};
      {OpImm32, 5'b10100} : row = {F7, I, D1I, W, soc_pkg::UnitAlu, soc_pkg::AluSrl};
      {OpImm32, 5'b10110} : row = {F7, I, D1I, W, soc_pkg::UnitAlu, soc_pkg::AluSra};
      {Auipc, 5'b?????} : row = {Any, U, DPI, X, soc_pkg::UnitAlu, soc_pkg::AluAdd};
      {Lui, 5'b?????} : row = {Any, U, DI, X, soc_pkg::UnitAlu, soc_pkg::AluAdd};

      {Op, 5'b00000} : row = {F7, I, D12, X, soc_pkg::UnitAlu, soc_pkg::AluAdd};
      {Op, 5'b00010} : row = {F7, I, D12, X, soc_pkg::UnitAlu, soc_pkg::AluSub};
      {Op, 5'b00100} : row = {F7, I, D12, X, soc_pkg::UnitAlu, soc_pkg::AluSll};
      {Op, 5'b01000} : row = {F7, I, D12, X, soc_pkg::UnitAlu, soc_pkg::AluSlt};
      {Op, 5'b01100} : row = {F7, I, D12, X, soc_pkg::UnitAlu, soc_pkg::AluSltu};
      {Op, 5'b10000} : row = {F7, I, D12, X, soc_pkg::UnitAlu, soc_pkg::AluXor};
      {Op, 5'b10100} : row = {F7, I, D12, X, soc_pkg::UnitAlu, soc_pkg::AluSrl};
      {Op, 5'b10110} : row = {F7, I, D12, X, soc_pkg::UnitAlu, soc_pkg::AluSra};
      {Op, 5'b11000} : row = {F7, I, D12, X, soc_pkg::UnitAlu, soc_pkg::AluOr};
      {Op, 5'b11100} : row = {F7, I, D12, X, soc_pkg::UnitAlu, soc_pkg::AluAnd};
      {Op, 5'b00001} : row = {F7, I, D12, X, soc_pkg::UnitMul, 2'd0, soc_pkg::MulLow};
      {Op, 5'b00101} : row = {F7, I, D12, X, soc_pkg::UnitMul, 2'd0, soc_pkg::MulHigh};
      {Op, 5'b01001} : row = {F7, I, D12, X, soc_pkg::UnitMul, 2'd0, soc_pkg::MulHighSu};
      {Op, 5'b01101} : row = {F7, I, D12, X, soc_pkg::UnitMul, 2'd0, soc_pkg::MulHighU};
      {Op, 5'b10001} : row = {F7, I, D12, X, soc_pkg::UnitDiv, 2'd0, soc_pkg::DivQuotient};
      {Op, 5'b10101} : row = {F7, I, D12, X, soc_pkg::UnitDiv, 2'd0, soc_pkg::DivQuotientU};
      {Op, 5'b11001} : row = {F7, I, D12, X, soc_pkg::UnitDiv, 2'd0, soc_pkg::DivRemainder};
      {Op, 5'b11101} : row = {F7, I, D12, X, soc_pkg::UnitDiv, 2'd0, soc_pkg::DivRemainderU};

      {Op32, 5'b00000} : row = {F7, I, D12, W, soc_pkg::UnitAlu, soc_pkg::AluAdd};
      {Op32, 5'b00010} : row = {F7, I, D12, W, soc_pkg::UnitAlu, soc_pkg::AluSub};
      {Op32, 5'b00100} : row = {F7, I, D12, W, soc_pkg::UnitAlu, soc_pkg::AluSll};
      {Op32, 5'b10100} : row = {F7, I, D12, W, soc_pkg::UnitAlu, soc_pkg::AluSrl};
      {Op32, 5'b10110} : row = {F7, I, D12, W, soc_pkg::UnitAlu, soc_pkg::AluSra};
      {Op32, 5'b00001} : row = {F7, I, D12, W, soc_pkg::UnitMul, 2'd0, soc_pkg::MulLow};
      {Op32, 5'b10001} : row = {F7, I, D12, W, soc_pkg::UnitDiv, 2'd0, soc_pkg::DivQuotient};
      {Op32, 5'b10101} : row = {F7, I, D12, W, soc_pkg::UnitDiv, 2'd0, soc_pkg::DivQuotientU};
      {Op32, 5'b11001} : row = {F7, I, D12, W, soc_pkg::UnitDiv, 2'd0, soc_pkg::DivRemainder};
      {Op32, 5'b11101} : row = {F7, I, D12, W, soc_pkg::UnitDiv, 2'd0, soc_pkg::DivRemainderU};

      {Branch, 5'b000??} : row = {Any, B, R12, X, soc_pkg::UnitBranch, soc_pkg::BranchEq};
      {Branch, 5'b001??} : row = {Any, B, R12, X, soc_pkg::UnitBranch, soc_pkg::BranchNe};
      {Branch, 5'b100??} : row = {Any, B, R12, X, soc_pkg::UnitBranch, soc_pkg::BranchLt};
      {Branch, 5'b101??} : row = {Any, B, R12, X, soc_pkg::UnitBranch, soc_pkg::BranchGe};
      {Branch, 5'b110??} : row = {Any, B, R12, X, soc_pkg::UnitBranch, soc_pkg::BranchLtu};
      {Branch, 5'b111??} : row = {Any, B, R12, X, soc_pkg::UnitBranch, soc_pkg::BranchGeu};
      {Jalr, 5'b000??} : row = {Any, I, D1, X, soc_pkg::UnitJump, soc_pkg::JumpJalr};
      {Jal, 5'b?????} : row = {Any, J, D, X, soc_pkg::UnitJump, soc_pkg::JumpJal};

      // The other fields of fences are hints.
      {MiscMem, 5'b000??} : row = {Any, I, None, X, soc_pkg::UnitAlu, soc_pkg::AluAdd};
      {MiscMem, 5'b001??} : row = {Any, I, None, X, soc_pkg::UnitSys, soc_pkg::SysFenceI};
      {System, 5'b000??} : row = {Sys, I, None, X, soc_pkg::UnitSys, soc_pkg::SysEcall};
      {System, 5'b001??} : row = {C, Z, D1, X, soc_pkg::UnitCsr, 2'b00, soc_pkg::CsrWrite};
      {System, 5'b010??} : row = {C, Z, D1, X, soc_pkg::UnitCsr, 2'b00, soc_pkg::CsrSet};
      {System, 5'b011??} : row = {C, Z, D1, X, soc_pkg::UnitCsr, 2'b00, soc_pkg::CsrClear};
      {System, 5'b101??} : row = {C, Z, D, X, soc_pkg::UnitCsr, 2'b01, soc_pkg::CsrWrite};
      {System, 5'b110??} : row = {C, Z, D, X, soc_pkg::UnitCsr, 2'b01, soc_pkg::CsrSet};
      {System, 5'b111??} : row = {C, Z, D, X, soc_pkg::UnitCsr, 2'b01, soc_pkg::CsrClear};
      default: row = {Bad, I, None, X, soc_pkg::UnitAlu, soc_pkg::AluAdd};
    endcase
  end

  soc_pkg::action_t action;
  assign action = row.action;

  logic [31:0] imm;
  always_comb begin
    imm = 32'd0;
    if (valid_i) begin
      case (row.imm)
        I: imm = {{20{insn_i[31]}}, insn_i[31:20]};
        S: imm = {{20{insn_i[31]}}, insn_i[31:25], insn_i[11:7]};
        B: imm = {{20{insn_i[31]}}, insn_i[7], insn_i[30:25], insn_i[11:8], 1'b0};
        U: imm = {insn_i[31:12], 12'd0};
        J: imm = {{12{insn_i[31]}}, insn_i[19:12], insn_i[20], insn_i[30:21], 1'b0};
        Z: imm = {27'd0, insn_i[19:15]};
        default: ;
      endcase
    end
  end

  // F and D
  logic float_illegal;
  soc_pkg::unit_e float_unit;
  soc_pkg::float_op_e float_op;
  soc_pkg::rd_t float_rd, float_rs1, float_rs2;
  if (Float) begin : gen_float
    decoder_float u_float (
      .valid_i   (action.unit[3]),
      .insn_i    (insn_i[31:2]),
      .on_i      (float_on_i),
      .frm_i,
      .illegal_o (float_illegal),
      .unit_o    (float_unit),
      .op_o      (float_op),
      .fpu_o,
      .rounding_o,
      .rd_o      (float_rd),
      .rs1_o     (float_rs1),
      .rs2_o     (float_rs2),
      .rs3_o
    );
  end else begin : gen_no_float
    logic unused;
    assign unused = float_on_i || frm_i != '0;
    assign float_illegal = 1'b1;
    assign float_unit = soc_pkg::UnitFpu;
    assign float_op = soc_pkg::FloatOther;
    assign float_rd = '0;
    assign float_rs1 = '0;
    assign float_rs2 = '0;
    assign fpu_o = '0;
    assign rounding_o = '0;
    assign rs3_o = '0;
  end

  assign use_pc_o = row.operands.pc;
  assign use_imm_o = row.operands.imm;
  assign word_o = action.word;
  assign imm_o = {{32{imm[31]}}, imm};

  always_comb begin
    illegal_o = 1'b0;
    unit_o = action.unit;
    op_o.bits = action.op.bits;
    rd_o = '0;
    rs1_o = '0;
    rs2_o = '0;
    is_float_o = 1'b0;
    if (valid_i) begin
      illegal_o = insn_i[1:0] != 2'd3;
      rd_o = row.operands.rd ? {1'b0, insn_i[11:7]} : '0;
      rs1_o = row.operands.rs1 ? {1'b0, insn_i[19:15]} : '0;
      rs2_o = row.operands.rs2 ? {1'b0, insn_i[24:20]} : '0;

      case (row.check)
        Any: ;
        F7: if ({insn_i[31], insn_i[29:26]} != 5'd0) illegal_o = 1'b1;
        A:
        if (insn_i[31:29] != 3'd0) begin
          if (insn_i[28:27] != 2'd0) illegal_o = 1'b1;
        end else if (insn_i[28]) begin
          op_o.mem = insn_i[27] ? soc_pkg::MemSc : soc_pkg::MemLr;
          if (!insn_i[27] && insn_i[24:20] != 5'd0) illegal_o = 1'b1;
        end
        Sys: begin
          if (insn_i[11:7] != 5'd0) illegal_o = 1'b1;
          if (insn_i[31:25] == 7'h09) begin
            op_o.sys = soc_pkg::SysSfence;
            rs1_o = {1'b0, insn_i[19:15]};
            rs2_o = {1'b0, insn_i[24:20]};
          end else begin
            case (insn_i[31:15])
              {12'h000, 5'd0} : op_o.sys = soc_pkg::SysEcall;
              {12'h001, 5'd0} : op_o.sys = soc_pkg::SysEbreak;
              {12'h102, 5'd0} : op_o.sys = soc_pkg::SysSret;
              {12'h105, 5'd0} : op_o.sys = soc_pkg::SysWfi;
              {12'h302, 5'd0} : op_o.sys = soc_pkg::SysMret;
              default: illegal_o = 1'b1;
            endcase
          end
        end
        F: begin
          if (float_illegal) illegal_o = 1'b1;
          is_float_o = 1'b1;
          rd_o = float_rd;
          rs1_o = float_rs1;
          rs2_o = float_rs2;
          unit_o = float_unit;
          if (float_unit != soc_pkg::UnitFloatMem) op_o.fpu = float_op;
        end
        K: begin
          // The source is accessed first. M reads rd.
          rs1_o = {1'b0, insn_i[24:20]};
          rs2_o = {1'b0, insn_i[19:15]};
          if ({insn_i[31], insn_i[29:26]} != 5'd0 || insn_i[11:7] == 5'd0 || !copy_on_i)
            illegal_o = 1'b1;
        end
        C: if (insn_i[31:22] == 10'd0) is_float_o = 1'b1;
        default: illegal_o = 1'b1;
      endcase

      if (illegal_o) begin
        unit_o = soc_pkg::UnitAlu;
        op_o.alu = soc_pkg::AluAdd;
        rd_o = '0;
        rs1_o = '0;
        rs2_o = '0;
      end
    end
  end

endmodule
