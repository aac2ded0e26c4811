// SPDX-License-Identifier: Apache-2.0
// Decoder of F and D: the part that decoder.sv leaves open.
//
// Combinational. illegal_o: the encoding is reserved, floating point is off, or the
// instruction rounds and its rounding mode is reserved. Without valid_i, unit_o is UnitFpu,
// and all other outputs are 0.

module decoder_float (
  input logic          valid_i,  // an opcode of F or D, and for a load or store a legal width
  input logic [31:2]   insn_i,
  input logic          on_i,     // mstatus.FS is not off
  input soc_pkg::frm_t frm_i,

  output logic               illegal_o,
  output soc_pkg::unit_e     unit_o,
  output soc_pkg::float_op_e op_o,        // not for loads and stores
  output soc_pkg::fpu_t      fpu_o,
  output soc_pkg::frm_t      rounding_o,  // if legal, a rounding_e
  output soc_pkg::rd_t       rd_o,        // registers; 0 if not written or read
  output soc_pkg::rd_t       rs1_o,
  output soc_pkg::rd_t       rs2_o,
  output soc_pkg::rd_t       rs3_o
);

  // Major opcodes, bits 6:2; those of multiply-adds are {100, negated, c negated}.
  typedef enum logic [4:0] {
    LoadFp = 5'h01,
    StoreFp = 5'h09,
    Madd = 5'h10,
    Msub = 5'h11,
    Nmsub = 5'h12,
    Nmadd = 5'h13
  } opcode_e;

  // funct5 of OP-FP.
  typedef enum logic [4:0] {
    Add = 5'h00,
    Sub = 5'h01,
    Mul = 5'h02,
    Div = 5'h03,
    Sgnj = 5'h04,
    MinMax = 5'h05,
    ToFloat = 5'h08,
    Sqrt = 5'h0b,
    Compare = 5'h14,
    ToInt = 5'h18,
    FromInt = 5'h1a,
    MoveToX = 5'h1c,
    MoveToF = 5'h1e
  } funct_e;

  // Of reserved formats, valid_i excludes those of loads and stores, bit 26 shows the others.
  soc_pkg::frm_t rm;
  logic rounds;
  soc_pkg::fpu_op_e op;
  soc_pkg::rd_t x_rd, f_rd, x_rs1, f_rs1, f_rs2;
  assign rm = insn_i[14:12];
  assign x_rd = {1'b0, insn_i[11:7]};
  assign f_rd = {1'b1, insn_i[11:7]};
  assign x_rs1 = {1'b0, insn_i[19:15]};
  assign f_rs1 = {1'b1, insn_i[19:15]};
  assign f_rs2 = {1'b1, insn_i[24:20]};

  always_comb begin
    illegal_o = 1'b0;
    unit_o = soc_pkg::UnitFpu;
    op_o = soc_pkg::FloatAdd;
    op = soc_pkg::FpuAdd;
    fpu_o = '0;
    rounding_o = '0;
    rd_o = '0;
    rs1_o = '0;
    rs2_o = '0;
    rs3_o = '0;
    rounds = 1'b0;
    if (valid_i) begin
      case (insn_i[6:2])
        LoadFp: begin
          unit_o = soc_pkg::UnitFloatMem;
          rd_o  = f_rd;
          rs1_o = x_rs1;
        end
        StoreFp: begin
          unit_o = soc_pkg::UnitFloatMem;
          rs1_o = x_rs1;
          rs2_o = f_rs2;
        end
        Madd, Msub, Nmsub, Nmadd: begin
          unit_o = soc_pkg::UnitFma;
          op_o = soc_pkg::FloatFma;
          case (insn_i[3:2])
            2'd0: op = soc_pkg::FpuMadd;
            2'd1: op = soc_pkg::FpuMsub;
            2'd2: op = soc_pkg::FpuNmsub;
            default: op = soc_pkg::FpuNmadd;
          endcase
          rd_o = f_rd;
          rs1_o = f_rs1;
          rs2_o = f_rs2;
          rs3_o = {1'b1, insn_i[31:27]};
          rounds = 1'b1;
          illegal_o = insn_i[26];
        end
        default: begin
          op_o = soc_pkg::FloatOther;
          rd_o = f_rd;
          rs1_o = f_rs1;
          rs2_o = f_rs2;
          illegal_o = insn_i[26];
          case (insn_i[31:27])
            Add: begin
              unit_o = soc_pkg::UnitFma;
              op_o = soc_pkg::FloatAdd;
              op = soc_pkg::FpuAdd;
              rounds = 1'b1;
            end
            Sub: begin
              unit_o = soc_pkg::UnitFma;
              op_o = soc_pkg::FloatAdd;
              op = soc_pkg::FpuSub;
              rounds = 1'b1;
            end
            Mul: begin
              unit_o = soc_pkg::UnitFma;
              op_o = soc_pkg::FloatMul;
              op = soc_pkg::FpuMul;
              rounds = 1'b1;
            end
            Div: begin
              op_o = soc_pkg::FloatDivide;
              op = soc_pkg::FpuDiv;
              rounds = 1'b1;
            end
            Sqrt: begin
              op_o = soc_pkg::FloatDivide;
              op = soc_pkg::FpuSqrt;
              rs2_o = '0;
              rounds = 1'b1;
              if (insn_i[24:20] != 5'd0) illegal_o = 1'b1;
            end
            Sgnj: begin
              case (rm)
                3'd0: op = soc_pkg::FpuSgnj;
                3'd1: op = soc_pkg::FpuSgnjn;
                3'd2: op = soc_pkg::FpuSgnjx;
                default: illegal_o = 1'b1;
              endcase
            end
            MinMax: begin
              case (rm)
                3'd0: op = soc_pkg::FpuMin;
                3'd1: op = soc_pkg::FpuMax;
                default: illegal_o = 1'b1;
              endcase
            end
            ToFloat: begin
              op = soc_pkg::FpuToFloat;
              rs2_o = '0;
              rounds = 1'b1;
              if (insn_i[24:20] != {4'd0, !insn_i[25]}) illegal_o = 1'b1;
            end
            Compare: begin
              case (rm)
                3'd0: op = soc_pkg::FpuLe;
                3'd1: op = soc_pkg::FpuLt;
                3'd2: op = soc_pkg::FpuEq;
                default: illegal_o = 1'b1;
              endcase
              rd_o = x_rd;
            end
            ToInt: begin
              op = soc_pkg::FpuToInt;
              rd_o = x_rd;
              rs2_o = '0;
              rounds = 1'b1;
              if (insn_i[24:22] != 3'd0) illegal_o = 1'b1;
            end
            FromInt: begin
              op = soc_pkg::FpuFromInt;
              rs1_o = x_rs1;
              rs2_o = '0;
              rounds = 1'b1;
              if (insn_i[24:22] != 3'd0) illegal_o = 1'b1;
            end
            MoveToX: begin
              case (rm)
                3'd0: op = soc_pkg::FpuMoveToX;
                3'd1: op = soc_pkg::FpuClass;
                default: illegal_o = 1'b1;
              endcase
              rd_o = x_rd;
              rs2_o = '0;
              if (insn_i[24:20] != 5'd0) illegal_o = 1'b1;
            end
            MoveToF: begin
              op = soc_pkg::FpuMoveToF;
              rs1_o = x_rs1;
              rs2_o = '0;
              if (rm != 3'd0 || insn_i[24:20] != 5'd0) illegal_o = 1'b1;
            end
            default: illegal_o = 1'b1;
          endcase
        end
      endcase
      fpu_o = {insn_i[25], insn_i[21:20], op};
      rounding_o = rm == soc_pkg::RoundDynamic ? frm_i : rm;
      if (!on_i || (rounds && rounding_o > soc_pkg::RoundNearestMax)) illegal_o = 1'b1;
    end
  end

endmodule
