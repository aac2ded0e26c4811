// SPDX-License-Identifier: Apache-2.0
// What the out-of-order core shows the simulator: see probe_pkg.sv. It names signals of the modules
// beside it.

`ifdef PROBES
module probe_ooo #(
  parameter bit Float = 1'b1,
`ifdef VIEW
  parameter int unsigned Width = 4,
`endif
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
    if (u_group.held_o[0]) pc = u_group.pc_o[63:0];
    if (u_window.count_q != 7'd0) pc = u_payload.pc_q[u_window.head_q];
    return pc;
  endfunction

`ifdef VIEW
  // For soc-sim --kanata: what the core has and does in this cycle. A slot of -1 is none.

  // Returns how many blocks wait to be decoded; whether a block is requested, whether it is pushed
  // behind them at the next edge, and whether that edge empties the front.
  export "DPI-C" function probe_front;
  function automatic int unsigned probe_front(output bit asks, output bit pushes,
                                              output bit redirects);
    asks = u_group.u_fetch.fetch_req_o;
    pushes = u_group.u_fetch.push_o;
    redirects = u_group.redirect_i;
    return 32'(u_group.u_extract.count_q);
  endfunction

  // Gets one of these blocks, 0 is the oldest: the pc of its first instruction, its bytes, its last
  // halfword, and whether it jumps there or could not be read.
  export "DPI-C" function probe_block;
  function automatic void probe_block(input int unsigned number, output longint unsigned pc,
                                      output longint unsigned low, output longint unsigned high,
                                      output int unsigned last, output bit jumps, output bit bad);
    automatic logic [1:0] slot = u_group.u_extract.head_q + number[1:0];

    pc = u_group.u_extract.pc_q[slot];
    if (number == 0 && u_group.u_extract.begun_q) pc[3:1] = u_group.u_extract.begin_q;
    low = u_group.u_extract.data_q[{slot, 1'b0}];
    high = u_group.u_extract.data_q[{slot, 1'b1}];
    last = 32'(u_group.u_extract.info_q[slot][2:0]);  // extract.sv, info_t
    jumps = u_group.u_extract.info_q[slot][4];
    bad = u_group.u_extract.info_q[slot][7:5] != 3'd0;
  endfunction

  // Gets an instruction that is decoded in this cycle, or of the group before. Returns whether
  // there is one in this lane.
  export "DPI-C" function probe_lane;
  function automatic bit probe_lane(input int unsigned lane, input bit held,
                                    output longint unsigned pc, output int unsigned insn);
    pc = '0;
    insn = '0;
    for (int unsigned l = 0; l < Width; l++)
      if (l == lane) begin
        pc = held ? u_group.pc_o[64*l+:64] : u_group.pc[64*l+:64];
        insn = held ? u_group.insn_o[32*l+:32] : u_group.insn[32*l+:32];
        return held ? u_group.held_o[l] : u_group.valid[l];
      end
    return 1'b0;
  endfunction

  // Gets the window: how many slots it has, of which how many, from the slot of the oldest
  // instruction on, are in use; how many instructions enter it, from this slot on, and how many
  // commit. Of each slot: it has its result, is to issue, is squashed.
  export "DPI-C" function probe_window;
  function automatic int unsigned probe_window(output int unsigned oldest, output int unsigned used,
                                               output int unsigned next,
                                               output int unsigned enter,
                                               output int unsigned commit,
                                               output longint unsigned done,
                                               output longint unsigned pending,
                                               output longint unsigned squashed);
    oldest = 32'(u_window.head_q);
    used = 32'(u_window.count_q);
    next = 32'(u_window.tail);
    enter = 32'(u_window.enter_count);
    commit = 32'(u_window.commit_count_o);
    done = 64'(u_window.done_q);
    pending = 64'(u_window.u_select.pending_q);
    squashed = 64'(u_window.squashed_o);
    return Window;
  endfunction

  // Gets the physical registers of a lane that enters the window, 0 for none; returns the one that
  // it writes.
  export "DPI-C" function probe_tags;
  function automatic int unsigned probe_tags(input int unsigned lane, output int unsigned rs1,
                                             output int unsigned rs2, output int unsigned rs3);
    rs1 = 0;
    rs2 = 0;
    rs3 = 0;
    for (int unsigned l = 0; l < Width; l++)
      if (l == lane) begin
        rs1 = 32'(u_window.rs1[7*l+:7]);
        rs2 = 32'(u_window.rs2[7*l+:7]);
        rs3 = 32'(u_window.rs3[7*l+:7]);
        return 32'(u_window.rd[7*l+:7]);
      end
    return 0;
  endfunction

  // Returns the slot that issues at a port, an issue_e.
  export "DPI-C" function probe_issue;
  function automatic int probe_issue(input int unsigned port);
    automatic ooo_pkg::issue_t issue;

    case (port)
      32'(ooo_pkg::IssueInt0): issue = u_window.int0_o;
      32'(ooo_pkg::IssueInt1): issue = u_window.int1_o;
      32'(ooo_pkg::IssueInt2): issue = u_window.int2_o;
      32'(ooo_pkg::IssueMem): issue = u_window.mem_o;
      32'(ooo_pkg::IssueFloat): issue = u_window.float_o;
      default: issue = u_window.head_issue_o;
    endcase
    return issue.valid ? 32'(issue.slot) : -1;
  endfunction

  // Returns the slot that has its result from a source, a source_e.
  export "DPI-C" function probe_result;
  function automatic int probe_result(input int unsigned source);
    for (int unsigned s = 0; s < ooo_pkg::Sources; s++)
      if (s == source && u_window.results_i[32*s+ooo_pkg::ResultValid])
        return 32'(u_window.results_i[32*s+ooo_pkg::ResultSlot+:6]);
    return -1;
  endfunction

  // Returns the slot whose access the memory port makes; why it has no result, a delay_e, or -1;
  // the slot of an instruction that the port leaves to the head unit. Whether the oldest
  // instruction accesses memory in that.
  export "DPI-C" function probe_access;
  function automatic int probe_access(output int delay, output int deferred, output bit by_head);
    delay = u_memory.u_port.delay_o ? 32'(u_memory.u_port.delay_why_o) : -1;
    deferred = -1;
    if (u_memory.u_port.replay_o && u_memory.u_port.replay_head_o)
      deferred = 32'(u_memory.u_port.replay_slot_o);
    by_head = u_head.mem_o;
    return u_memory.u_port.valid_q ? 32'(u_memory.u_port.slot_q) : -1;
  endfunction
`endif

endmodule
`endif
