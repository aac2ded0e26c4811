// SPDX-License-Identifier: Apache-2.0
// What the out-of-order core shows the simulator: see probe_pkg.sv. It names signals of the modules
// beside it.

`ifdef PROBES
module probe_ooo #(
  parameter bit Float = 1'b1,
  parameter int unsigned Window = 64
);

  localparam int unsigned SlotBits = $clog2(Window);

  // The oldest instruction; the physical registers, and where fetching begins
  `PROBE(oldest, u_window, head_q)
  `PROBE(window_count, u_window, count_q)
  `PROBE(slot_pc, u_payload, pc_q)
  `PROBE(slot_insn, u_payload, insn_q)
  `PROBE(values, u_registers, values_q)
  `PROBE(values_cleared, u_registers, clear_q)
  `PROBE(fetch_halfword, u_group.u_fetch, pc_q)
  if (Float) begin : gen_probe_float
    `PROBE(frm, gen_float.u_float.u_status, frm_q)
    `PROBE(fflags, gen_float.u_float.u_status, fflags_q)
  end

  // The instruction in the head unit; the reservation
  `PROBE(next_valid, u_head.u_retire, valid_q)
  `PROBE(next_unit, u_head.u_retire, unit_q)
  `PROBE(copy_source, u_memory.u_lsu.u_queue, source_q)
  `PROBE(reserved, u_memory.u_lsu.u_queue.u_reservation, reserved_q)
  `PROBE(reserved_line, u_memory.u_lsu.u_queue.u_reservation, reserved_line_q)

  // Returns a register, of number 32 and up one of floating point, as the instructions that have
  // committed leave it, but for the last `undo` of them, which committed at the last edge. A map
  // that is not set yet is the one after reset.
  export "DPI-C" function probe_value;
  function automatic longint unsigned probe_value(input int unsigned number,
                                                     input int unsigned undo);
    automatic int unsigned slots = 32'(u_window.used_q) + undo;
    automatic logic [5:0] areg = number[5:0];
    automatic logic [6:0] tag = {1'b0, areg};
    automatic logic [SlotBits-1:0] slot = u_window.tail;
    automatic logic [ooo_pkg::EntryBits-1:0] entry;

    if (u_window.u_rename.init_q[6]) tag = u_window.u_rename.map_q[areg];
    for (int unsigned i = 0; i < slots; i++) begin
      slot = slot - 1'b1;
      entry = u_window.u_rename.entry_q[slot];
      if (entry[ooo_pkg::EntryAreg+:6] == areg) tag = entry[ooo_pkg::EntryOld+:7];
    end
    return areg == 6'd0 ? 64'd0 : u_registers.values_q[tag];
  endfunction

  // Returns the pc of the next instruction: the oldest in the window, in the group that is to enter
  // it, or in the blocks before, else that of the next block.
  export "DPI-C" function probe_pc;
  function automatic longint unsigned probe_pc();
    automatic logic [63:0] pc = {u_group.u_fetch.pc_q, 1'b0};

    if (u_group.u_extract.count_q != 3'd0) begin
      pc = u_group.u_extract.pc_q[u_group.u_extract.head_q];
      if (u_group.u_extract.begun_q) pc[3:1] = u_group.u_extract.begin_q;
    end
    if (u_group.held[0]) pc = u_group.pc_o[63:0];
    if (u_window.count_q != 7'd0) pc = u_payload.pc_q[u_window.head_q];
    return pc;
  endfunction

endmodule
`endif
