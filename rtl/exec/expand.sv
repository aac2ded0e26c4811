// SPDX-License-Identifier: Apache-2.0
// Expands compressed instructions of RV64C, including those of D, to their 32-bit
// equivalents.
//
// Combinational. Hints are legal; reserved encodings are illegal, and then insn_o is 0.
// Whether F and D are available is not checked here. An encoding whose low bits are 3 is
// not compressed: it becomes a no-op and is not illegal.

module expand (
  input  logic [15:0] insn_i,
  output logic [31:0] insn_o,
  output logic        illegal_o
);

  // Registers: rd and rs2 of 5 bits, and the 3-bit fields for x8 to x15.
  logic [4:0] rd, rs2, rd_s, rs2_s;
  assign rd = insn_i[11:7];
  assign rs2 = insn_i[6:2];
  assign rd_s = {2'b01, insn_i[9:7]};
  assign rs2_s = {2'b01, insn_i[4:2]};

  always_comb begin
    insn_o = 32'd0;
    case ({insn_i[1:0], insn_i[15:13]})

      // Quadrant 0: addi4spn, fld, lw, ld, fsd, sw, sd
      5'b00_000:
      if (insn_i[12:5] != 8'd0) begin
        insn_o = {
          2'd0, insn_i[10:7], insn_i[12:11], insn_i[5], insn_i[6], 2'd0, 5'd2, 3'd0, rs2_s, 7'h13
        };
      end
      5'b00_001: insn_o = {4'd0, insn_i[6:5], insn_i[12:10], 3'd0, rd_s, 3'd3, rs2_s, 7'h07};
      5'b00_010:
      insn_o = {5'd0, insn_i[5], insn_i[12:10], insn_i[6], 2'd0, rd_s, 3'd2, rs2_s, 7'h03};
      5'b00_011: insn_o = {4'd0, insn_i[6:5], insn_i[12:10], 3'd0, rd_s, 3'd3, rs2_s, 7'h03};
      5'b00_101:
      insn_o = {4'd0, insn_i[6:5], insn_i[12], rs2_s, rd_s, 3'd3, insn_i[11:10], 3'd0, 7'h27};
      5'b00_110:
      insn_o = {
        5'd0, insn_i[5], insn_i[12], rs2_s, rd_s, 3'd2, insn_i[11:10], insn_i[6], 2'd0, 7'h23
      };
      5'b00_111:
      insn_o = {4'd0, insn_i[6:5], insn_i[12], rs2_s, rd_s, 3'd3, insn_i[11:10], 3'd0, 7'h23};

      // Quadrant 1: addi, addiw, li
      5'b01_000: insn_o = {{7{insn_i[12]}}, insn_i[6:2], rd, 3'd0, rd, 7'h13};
      5'b01_001:
      if (rd != 5'd0) insn_o = {{7{insn_i[12]}}, insn_i[6:2], rd, 3'd0, rd, 7'h1b};
      5'b01_010: insn_o = {{7{insn_i[12]}}, insn_i[6:2], 5'd0, 3'd0, rd, 7'h13};

      // lui; addi16sp if rd is x2
      5'b01_011:
      if ({insn_i[12], insn_i[6:2]} != 6'd0) begin
        if (rd == 5'd2) begin
          insn_o = {
            {3{insn_i[12]}},
            insn_i[4:3],
            insn_i[5],
            insn_i[2],
            insn_i[6],
            4'd0,
            5'd2,
            3'd0,
            5'd2,
            7'h13
          };
        end else begin
          insn_o = {{15{insn_i[12]}}, insn_i[6:2], rd, 7'h37};
        end
      end

      // srli, srai, andi, and operations on two registers of x8 to x15
      5'b01_100:
      case (insn_i[11:10])
        2'd0: insn_o = {6'h00, insn_i[12], insn_i[6:2], rd_s, 3'd5, rd_s, 7'h13};
        2'd1: insn_o = {6'h10, insn_i[12], insn_i[6:2], rd_s, 3'd5, rd_s, 7'h13};
        2'd2: insn_o = {{7{insn_i[12]}}, insn_i[6:2], rd_s, 3'd7, rd_s, 7'h13};
        default:
        case ({insn_i[12], insn_i[6:5]})
          3'd0: insn_o = {7'h20, rs2_s, rd_s, 3'd0, rd_s, 7'h33};  // sub
          3'd1: insn_o = {7'h00, rs2_s, rd_s, 3'd4, rd_s, 7'h33};  // xor
          3'd2: insn_o = {7'h00, rs2_s, rd_s, 3'd6, rd_s, 7'h33};  // or
          3'd3: insn_o = {7'h00, rs2_s, rd_s, 3'd7, rd_s, 7'h33};  // and
          3'd4: insn_o = {7'h20, rs2_s, rd_s, 3'd0, rd_s, 7'h3b};  // subw
          3'd5: insn_o = {7'h00, rs2_s, rd_s, 3'd0, rd_s, 7'h3b};  // addw
          default: insn_o = 32'd0;
        endcase
      endcase

      // j, beqz, bnez
      5'b01_101:
      insn_o = {
        insn_i[12],
        insn_i[8],
        insn_i[10:9],
        insn_i[6],
        insn_i[7],
        insn_i[2],
        insn_i[11],
        insn_i[5:3],
        {9{insn_i[12]}},
        5'd0,
        7'h6f
      };
      5'b01_110, 5'b01_111:
      insn_o = {
        {4{insn_i[12]}},
        insn_i[6:5],
        insn_i[2],
        5'd0,
        rd_s,
        2'd0,
        insn_i[13],
        insn_i[11:10],
        insn_i[4:3],
        insn_i[12],
        7'h63
      };

      // Quadrant 2: slli, fldsp, lwsp, ldsp
      5'b10_000: insn_o = {6'd0, insn_i[12], insn_i[6:2], rd, 3'd1, rd, 7'h13};
      5'b10_001:
      insn_o = {3'd0, insn_i[4:2], insn_i[12], insn_i[6:5], 3'd0, 5'd2, 3'd3, rd, 7'h07};
      5'b10_010:
      if (rd != 5'd0) begin
        insn_o = {4'd0, insn_i[3:2], insn_i[12], insn_i[6:4], 2'd0, 5'd2, 3'd2, rd, 7'h03};
      end
      5'b10_011:
      if (rd != 5'd0) begin
        insn_o = {3'd0, insn_i[4:2], insn_i[12], insn_i[6:5], 3'd0, 5'd2, 3'd3, rd, 7'h03};
      end

      // mv, add, jr, jalr, ebreak
      5'b10_100:
      if (rs2 != 5'd0) insn_o = {7'd0, rs2, insn_i[12] ? rd : 5'd0, 3'd0, rd, 7'h33};
      else if (rd != 5'd0) insn_o = {12'd0, rd, 3'd0, 4'd0, insn_i[12], 7'h67};
      else if (insn_i[12]) insn_o = 32'h00100073;

      // fsdsp, swsp, sdsp
      5'b10_101:
      insn_o = {3'd0, insn_i[9:7], insn_i[12], rs2, 5'd2, 3'd3, insn_i[11:10], 3'd0, 7'h27};
      5'b10_110:
      insn_o = {4'd0, insn_i[8:7], insn_i[12], rs2, 5'd2, 3'd2, insn_i[11:9], 2'd0, 7'h23};
      5'b10_111:
      insn_o = {3'd0, insn_i[9:7], insn_i[12], rs2, 5'd2, 3'd3, insn_i[11:10], 3'd0, 7'h23};

      5'b11_000, 5'b11_001, 5'b11_010, 5'b11_011, 5'b11_100, 5'b11_101, 5'b11_110, 5'b11_111:
      insn_o = 32'h00000013;

      default: insn_o = 32'd0;
    endcase
  end

  assign illegal_o = insn_o == 32'd0;

endmodule
