// SPDX-License-Identifier: Apache-2.0
// What the core in order shows the simulator: see probe_pkg.sv. It names signals of the modules
// beside it.

`ifdef PROBES
module probe_inorder #(
  parameter bit Float = 1'b1
) (
`ifdef VIEW
  input probe_pkg::stage_t [2:0] stages_i  // D, X, M
`endif
);

  // Registers
  `PROBE(x, u_decode, regs_q)
  `PROBE(pc, u_fetch, pc_q)
  `PROBE(pc, u_fetch, fetch_pc_q)
  if (Float) begin : gen_probe_float
    `PROBE(f, gen_float.u_float.u_registers, regs_q)
    `PROBE(frm, gen_float.u_float, frm_q)
    `PROBE(fflags, gen_float.u_float, fflags_q)
    `PROBE(float_pending, gen_float.u_float, rd3_q)
    `PROBE(float_pending, gen_float.u_float.u_fpu.u_fma, tag_4_q)
  end

  // The instruction in M; the reservation
  `PROBE(next_valid, u_retire, valid_q)
  `PROBE(next_unit, u_retire, unit_q)
  `PROBE_FIELD(next_pc, u_retire, executed_q, soc_pkg::executed_t, pc)
  `PROBE_FIELD(next_insn, u_retire, executed_q, soc_pkg::executed_t, insn)
  `PROBE_FIELD(next_address, u_retire, executed_q, soc_pkg::executed_t, result)
  `PROBE_FIELD(next_b, u_retire, executed_q, soc_pkg::executed_t, b)
  `PROBE(copy_source, u_lsu.u_queue, source_q)
  `PROBE(reserved, u_lsu.u_queue.u_reservation, reserved_q)
  `PROBE(reserved_line, u_lsu.u_queue.u_reservation, reserved_line_q)

`ifdef VIEW
  // Gets a stage. Returns its name, or 0 if there are no more.
  export "DPI-C" function probe_stage;
  function automatic byte probe_stage(input int unsigned number, output bit valid, output bit leaves,
                                      output bit drops, output longint unsigned pc,
                                      output int unsigned insn);
    automatic probe_pkg::stage_t stage = number < 3 ? stages_i[number[1:0]] : '0;

    valid = stage.valid;
    leaves = stage.leaves;
    drops = stage.drops;
    pc = stage.pc;
    insn = stage.insn;
    case (number)
      0: return "D";
      1: return "X";
      2: return "M";
      default: return 0;
    endcase
  endfunction
`endif

endmodule
`endif
