// SPDX-License-Identifier: Apache-2.0
// Classifies the slots of a cycle in which nothing commits, by what keeps an instruction from it.
//
// The oldest instruction that does not commit gives its class to its slot and to all behind it
// that have an instruction too. A slot without one is a bubble, with the class of what kept the
// front from filling it: of the redirect from which it recovers, else of the fetch. That class
// follows the bubble through the stages of the front. An instruction that has just entered the
// window is late for the reason of the bubble before it, and a load that is executed again, since
// it was too early, for the redirect until it has its value. Behind a serial instruction nothing is
// dispatched: bubbles behind it have its class, or if it redirects that of the redirect.
//
// trace_class_o describes the cycle that just ended; lanes in which an instruction commits are
// undefined. The clock is class_clk_i of hart.sv, which may be stopped after reset while the
// classes are not needed.

module ooo_classes #(
  parameter int unsigned Width = 4,
  parameter int unsigned Window = 64
) (
  input logic clk_i,
  input logic rst_ni,
  input logic on_i,  // update trace_class_o

  // Fetch: it asks and gets a block, or waits for a walk, or for DRAM
  input logic fetch_req_i,
  input logic fetch_valid_i,
  input logic fetch_walk_i,
  input logic fetch_dram_i,

  // Dispatch of the group, as in decoded_group.sv: its lanes, those that enter, from slot slot_i on,
  // at the clock edge. A serial instruction is in the window; the window undoes a squash
  input logic           [   Width-1:0] held_i,
  input logic           [   Width-1:0] alone_i,
  input logic           [64*Width-1:0] work_i,    // ooo_pkg::work_t
  input logic           [   Width-1:0] enter_i,
  input ooo_pkg::slot_t                slot_i,
  input logic                          serial_i,
  input logic                          walking_i,

  // A redirect: by the head unit, or by a load that was executed too early, or by a branch
  input logic redirect_i,
  input logic redirect_head_i,
  input logic redirect_load_i,
  input logic redirect_again_i,  // of the branch port: no instruction was mispredicted

  // The window: its instructions, how many commit, and of each slot: it has its result, can issue
  // only as the oldest, waits for operands, is to issue
  input  ooo_pkg::slot_t              head_i,
  input  logic           [       6:0] count_i,
  input  logic           [       2:0] commit_count_i,
  input  logic           [Window-1:0] done_i,
  input  logic           [Window-1:0] head_only_i,
  input  logic           [Window-1:0] waiting_i,
  input  ooo_pkg::issue_t             int0_i,
  input  ooo_pkg::issue_t             int1_i,
  input  ooo_pkg::issue_t             int2_i,
  input  ooo_pkg::issue_t             mem_i,
  input  ooo_pkg::result_t            mem_result_i,
  input  ooo_pkg::result_t            mul_result_i,
  input  ooo_pkg::result_t            div_result_i,
  input  ooo_pkg::result_t            float_result_i,
  input  logic                        irq_i,         // holds the commit

  // The payload of the oldest that does not commit
  output logic                        blocked_o,
  output ooo_pkg::slot_t              blocked_slot_o,
  input  ooo_pkg::work_t              blocked_work_i,

  // The head unit: its instruction, which commits, traps, is in WFI, or is a memory access
  input logic head_valid_i,
  input logic head_commit_i,
  input logic head_trap_i,
  input logic head_waits_i,
  input logic head_mem_i,

  // The memory port: why the instruction in it has no result
  input logic              delay_i,
  input ooo_pkg::slot_t    delay_slot_i,
  input ooo_pkg::delay_e   delay_why_i,

  // Data: a walk, a device, the L1D: it hits, the oldest store waits for its line, a
  // line comes from DRAM
  input logic mem_walk_i,
  input logic mem_device_i,
  input logic mem_hit_i,
  input logic store_waits_i,
  input logic mem_dram_i,

  output logic [Width*soc_pkg::TraceClassBits-1:0] trace_class_o,  // class_e of each lane
  output logic quiescent_o  // without other changes the next cycle has the same classes
);

  localparam int unsigned SlotBits = $clog2(Window);
  localparam int unsigned Bits = soc_pkg::TraceClassBits;

  // Bubbles: in front of extract.sv, in front of the group, behind the last instruction of the
  // window, and before the instructions that entered it a cycle ago
  class_pkg::class_e extract_class_q, group_class_q, bubble_q, before_q;
  // The last redirect
  class_pkg::class_e redirect_class_q;
  // The serial instruction is an access to memory; a part of the group has entered before
  logic serial_mem_q, split_q;
  // The lanes that entered a cycle ago, the first of them in this slot
  logic [Width-1:0] entered_q;
  logic [SlotBits-1:0] entered_slot_q;
  // A load is to be executed again, and has entered the window again, there
  logic again_q, again_entered_q;
  logic [SlotBits-1:0] again_slot_q;
  // Slots that waited for operands a cycle ago, and results that were written then
  logic [Window-1:0] waiting_q;
  ooo_pkg::result_t mem_result_q, mul_result_q, div_result_q, float_result_q;
  // Slots whose access was delayed, by delay_e, which is valid where delayed_q is set
  logic [Window-1:0] delayed_q;
  logic [2:0] delay_q[Window];

  // yosys takes a function for a constant unless a signal is an argument.
  function automatic class_pkg::class_e class_of_redirect(input logic head);
    class_of_redirect = class_pkg::ClassBadBranch;
    if (head)
      class_of_redirect = head_trap_i ? class_pkg::ClassBadTrap :
                          head_mem_i ? class_pkg::ClassBadClear : class_pkg::ClassBadFlush;
    else if (redirect_load_i || redirect_again_i) class_of_redirect = class_pkg::ClassBadClear;
  endfunction

  // A bubble behind a block that was fetched: the block has not as many instructions.
  function automatic class_pkg::class_e class_of_fetch(input logic asks);
    class_of_fetch = extract_class_q;
    if (asks)
      class_of_fetch = fetch_valid_i ? class_pkg::ClassFeFetch :
                       fetch_walk_i ? class_pkg::ClassFeItlb :
                       fetch_dram_i ? class_pkg::ClassFeDram : class_pkg::ClassFeL2;
  endfunction

  function automatic class_pkg::class_e class_of_serial(input logic mem);
    class_of_serial = mem ? class_pkg::ClassMemAtomic : class_pkg::ClassCoreSerial;
  endfunction

  // Whether one of these lanes of the group is an access to memory.
  function automatic logic has_mem(input logic [Width-1:0] lanes);
    has_mem = 1'b0;
    for (int unsigned lane = 0; lane < Width; lane++)
      has_mem = has_mem | (lanes[lane] & is_mem(work_i[64*lane+ooo_pkg::WorkUnit+:3]));
  endfunction

  // The class of a lane that nothing enters. It stays while the window is full, and for what is
  // left of a group.
  function automatic class_pkg::class_e class_of_bubble(input class_pkg::class_e last);
    class_of_bubble = last;
    if (serial_i) class_of_bubble = class_of_serial(serial_mem_q);
    else if (!held_i[0]) class_of_bubble = group_class_q;
    else if (walking_i) class_of_bubble = redirect_class_q;
    else if ((enter_i & alone_i) != '0)
      class_of_bubble = class_of_serial(has_mem(enter_i & alone_i));
    else if (enter_i != '1)
      if (!split_q && enter_i == held_i) class_of_bubble = class_pkg::ClassFeFetch;
  endfunction

  function automatic logic is_mem(input logic [2:0] unit);
    is_mem = unit == soc_pkg::UnitMem[2:0];
  endfunction

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      extract_class_q <= class_pkg::ClassBadFlush;
      group_class_q <= class_pkg::ClassBadFlush;
      bubble_q <= class_pkg::ClassBadFlush;
      before_q <= class_pkg::ClassBadFlush;
      redirect_class_q <= class_pkg::ClassBadFlush;
    end else if (redirect_i) begin
      redirect_class_q <= class_of_redirect(redirect_head_i);
      extract_class_q <= class_of_redirect(redirect_head_i);
      group_class_q <= class_of_redirect(redirect_head_i);
      bubble_q <= class_of_redirect(redirect_head_i);
      before_q <= class_of_redirect(redirect_head_i);
    end else begin
      extract_class_q <= class_of_fetch(fetch_req_i);
      group_class_q <= extract_class_q;
      bubble_q <= class_of_bubble(bubble_q);
      before_q <= bubble_q;
    end
  end

  // It is the first to enter after its redirect.
  always_ff @(posedge clk_i) begin
    if (!rst_ni) again_q <= 1'b0;
    else if (redirect_i) again_q <= redirect_load_i && !redirect_head_i;
    else if (again_q)
      if (again_entered_q && done_i[again_slot_q]) again_q <= 1'b0;
    again_entered_q <= 1'b0;
    if (again_q) begin
      again_entered_q <= !redirect_i && (again_entered_q || enter_i[0]);
      if (!again_entered_q) again_slot_q <= slot_i[SlotBits-1:0];
    end
  end

  always_ff @(posedge clk_i) begin
    split_q <= 1'b0;
    if (enter_i != held_i)
      if ((split_q || enter_i[0]) && !redirect_i) split_q <= 1'b1;
    if ((enter_i & alone_i) != '0) serial_mem_q <= has_mem(enter_i & alone_i);
    entered_slot_q <= slot_i[SlotBits-1:0];
    entered_q <= enter_i;
    waiting_q <= waiting_i;
    mem_result_q <= mem_result_i;
    mul_result_q <= mul_result_i;
    div_result_q <= div_result_i;
    float_result_q <= float_result_i;
    if (delay_i)
      delay_q[delay_slot_i[SlotBits-1:0]] <=
          delay_why_i == ooo_pkg::DelayPort && mem_device_i ? ooo_pkg::DelayDevice : delay_why_i;
  end

  // Slots that are free, or that enter, are not delayed. Few are.
  logic [Window-1:0] delayed, entered;
  always_comb begin
    entered = '0;
    delayed = delayed_q;
    if (on_i) begin
      if (delayed_q != '0)
        entered = Window'(ooo_pkg::rotate_left(64'(enter_i), slot_i, 6'(Window)));
      delayed = delayed_q & ~entered;
      if (delay_i) delayed[delay_slot_i[SlotBits-1:0]] = 1'b1;
    end
  end
  always_ff @(posedge clk_i) delayed_q <= delayed;

  // The oldest that does not commit
  logic [SlotBits-1:0] slot;
  assign slot = head_i[SlotBits-1:0] + SlotBits'(commit_count_i);
  assign blocked_slot_o = 6'(slot);
  assign blocked_o = on_i && commit_count_i != 3'(Width) && count_i > 7'(commit_count_i);

  function automatic class_pkg::class_e class_of_miss(input logic dram);
    class_of_miss = dram ? class_pkg::ClassMemDram : class_pkg::ClassMemL2;
  endfunction

  function automatic class_pkg::class_e class_of_head(input logic trap);
    class_of_head = class_pkg::ClassBadTrap;
    if (!trap) begin
      if (head_waits_i) class_of_head = class_pkg::ClassIdle;
      else if (head_mem_i)
        class_of_head = mem_walk_i ? class_pkg::ClassMemDtlb :
                        mem_device_i ? class_pkg::ClassMemDevice :
                        mem_hit_i ? class_pkg::ClassMemAtomic : class_of_miss(mem_dram_i);
    end
  endfunction

  // It has its result. Only one store commits in a cycle.
  function automatic class_pkg::class_e class_of_done(input logic irq);
    class_of_done = class_pkg::ClassBadClear;
    if (irq) class_of_done = class_pkg::ClassBadTrap;
    else if (head_commit_i)
      class_of_done = mem_device_i ? class_pkg::ClassMemDevice : class_pkg::ClassCoreSerial;
    else if (blocked_work_i.store) begin
      class_of_done = class_pkg::ClassCorePorts;
      if (store_waits_i) class_of_done = class_of_miss(mem_dram_i);
    end
  endfunction

  // What is ready only now waited for a value of one of the ports.
  function automatic class_pkg::class_e class_of_source(input ooo_pkg::tag_t rs1,
                                                        input ooo_pkg::tag_t rs2);
    class_of_source = class_pkg::ClassCoreDependency;
    if (reads(rs1, rs2, mem_result_q.valid, mem_result_q.rd))
      class_of_source = class_pkg::ClassCoreLoadUse;
    else if (reads(rs1, rs2, mul_result_q.valid, mul_result_q.rd))
      class_of_source = class_pkg::ClassCoreMul;
    else if (reads(rs1, rs2, div_result_q.valid, div_result_q.rd))
      class_of_source = class_pkg::ClassCoreDiv;
    else if (reads(rs1, rs2, float_result_q.valid, float_result_q.rd))
      class_of_source = class_pkg::ClassCoreFloat;
  endfunction

  function automatic logic reads(input ooo_pkg::tag_t rs1, input ooo_pkg::tag_t rs2,
                                 input logic valid, input ooo_pkg::tag_t tag);
    reads = valid && tag != '0 && (rs1 == tag || rs2 == tag);
  endfunction

  // Whether the instruction that issues is the blocked one.
  function automatic logic issues(input logic valid, input ooo_pkg::slot_t of);
    issues = valid && of[SlotBits-1:0] == slot;
  endfunction

  function automatic class_pkg::class_e class_of_alu(input logic waits);
    class_of_alu = class_pkg::ClassCorePorts;
    if (waits) class_of_alu = class_pkg::ClassCoreDependency;
    else if (waiting_q[slot]) begin
      if (issues(int0_i.valid, int0_i.slot))
        class_of_alu = class_of_source(int0_i.tags.rs1, int0_i.tags.rs2);
      else if (issues(int1_i.valid, int1_i.slot))
        class_of_alu = class_of_source(int1_i.tags.rs1, int1_i.tags.rs2);
      else if (issues(int2_i.valid, int2_i.slot))
        class_of_alu = class_of_source(int2_i.tags.rs1, int2_i.tags.rs2);
    end
  endfunction

  // An access that is in the memory port, or waits for it
  function automatic class_pkg::class_e class_of_access(input logic delays);
    class_of_access = class_pkg::ClassCoreLoadUse;
    if (delays) begin
      case (delay_q[slot])
        ooo_pkg::DelayMiss: class_of_access = class_of_miss(mem_dram_i);
        ooo_pkg::DelayStore: class_of_access = class_pkg::ClassMemStore;
        ooo_pkg::DelayWalk: class_of_access = class_pkg::ClassMemDtlb;
        ooo_pkg::DelayDevice: class_of_access = class_pkg::ClassMemDevice;
        ooo_pkg::DelayHead: class_of_access = class_pkg::ClassCoreSerial;
        default: class_of_access = class_pkg::ClassCorePorts;
      endcase
    end else if (waiting_q[slot] && issues(mem_i.valid, mem_i.slot)) begin
      class_of_access = class_of_source(mem_i.tags.rs1, mem_i.tags.rs2);
    end else if (again_q && again_entered_q && again_slot_q == slot) begin
      class_of_access = class_pkg::ClassBadClear;
    end
  endfunction

  // Whether the instruction in the slot that many behind entered_slot_q entered a cycle ago.
  function automatic logic has_entered(input logic [SlotBits-1:0] after);
    has_entered = 1'(64'(entered_q) >> after);
  endfunction

  function automatic class_pkg::class_e class_of_blocked(input logic [SlotBits-1:0] after);
    if (head_valid_i && !head_commit_i) class_of_blocked = class_of_head(head_trap_i);
    else if (has_entered(after)) class_of_blocked = before_q;
    else if (done_i[slot]) class_of_blocked = class_of_done(irq_i);
    else if (blocked_work_i.load || blocked_work_i.store) class_of_blocked = class_of_access(delayed_q[slot]);
    else if (head_only_i[slot]) class_of_blocked = class_of_serial(is_mem(blocked_work_i.unit[2:0]));
    else begin
      case (blocked_work_i.unit)
        soc_pkg::UnitMul: class_of_blocked = class_pkg::ClassCoreMul;
        soc_pkg::UnitDiv: class_of_blocked = class_pkg::ClassCoreDiv;
        soc_pkg::UnitFma, soc_pkg::UnitFpu: class_of_blocked = class_pkg::ClassCoreFloat;
        default: class_of_blocked = class_of_alu(waiting_i[slot]);
      endcase
    end
  endfunction

  function automatic logic [Width*Bits-1:0] classes_of_cycle(input class_pkg::class_e last);
    class_pkg::class_e blocked, bubble;
    bubble = last;
    if (redirect_i && redirect_head_i) bubble = class_of_redirect(redirect_head_i);
    blocked = bubble;
    if (count_i > 7'(commit_count_i)) blocked = class_of_blocked(slot - entered_slot_q);
    classes_of_cycle = {Width{blocked}};
    if (!serial_i && count_i < 7'(Width))
      for (int unsigned lane = 0; lane < Width; lane++)
        if (7'(lane) >= count_i) classes_of_cycle[Bits*lane+:Bits] = bubble;
  endfunction

  // For cover points: also of a lane that commits.
  function automatic logic [Bits-1:0] class_of_lane(input int unsigned lane);
    class_of_lane = '0;
    if (lane >= 32'(commit_count_i)) class_of_lane = Bits'(classes_of_cycle(bubble_q) >> (Bits * lane));
  endfunction

  // Nested, since many cycles fill all slots.
  always_ff @(posedge clk_i) begin
    if (commit_count_i != 3'(Width)) begin
      if (on_i) trace_class_o <= classes_of_cycle(bubble_q);
    end
  end

  // Nested, since something enters in most cycles.
  always_comb begin
    quiescent_o = 1'b1;
    if (on_i) begin
      quiescent_o = 1'b0;
      if (enter_i == '0)
        if (entered_q == '0 && bubble_q == before_q && extract_class_q == group_class_q)
          quiescent_o = class_of_fetch(fetch_req_i) == extract_class_q &&
                        class_of_bubble(bubble_q) == bubble_q &&
                        waiting_q == waiting_i && delayed == delayed_q;
    end
  end

  // make copies the names into the header of traces (rtl.mk).
  `COVER_NAMED_LANES(class, "Slots by class (none: an instruction commits)", Width, Bits,
                     class_of_lane(lane),
                     {"none,frontend.icache-l2,frontend.icache-dram,frontend.itlb,frontend.fetch,",
                      "badspec.branch,badspec.flush,badspec.trap,",
                      "memory.l2,memory.dram,memory.dtlb,memory.device,memory.atomic,",
                      "core.load-use,core.mul,core.div,idle.wfi,core.float,",
                      "badspec.clear,memory.store,core.dependency,core.ports,core.serial"})

endmodule
