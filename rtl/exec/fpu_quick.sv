// SPDX-License-Identifier: Apache-2.0
// Floating-point operations that take one cycle: sign injection, minimum and maximum,
// comparisons, classification, moves and conversions.
//
// Combinational; without valid_i all outputs are 0. The result of a conversion of a finite
// number to floating point is not rounded here: round_o is high, and unrounded_o and
// significand_o are the number to be rounded.

module fpu_quick (
  input logic                valid_i,
  input soc_pkg::fpu_t       op_i,
  input soc_pkg::rounding_e  rounding_i,
  input logic         [63:0] bits_i,  // the register rs1, as it is
  // rs1 (a) and rs2 (b) as numbers, as in fpu_operand.sv
  input logic         [63:0] a_bits_i,
  input logic         [63:0] b_bits_i,
  input fpu_pkg::number_t    a_i,
  input fpu_pkg::number_t    b_i,
  input logic         [52:0] a_significand_i,

  output logic [63:0]         result_o,
  output soc_pkg::fflags_t    flags_o,
  output logic                round_o,
  output fpu_pkg::unrounded_t unrounded_o,
  output logic [63:0]         significand_o
);

  function automatic logic [63:0] packed_as(input logic double, input logic sign,
                                            input logic [62:0] bits);
    packed_as = double ? {sign, bits} : {32'hffff_ffff, sign, bits[30:0]};
  endfunction

  logic double, sign;
  assign double = op_i.is_double;

  // Comparisons
  logic equal, less;
  always_comb begin
    equal = 1'b0;
    less = 1'b0;
    if (valid_i) begin
      equal = a_bits_i == b_bits_i || (a_i.zero && b_i.zero);
      if (a_i.sign != b_i.sign) less = a_i.sign;
      else less = a_i.sign ? a_bits_i > b_bits_i : a_bits_i < b_bits_i;
    end
  end

  // Conversion to integers. The significand begins at bit 63; distance is by how much it is
  // to be shifted right. It is rotated instead, so that the bits of the fraction are above
  // those of the integer. Infinities and NaNs have exponents that are too large to fit.
  logic whole_valid;
  logic signed [12:0] distance;
  logic [63:0] rotated, mask, whole;
  logic half, rest, fits;
  soc_pkg::fflags_t whole_flags;

  assign whole_valid = valid_i && op_i.op == soc_pkg::FpuToInt;
  always_comb begin
    distance = 13'd0;
    rotated = 64'd0;
    mask = 64'd0;
    whole = 64'd0;
    half = 1'b0;
    rest = 1'b0;
    fits = 1'b0;
    whole_flags = '0;

    if (whole_valid) begin
      distance = 13'sd1086 - $signed({2'd0, a_i.exponent});
      rotated = {a_significand_i, 11'd0};
      if (distance > 13'sd64) begin
        rest = !a_i.zero;
      end else begin
        rotated = (rotated >> distance[5:0]) | (rotated << (6'd0 - distance[5:0]));
        if (distance != 13'sd64) mask = ~64'd0 >> distance[5:0];
        whole = rotated & mask;
        half = rotated[63] && !mask[63];
        rest = (rotated[62:0] & ~mask[62:0]) != 63'd0;
      end
      whole = whole + {63'd0, fpu_pkg::rounds_up(rounding_i, a_i.sign, whole[0], half, rest)};

      fits = distance >= 0;
      case (op_i.int_kind)
        soc_pkg::IntW:
        if (whole > {33'd0, 31'h7fff_ffff} + {63'd0, a_i.sign}) fits = 1'b0;
        soc_pkg::IntL: if (whole > {1'b0, {63{1'b1}}} + {63'd0, a_i.sign}) fits = 1'b0;
        soc_pkg::IntWu: if (whole[63:32] != 32'd0 || a_i.sign && whole != 64'd0) fits = 1'b0;
        default: if (a_i.sign && whole != 64'd0) fits = 1'b0;
      endcase
      if (fits) begin
        whole_flags.inexact = half || rest;
        if (a_i.sign) whole = 64'd0 - whole;
      end else begin
        whole_flags.invalid = 1'b1;
        case (op_i.int_kind)
          soc_pkg::IntW: whole = {33'd0, 31'h7fff_ffff};
          soc_pkg::IntL: whole = {1'b0, {63{1'b1}}};
          default: whole = ~64'd0;
        endcase
        if (a_i.sign && !a_i.nan) whole = ~whole;
      end
      if (!op_i.int_kind[1]) whole = {{32{whole[31]}}, whole[31:0]};
    end
  end

  // Conversion to floating point, from integers and from the other format: the number is
  // normalized here. Infinities and NaNs of the other format are not rounded.
  logic [63:0] unnormal;
  logic [5:0] zeros;
  logic is_long;
  always_comb begin
    round_o = 1'b0;
    unrounded_o = '0;
    significand_o = 64'd0;
    unnormal = 64'd0;
    zeros = 6'd0;
    is_long = 1'b0;

    if (valid_i && (op_i.op == soc_pkg::FpuFromInt || op_i.op == soc_pkg::FpuToFloat)) begin
      round_o = op_i.op == soc_pkg::FpuFromInt || !(a_i.nan || a_i.infinite);
      unrounded_o.is_double = double;
      if (op_i.op == soc_pkg::FpuFromInt) begin
        is_long = op_i.int_kind[1];
        unrounded_o.sign = (is_long ? bits_i[63] : bits_i[31]) & ~op_i.int_kind[0];
        unnormal = is_long ? bits_i : {{32{unrounded_o.sign}}, bits_i[31:0]};
        if (unrounded_o.sign) unnormal = 64'd0 - unnormal;
        unrounded_o.exponent = 13'sd1086;
      end else begin
        unrounded_o.sign = a_i.sign;
        unnormal = {a_significand_i, 11'd0};
        unrounded_o.exponent = $signed({2'd0, a_i.exponent});
      end
      zeros = fpu_pkg::leading_zeros(unnormal);
      significand_o = unnormal << zeros;
      unrounded_o.exponent = unrounded_o.exponent - $signed({7'd0, zeros});
    end
  end

  logic [3:0] magnitude;  // infinite, normal, subnormal, zero
  always_comb begin
    result_o = 64'd0;
    flags_o = '0;
    sign = 1'b0;
    magnitude = 4'd0;

    if (valid_i) begin
      case (op_i.op)
        soc_pkg::FpuSgnj, soc_pkg::FpuSgnjn, soc_pkg::FpuSgnjx: begin
          sign = b_i.sign ^ (op_i.op == soc_pkg::FpuSgnjn) ^
              (op_i.op == soc_pkg::FpuSgnjx && a_i.sign);
          result_o = packed_as(double, sign, a_bits_i[62:0]);
        end
        // -0 is less than +0 here.
        soc_pkg::FpuMin, soc_pkg::FpuMax: begin
          flags_o.invalid = a_i.signalling || b_i.signalling;
          if (a_i.nan && b_i.nan) result_o = fpu_pkg::nan(double);
          else if (b_i.nan || (!a_i.nan && less == (op_i.op == soc_pkg::FpuMin)))
            result_o = packed_as(double, a_i.sign, a_bits_i[62:0]);
          else result_o = packed_as(double, b_i.sign, b_bits_i[62:0]);
        end
        soc_pkg::FpuEq: begin
          flags_o.invalid = a_i.signalling || b_i.signalling;
          result_o[0] = equal && !a_i.nan;
        end
        soc_pkg::FpuLt, soc_pkg::FpuLe: begin
          flags_o.invalid = a_i.nan || b_i.nan;
          result_o[0] = !flags_o.invalid &&
              (equal ? op_i.op == soc_pkg::FpuLe : less);
        end
        // Bits 0 to 7: from negative to positive infinity; then signalling and quiet NaNs
        soc_pkg::FpuClass: begin
          magnitude[3] = a_i.infinite;
          magnitude[2] = !a_i.infinite && a_significand_i[52];
          magnitude[1] = !a_i.zero && !a_significand_i[52];
          magnitude[0] = a_i.zero;
          if (a_i.nan) result_o[9:8] = {!a_i.signalling, a_i.signalling};
          else if (!a_i.sign) result_o[7:4] = magnitude;
          else result_o[3:0] = {magnitude[0], magnitude[1], magnitude[2], magnitude[3]};
        end
        soc_pkg::FpuMoveToX: result_o = double ? bits_i : {{32{bits_i[31]}}, bits_i[31:0]};
        soc_pkg::FpuMoveToF: result_o = double ? bits_i : {32'hffff_ffff, bits_i[31:0]};
        soc_pkg::FpuToInt: begin
          result_o = whole;
          flags_o = whole_flags;
        end
        soc_pkg::FpuToFloat: begin
          flags_o.invalid = a_i.signalling;
          if (a_i.nan) result_o = fpu_pkg::nan(double);
          else result_o = fpu_pkg::limit(double, a_i.sign, 1'b1);
        end
        default: ;
      endcase
    end
  end

endmodule
