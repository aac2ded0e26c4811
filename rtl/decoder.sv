// SPDX-License-Identifier: Apache-2.0
// Decoder of 32-bit instructions of RV64IMA, Zicsr, Zifencei and the system.
//
// Combinational. What depends on privilege or on the CSR is decided later. An
// illegal instruction is an ALU_ADD that reads and writes no register. imm_o of a
// shift holds the instruction's upper bits too, since the ALU looks at the amount
// alone.

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

  logic [2:0] funct3;
  assign funct3 = insn_i[14:12];

  // Of OP-IMM and OP, without the choice that bit 30 makes.
  logic [3:0] alu_op;
  always_comb begin
    case (funct3)
      3'd0: alu_op = soc_pkg::ALU_ADD;
      3'd1: alu_op = soc_pkg::ALU_SLL;
      3'd2: alu_op = soc_pkg::ALU_SLT;
      3'd3: alu_op = soc_pkg::ALU_SLTU;
      3'd4: alu_op = soc_pkg::ALU_XOR;
      3'd5: alu_op = soc_pkg::ALU_SRL;
      3'd6: alu_op = soc_pkg::ALU_OR;
      default: alu_op = soc_pkg::ALU_AND;
    endcase
  end

  always_comb begin
    illegal_o = 1'b0;
    unit_o = soc_pkg::UNIT_ALU;
    op_o = soc_pkg::ALU_ADD;
    word_o = 1'b0;
    rd_o = insn_i[11:7];
    rs1_o = insn_i[19:15];
    rs2_o = 5'd0;
    use_imm_o = 1'b0;
    use_pc_o = 1'b0;
    imm_o = {{52{insn_i[31]}}, insn_i[31:20]};

    case (insn_i[6:0])
      7'h03: begin  // LOAD
        unit_o = soc_pkg::UNIT_MEM;
        op_o = soc_pkg::MEM_LOAD;
        illegal_o = funct3 == 3'd7;
      end

      7'h0f: begin  // MISC-MEM: the fields of fences are all hints
        rd_o = 5'd0;
        rs1_o = 5'd0;
        if (funct3 == 3'd1) begin
          unit_o = soc_pkg::UNIT_SYS;
          op_o = soc_pkg::SYS_FENCE_I;
        end
        illegal_o = funct3[2:1] != 2'd0;
      end

      7'h13: begin  // OP-IMM
        use_imm_o = 1'b1;
        op_o = alu_op;
        if (funct3 == 3'd1) begin
          illegal_o = insn_i[31:26] != 6'h00;
        end else if (funct3 == 3'd5) begin
          if (insn_i[30]) op_o = soc_pkg::ALU_SRA;
          illegal_o = {insn_i[31], insn_i[29:26]} != 5'h00;
        end
      end

      7'h17: begin  // AUIPC
        use_imm_o = 1'b1;
        use_pc_o = 1'b1;
        rs1_o = 5'd0;
        imm_o = {{32{insn_i[31]}}, insn_i[31:12], 12'd0};
      end

      7'h1b: begin  // OP-IMM-32
        use_imm_o = 1'b1;
        word_o = 1'b1;
        op_o = alu_op;
        case (funct3)
          3'd0: illegal_o = 1'b0;
          3'd1: illegal_o = insn_i[31:25] != 7'h00;
          3'd5: begin
            if (insn_i[30]) op_o = soc_pkg::ALU_SRA;
            illegal_o = {insn_i[31], insn_i[29:25]} != 6'h00;
          end
          default: illegal_o = 1'b1;
        endcase
      end

      7'h23: begin  // STORE
        unit_o = soc_pkg::UNIT_MEM;
        op_o = soc_pkg::MEM_STORE;
        rd_o = 5'd0;
        rs2_o = insn_i[24:20];
        imm_o = {{52{insn_i[31]}}, insn_i[31:25], insn_i[11:7]};
        illegal_o = funct3[2];
      end

      7'h2f: begin  // AMO
        unit_o = soc_pkg::UNIT_MEM;
        imm_o = 64'd0;
        rs2_o = insn_i[24:20];
        case (insn_i[31:27])
          5'd0, 5'd1, 5'd4, 5'd8, 5'd12, 5'd16, 5'd20, 5'd24, 5'd28: op_o = soc_pkg::MEM_AMO;
          5'd2: begin
            op_o = soc_pkg::MEM_LR;
            illegal_o = insn_i[24:20] != 5'd0;
          end
          5'd3: op_o = soc_pkg::MEM_SC;
          default: illegal_o = 1'b1;
        endcase
        if (funct3[2:1] != 2'd1) illegal_o = 1'b1;
      end

      7'h33: begin  // OP
        rs2_o = insn_i[24:20];
        op_o = alu_op;
        case (insn_i[31:25])
          7'h00: illegal_o = 1'b0;
          7'h01: begin
            unit_o = funct3[2] ? soc_pkg::UNIT_DIV : soc_pkg::UNIT_MUL;
            op_o = {2'd0, funct3[1:0]};
          end
          7'h20:
          case (funct3)
            3'd0: op_o = soc_pkg::ALU_SUB;
            3'd5: op_o = soc_pkg::ALU_SRA;
            default: illegal_o = 1'b1;
          endcase
          default: illegal_o = 1'b1;
        endcase
      end

      7'h37: begin  // LUI
        use_imm_o = 1'b1;
        rs1_o = 5'd0;
        imm_o = {{32{insn_i[31]}}, insn_i[31:12], 12'd0};
      end

      7'h3b: begin  // OP-32
        word_o = 1'b1;
        rs2_o = insn_i[24:20];
        op_o = alu_op;
        case ({insn_i[31:25], funct3})
          {7'h00, 3'd0}, {7'h00, 3'd1}, {7'h00, 3'd5}: illegal_o = 1'b0;
          {7'h20, 3'd0}: op_o = soc_pkg::ALU_SUB;
          {7'h20, 3'd5}: op_o = soc_pkg::ALU_SRA;
          {7'h01, 3'd0}: begin
            unit_o = soc_pkg::UNIT_MUL;
            op_o = 4'd0;
          end
          {7'h01, 3'd4}, {7'h01, 3'd5}, {7'h01, 3'd6}, {7'h01, 3'd7}: begin
            unit_o = soc_pkg::UNIT_DIV;
            op_o = {2'd0, funct3[1:0]};
          end
          default: illegal_o = 1'b1;
        endcase
      end

      7'h63: begin  // BRANCH
        unit_o = soc_pkg::UNIT_BRANCH;
        op_o = {1'b0, funct3};
        rd_o = 5'd0;
        rs2_o = insn_i[24:20];
        imm_o = {{52{insn_i[31]}}, insn_i[7], insn_i[30:25], insn_i[11:8], 1'b0};
        illegal_o = funct3[2:1] == 2'd1;
      end

      7'h67: begin  // JALR
        unit_o = soc_pkg::UNIT_JUMP;
        op_o = soc_pkg::JUMP_JALR;
        illegal_o = funct3 != 3'd0;
      end

      7'h6f: begin  // JAL
        unit_o = soc_pkg::UNIT_JUMP;
        op_o = soc_pkg::JUMP_JAL;
        rs1_o = 5'd0;
        imm_o = {{44{insn_i[31]}}, insn_i[19:12], insn_i[20], insn_i[30:21], 1'b0};
      end

      7'h73: begin  // SYSTEM
        if (funct3[1:0] != 2'd0) begin
          unit_o = soc_pkg::UNIT_CSR;
          op_o = {1'b0, funct3};
          imm_o = {59'd0, insn_i[19:15]};
          if (funct3[2]) rs1_o = 5'd0;
        end else begin
          unit_o = soc_pkg::UNIT_SYS;
          rs1_o = 5'd0;
          if (insn_i[31:25] == 7'h09) begin
            op_o = soc_pkg::SYS_SFENCE;
            rs1_o = insn_i[19:15];
            rs2_o = insn_i[24:20];
            illegal_o = {funct3[2], insn_i[11:7]} != 6'd0;
          end else begin
            case (insn_i[31:20])
              12'h000: op_o = soc_pkg::SYS_ECALL;
              12'h001: op_o = soc_pkg::SYS_EBREAK;
              12'h102: op_o = soc_pkg::SYS_SRET;
              12'h105: op_o = soc_pkg::SYS_WFI;
              12'h302: op_o = soc_pkg::SYS_MRET;
              default: illegal_o = 1'b1;
            endcase
            if ({insn_i[19:15], funct3[2], insn_i[11:7]} != 11'd0) illegal_o = 1'b1;
          end
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
