// SPDX-License-Identifier: Apache-2.0
// Decoder of 32-bit instructions of RV64IMA, Zicsr, Zifencei and the system.
//
// Combinational: a table looked up by opcode, funct3 and two bits of funct7, then
// the few checks and choices that need more bits. What depends on privilege or on
// the CSR is decided later. An illegal instruction is an ALU_ADD that reads and
// writes no register. imm_o has a meaning only where the instruction has one; that
// of a shift holds the upper bits too, since the ALU looks at the amount alone.

module decoder (
  input logic [31:0] insn_i,

  output logic        illegal_o,
  output logic [ 2:0] unit_o,     // UNIT_*
  output logic [ 3:0] op_o,       // as the unit says
  output logic        word_o,     // 32-bit form
  output logic [ 4:0] rd_o,       // registers: 0 if not written or read
  output logic [ 4:0] rs1_o,
  output logic [ 4:0] rs2_o,
  output logic        use_imm_o,  // the ALU's second operand is imm_o
  output logic        use_pc_o,   // the ALU's first operand is the pc
  output logic [63:0] imm_o
);

  // Major opcodes, bits 6:2.
  localparam logic [4:0] LOAD = 5'h00;
  localparam logic [4:0] MISC_MEM = 5'h03;
  localparam logic [4:0] OP_IMM = 5'h04;
  localparam logic [4:0] AUIPC = 5'h05;
  localparam logic [4:0] OP_IMM_32 = 5'h06;
  localparam logic [4:0] STORE = 5'h08;
  localparam logic [4:0] AMO = 5'h0b;
  localparam logic [4:0] OP = 5'h0c;
  localparam logic [4:0] LUI = 5'h0d;
  localparam logic [4:0] OP_32 = 5'h0e;
  localparam logic [4:0] BRANCH = 5'h18;
  localparam logic [4:0] JALR = 5'h19;
  localparam logic [4:0] JAL = 5'h1b;
  localparam logic [4:0] SYSTEM = 5'h1c;

  // A row of the table is {check, immediate, operands, word, unit, op}.
  // What is yet to be checked:
  localparam logic [2:0] ANY = 3'd0;  // nothing
  localparam logic [2:0] F7 = 3'd1;  // the rest of funct7 (of funct6) is 0
  localparam logic [2:0] A = 3'd2;  // funct5 of AMO
  localparam logic [2:0] SYS = 3'd3;  // the rest of SYSTEM
  localparam logic [2:0] BAD = 3'd4;  // it is illegal
  // The immediate, as the formats name it; Z is that of CSR instructions, N is 0:
  localparam logic [2:0] I = 3'd0;
  localparam logic [2:0] S = 3'd1;
  localparam logic [2:0] B = 3'd2;
  localparam logic [2:0] U = 3'd3;
  localparam logic [2:0] J = 3'd4;
  localparam logic [2:0] Z = 3'd5;
  localparam logic [2:0] N = 3'd6;
  // Operands, {pc, immediate, rd, rs1, rs2}:
  localparam logic [4:0] NONE = 5'b00000;
  localparam logic [4:0] R12 = 5'b00011;
  localparam logic [4:0] D = 5'b00100;
  localparam logic [4:0] D1 = 5'b00110;
  localparam logic [4:0] D12 = 5'b00111;
  localparam logic [4:0] DI = 5'b01100;
  localparam logic [4:0] D1I = 5'b01110;
  localparam logic [4:0] DPI = 5'b11100;
  // Word: the 32-bit form, or the full one.
  localparam logic W = 1'b1;
  localparam logic X = 1'b0;

  logic [9:0] key;
  assign key = {insn_i[6:2], insn_i[14:12], insn_i[30], insn_i[25]};

  // The rows hold constants only, so that a simulator can keep them as a table.
  logic [18:0] row;
  always_comb begin
    casez (key)
      {LOAD, 5'b0????} : row = {ANY, I, D1, X, soc_pkg::UNIT_MEM, soc_pkg::MEM_LOAD};
      {LOAD, 5'b10???} : row = {ANY, I, D1, X, soc_pkg::UNIT_MEM, soc_pkg::MEM_LOAD};
      {LOAD, 5'b110??} : row = {ANY, I, D1, X, soc_pkg::UNIT_MEM, soc_pkg::MEM_LOAD};
      {STORE, 5'b0????} : row = {ANY, S, R12, X, soc_pkg::UNIT_MEM, soc_pkg::MEM_STORE};
      {AMO, 5'b01???} : row = {A, N, D12, X, soc_pkg::UNIT_MEM, soc_pkg::MEM_AMO};

      {OP_IMM, 5'b000??} : row = {ANY, I, D1I, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_ADD};
      {OP_IMM, 5'b0010?} : row = {F7, I, D1I, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_SLL};
      {OP_IMM, 5'b010??} : row = {ANY, I, D1I, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_SLT};
      {OP_IMM, 5'b011??} : row = {ANY, I, D1I, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_SLTU};
      {OP_IMM, 5'b100??} : row = {ANY, I, D1I, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_XOR};
      {OP_IMM, 5'b1010?} : row = {F7, I, D1I, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_SRL};
      {OP_IMM, 5'b1011?} : row = {F7, I, D1I, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_SRA};
      {OP_IMM, 5'b110??} : row = {ANY, I, D1I, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_OR};
      {OP_IMM, 5'b111??} : row = {ANY, I, D1I, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_AND};
      {OP_IMM_32, 5'b000??} : row = {ANY, I, D1I, W, soc_pkg::UNIT_ALU, soc_pkg::ALU_ADD};
      {OP_IMM_32, 5'b00100} : row = {F7, I, D1I, W, soc_pkg::UNIT_ALU, soc_pkg::ALU_SLL};
      {OP_IMM_32, 5'b10100} : row = {F7, I, D1I, W, soc_pkg::UNIT_ALU, soc_pkg::ALU_SRL};
      {OP_IMM_32, 5'b10110} : row = {F7, I, D1I, W, soc_pkg::UNIT_ALU, soc_pkg::ALU_SRA};
      {AUIPC, 5'b?????} : row = {ANY, U, DPI, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_ADD};
      {LUI, 5'b?????} : row = {ANY, U, DI, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_ADD};

      {OP, 5'b00000} : row = {F7, I, D12, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_ADD};
      {OP, 5'b00010} : row = {F7, I, D12, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_SUB};
      {OP, 5'b00100} : row = {F7, I, D12, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_SLL};
      {OP, 5'b01000} : row = {F7, I, D12, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_SLT};
      {OP, 5'b01100} : row = {F7, I, D12, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_SLTU};
      {OP, 5'b10000} : row = {F7, I, D12, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_XOR};
      {OP, 5'b10100} : row = {F7, I, D12, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_SRL};
      {OP, 5'b10110} : row = {F7, I, D12, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_SRA};
      {OP, 5'b11000} : row = {F7, I, D12, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_OR};
      {OP, 5'b11100} : row = {F7, I, D12, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_AND};
      {OP, 5'b00001} : row = {F7, I, D12, X, soc_pkg::UNIT_MUL, 4'd0};
      {OP, 5'b00101} : row = {F7, I, D12, X, soc_pkg::UNIT_MUL, 4'd1};
      {OP, 5'b01001} : row = {F7, I, D12, X, soc_pkg::UNIT_MUL, 4'd2};
      {OP, 5'b01101} : row = {F7, I, D12, X, soc_pkg::UNIT_MUL, 4'd3};
      {OP, 5'b10001} : row = {F7, I, D12, X, soc_pkg::UNIT_DIV, 4'd0};
      {OP, 5'b10101} : row = {F7, I, D12, X, soc_pkg::UNIT_DIV, 4'd1};
      {OP, 5'b11001} : row = {F7, I, D12, X, soc_pkg::UNIT_DIV, 4'd2};
      {OP, 5'b11101} : row = {F7, I, D12, X, soc_pkg::UNIT_DIV, 4'd3};

      {OP_32, 5'b00000} : row = {F7, I, D12, W, soc_pkg::UNIT_ALU, soc_pkg::ALU_ADD};
      {OP_32, 5'b00010} : row = {F7, I, D12, W, soc_pkg::UNIT_ALU, soc_pkg::ALU_SUB};
      {OP_32, 5'b00100} : row = {F7, I, D12, W, soc_pkg::UNIT_ALU, soc_pkg::ALU_SLL};
      {OP_32, 5'b10100} : row = {F7, I, D12, W, soc_pkg::UNIT_ALU, soc_pkg::ALU_SRL};
      {OP_32, 5'b10110} : row = {F7, I, D12, W, soc_pkg::UNIT_ALU, soc_pkg::ALU_SRA};
      {OP_32, 5'b00001} : row = {F7, I, D12, W, soc_pkg::UNIT_MUL, 4'd0};
      {OP_32, 5'b10001} : row = {F7, I, D12, W, soc_pkg::UNIT_DIV, 4'd0};
      {OP_32, 5'b10101} : row = {F7, I, D12, W, soc_pkg::UNIT_DIV, 4'd1};
      {OP_32, 5'b11001} : row = {F7, I, D12, W, soc_pkg::UNIT_DIV, 4'd2};
      {OP_32, 5'b11101} : row = {F7, I, D12, W, soc_pkg::UNIT_DIV, 4'd3};

      {BRANCH, 5'b000??} : row = {ANY, B, R12, X, soc_pkg::UNIT_BRANCH, 4'd0};
      {BRANCH, 5'b001??} : row = {ANY, B, R12, X, soc_pkg::UNIT_BRANCH, 4'd1};
      {BRANCH, 5'b100??} : row = {ANY, B, R12, X, soc_pkg::UNIT_BRANCH, 4'd4};
      {BRANCH, 5'b101??} : row = {ANY, B, R12, X, soc_pkg::UNIT_BRANCH, 4'd5};
      {BRANCH, 5'b110??} : row = {ANY, B, R12, X, soc_pkg::UNIT_BRANCH, 4'd6};
      {BRANCH, 5'b111??} : row = {ANY, B, R12, X, soc_pkg::UNIT_BRANCH, 4'd7};
      {JALR, 5'b000??} : row = {ANY, I, D1, X, soc_pkg::UNIT_JUMP, soc_pkg::JUMP_JALR};
      {JAL, 5'b?????} : row = {ANY, J, D, X, soc_pkg::UNIT_JUMP, soc_pkg::JUMP_JAL};

      // The other fields of fences are hints.
      {MISC_MEM, 5'b000??} : row = {ANY, I, NONE, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_ADD};
      {MISC_MEM, 5'b001??} : row = {ANY, I, NONE, X, soc_pkg::UNIT_SYS, soc_pkg::SYS_FENCE_I};
      {SYSTEM, 5'b000??} : row = {SYS, I, NONE, X, soc_pkg::UNIT_SYS, soc_pkg::SYS_ECALL};
      {SYSTEM, 5'b001??} : row = {ANY, Z, D1, X, soc_pkg::UNIT_CSR, 4'd1};
      {SYSTEM, 5'b010??} : row = {ANY, Z, D1, X, soc_pkg::UNIT_CSR, 4'd2};
      {SYSTEM, 5'b011??} : row = {ANY, Z, D1, X, soc_pkg::UNIT_CSR, 4'd3};
      {SYSTEM, 5'b101??} : row = {ANY, Z, D, X, soc_pkg::UNIT_CSR, 4'd5};
      {SYSTEM, 5'b110??} : row = {ANY, Z, D, X, soc_pkg::UNIT_CSR, 4'd6};
      {SYSTEM, 5'b111??} : row = {ANY, Z, D, X, soc_pkg::UNIT_CSR, 4'd7};
      default: row = {BAD, I, NONE, X, soc_pkg::UNIT_ALU, soc_pkg::ALU_ADD};
    endcase
  end

  logic [31:0] imm;
  always_comb begin
    case (row[15:13])
      I: imm = {{20{insn_i[31]}}, insn_i[31:20]};
      S: imm = {{20{insn_i[31]}}, insn_i[31:25], insn_i[11:7]};
      B: imm = {{20{insn_i[31]}}, insn_i[7], insn_i[30:25], insn_i[11:8], 1'b0};
      U: imm = {insn_i[31:12], 12'd0};
      J: imm = {{12{insn_i[31]}}, insn_i[19:12], insn_i[20], insn_i[30:21], 1'b0};
      Z: imm = {27'd0, insn_i[19:15]};
      default: imm = 32'd0;
    endcase
  end

  assign use_pc_o = row[12];
  assign use_imm_o = row[11];
  assign word_o = row[7];
  assign imm_o = {{32{imm[31]}}, imm};

  always_comb begin
    illegal_o = insn_i[1:0] != 2'd3;
    unit_o = row[6:4];
    op_o = row[3:0];
    rd_o = row[10] ? insn_i[11:7] : 5'd0;
    rs1_o = row[9] ? insn_i[19:15] : 5'd0;
    rs2_o = row[8] ? insn_i[24:20] : 5'd0;

    case (row[18:16])
      ANY: ;
      F7: if ({insn_i[31], insn_i[29:26]} != 5'd0) illegal_o = 1'b1;
      A:
      if (insn_i[31:29] != 3'd0) begin
        if (insn_i[28:27] != 2'd0) illegal_o = 1'b1;
      end else if (insn_i[28]) begin
        op_o = insn_i[27] ? soc_pkg::MEM_SC : soc_pkg::MEM_LR;
        if (!insn_i[27] && insn_i[24:20] != 5'd0) illegal_o = 1'b1;
      end
      SYS: begin
        if (insn_i[11:7] != 5'd0) illegal_o = 1'b1;
        if (insn_i[31:25] == 7'h09) begin
          op_o = soc_pkg::SYS_SFENCE;
          rs1_o = insn_i[19:15];
          rs2_o = insn_i[24:20];
        end else begin
          case (insn_i[31:15])
            {12'h000, 5'd0} : op_o = soc_pkg::SYS_ECALL;
            {12'h001, 5'd0} : op_o = soc_pkg::SYS_EBREAK;
            {12'h102, 5'd0} : op_o = soc_pkg::SYS_SRET;
            {12'h105, 5'd0} : op_o = soc_pkg::SYS_WFI;
            {12'h302, 5'd0} : op_o = soc_pkg::SYS_MRET;
            default: illegal_o = 1'b1;
          endcase
        end
      end
      default: illegal_o = 1'b1;
    endcase

    if (illegal_o) begin
      unit_o = soc_pkg::UNIT_ALU;
      op_o = soc_pkg::ALU_ADD;
      rd_o = 5'd0;
      rs1_o = 5'd0;
      rs2_o = 5'd0;
    end
  end

endmodule
