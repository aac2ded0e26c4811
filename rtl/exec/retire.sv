// SPDX-License-Identifier: Apache-2.0
// M: commits its instruction, traps or stalls. Older instructions are done, and no
// younger one has had an effect.
//
// An instruction is taken from X with ack_i, and stays while stall_o. In its last cycle
// either commit_o or trap_o is high. An interrupt replaces an instruction in its first
// cycle. redirect_o: F continues at redirect_pc_o, and the instructions in D and X are
// dropped. lsu.sv does loads and stores, csr.sv has the CSRs and the privilege. value_o is
// the value of rd_o, also forwarded to D.

module retire (
  input logic clk_i,
  input logic rst_ni,

  // X, as in execute.sv
  input logic               ack_i,
  input soc_pkg::executed_t executed_i,
  input soc_pkg::unit_e     unit_i,
  input soc_pkg::rd_t       rd_i,

  // The instruction in M; new_o in its first cycle
  output logic               valid_o,
  output logic               new_o,
  output soc_pkg::executed_t executed_o,
  output soc_pkg::unit_e     unit_o,
  output soc_pkg::rd_t       rd_o,

  // To lsu.sv, with mem_o, and back
  output logic            mem_o,
  input  logic            mem_done_i,
  input  logic [63:0]     mem_value_i,
  input  logic            mem_fault_i,
  input  soc_pkg::cause_e mem_cause_i,
  input  logic [63:0]     mem_address_i,  // virtual

  // To the pipeline
  output logic            stall_o,
  output logic            commit_o,
  output logic [63:0]     value_o,
  output logic            redirect_o,
  output logic [63:0]     redirect_pc_o,
  output soc_pkg::fence_t fence_o,

  input  logic [63:0]     float_b_i,  // the data of a store of F or D in X

  // To csr.sv, with csr_valid_o, and back; executed_o, trap_o and what follows too
  output logic              csr_valid_o,
  output soc_pkg::xret_e    xret_o,
  input  logic [63:0]       csr_rdata_i,
  input  logic              csr_illegal_i,
  input  logic              csr_flush_i,
  input  logic              csr_satp_we_i,
  input  logic [63:0]       csr_target_i,
  input  logic              irq_i,
  input  csr_pkg::irq_e     irq_cause_i,
  input  logic              wake_i,
  input  soc_pkg::priv_e    priv_i,
  input  soc_pkg::mstatus_t status_i,

  // A trap
  output logic                 trap_o,
  output soc_pkg::trap_cause_t cause_o,
  output logic [63:0]          tval_o
);

  logic valid_q, new_q;
  soc_pkg::executed_t executed_q;
  soc_pkg::unit_e unit_q;
  soc_pkg::rd_t rd_q;

  always_ff @(posedge clk_i) begin
    if (!rst_ni) begin
      valid_q <= 1'b0;
      rd_q <= '0;
      unit_q <= soc_pkg::UnitAlu;
      new_q <= 1'b0;
    end else if (redirect_o) begin
      valid_q <= 1'b0;
      rd_q <= '0;
      unit_q <= soc_pkg::UnitAlu;
    end else if (stall_o) begin
      new_q <= 1'b0;
    end else begin
      valid_q <= ack_i;
      new_q <= ack_i;
      rd_q <= '0;
      unit_q <= soc_pkg::UnitAlu;
      if (ack_i) begin
        executed_q <= executed_i;
        unit_q <= unit_i;
        rd_q <= rd_i;
        if (unit_i == soc_pkg::UnitFloatMem) executed_q.b <= float_b_i;
      end
    end
  end

  logic interrupt, insn_valid, fault, flush;
  logic [4:0] cause;  // soc_pkg::cause_e
  soc_pkg::xret_e xret;
  assign interrupt = irq_i && new_q && valid_q;
  assign insn_valid = valid_q && !interrupt && executed_q.bad == soc_pkg::BadNone;
  assign mem_o = insn_valid && unit_q[2:0] == soc_pkg::UnitMem[2:0];
  assign csr_valid_o = insn_valid && unit_q == soc_pkg::UnitCsr;

  // Returns whether an instruction is forbidden: always in U, never in M, in S with in_s.
  function automatic logic forbidden(input logic in_s);
    forbidden = priv_i == soc_pkg::PrivU || (priv_i == soc_pkg::PrivS && in_s);
  endfunction

  always_comb begin
    stall_o = 1'b0;
    fault = 1'b0;
    cause = soc_pkg::CauseIllegal;
    tval_o = '0;
    value_o = executed_q.result;
    xret = soc_pkg::XretNone;
    flush = 1'b0;
    fence_o = '0;
    if (insn_valid) begin
      case (unit_q[2:0])
        soc_pkg::UnitMem[2:0]: begin
          value_o = mem_value_i;
          stall_o = !mem_done_i && !mem_fault_i;
          if (mem_fault_i) begin
            fault = 1'b1;
            cause = mem_cause_i;
            tval_o = mem_address_i;
          end
        end
        soc_pkg::UnitCsr[2:0]: begin
          value_o = csr_rdata_i;
          flush = csr_flush_i && !csr_illegal_i;
          fence_o.tlb = flush && !csr_satp_we_i;
          if (csr_illegal_i) begin
            fault = 1'b1;
            tval_o = {32'd0, executed_q.insn};
          end
        end
        soc_pkg::UnitSys[2:0]: begin
          tval_o = {32'd0, executed_q.insn};
          case (executed_q.op.sys)
            soc_pkg::SysEcall: begin
              fault = 1'b1;
              cause = soc_pkg::CauseEcallU | {3'd0, priv_i};
              tval_o = '0;
            end
            soc_pkg::SysEbreak: begin
              fault = 1'b1;
              cause = soc_pkg::CauseBreak;
              tval_o = executed_q.pc;
            end
            soc_pkg::SysMret: begin
              fault = forbidden(1'b1);
              if (!fault) xret = soc_pkg::XretM;
            end
            soc_pkg::SysSret: begin
              fault = forbidden(status_i.tsr);
              if (!fault) xret = soc_pkg::XretS;
            end
            soc_pkg::SysWfi: begin
              fault = forbidden(status_i.tw);
              stall_o = !fault && !wake_i;
            end
            soc_pkg::SysSfence: begin
              fault = forbidden(status_i.tvm);
              flush = !fault;
              fence_o.tlb = flush;
              fence_o.scope.page = executed_q.fields.rs1 != 5'd0;
              fence_o.scope.asid = executed_q.fields.rs2 != 5'd0;
              fence_o.scope.index = executed_q.result[17:12];
            end
            default: begin
              flush = 1'b1;
              fence_o.icache = 1'b1;
            end
          endcase
        end
        default: value_o = executed_q.result;
      endcase
    end else if (valid_q && !interrupt) begin
      fault = 1'b1;
      tval_o = executed_q.pc;
      case (executed_q.bad)
        soc_pkg::BadAccess: cause = soc_pkg::CauseFetchAccess;
        soc_pkg::BadPage: cause = soc_pkg::CauseFetchPage;
        soc_pkg::BadAccessHalf: begin
          cause = soc_pkg::CauseFetchAccess;
          tval_o = executed_q.pc + 64'd2;
        end
        soc_pkg::BadPageHalf: begin
          cause = soc_pkg::CauseFetchPage;
          tval_o = executed_q.pc + 64'd2;
        end
        default: tval_o = {32'd0, executed_q.insn};
      endcase
    end
  end
  assign trap_o = interrupt || fault;
  assign cause_o = interrupt ? {2'b10, irq_cause_i} : {1'b0, cause};
  assign commit_o = valid_q && !trap_o && !stall_o;
  assign xret_o = xret;
  assign redirect_o = trap_o || xret != soc_pkg::XretNone || flush;
  always_comb begin
    redirect_pc_o = executed_q.next_pc;
    if (trap_o || xret != soc_pkg::XretNone) redirect_pc_o = csr_target_i;
  end

  assign valid_o = valid_q;
  assign new_o = new_q;
  assign unit_o = unit_q;
  assign rd_o = rd_q;
  assign executed_o = executed_q;

  `ASSERT(one_end, $onehot0({stall_o, commit_o, trap_o}))
  `ASSERT_IF(valid_ends, stall_o || commit_o || trap_o, valid_q)
  `ASSERT_IF(trap_of_an_instruction, valid_q, trap_o)
  `ASSERT_IF(bubble_is_alu, unit_q == soc_pkg::UnitAlu && rd_q == '0, !valid_q)
  `ASSERT_HELD(instruction_stands, valid_q, !stall_o, executed_q)
  `ASSERT_IF(interrupt_in_first_cycle, new_q, interrupt)
  `ASSERT(one_answer, !(mem_done_i && mem_fault_i))

  `COVER(wfi, "Cycles in which a WFI waits", stall_o && unit_q == soc_pkg::UnitSys)

endmodule
