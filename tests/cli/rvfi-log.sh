# SPDX-License-Identifier: Apache-2.0
# Cores in simulators without DPI: a trace of the model, replayed as commits in Icarus Verilog and
# in GHDL, becomes the same tokens and events by a log and awk, and by VHPIDIRECT.
trace=$SRC/rtl/trace target=$SRC/build/target
soc-model --max-instructions 25k --trace model.tr "$target/firmware.elf" "$target/hello.elf" < /dev/null > console.txt
tr-text --tokens model.tr | awk -f "$SRC/tests/trace-core/replay.awk" |
	awk 'function pad(text, size) { while (length(text) < size) text = "0" text; return text }
		{ print pad($1, 16), pad($2, 16), pad($3, 8), $4, $5, $6, $7, pad($8, 16), pad($9, 16), pad($10, 16) }' > commits
plain() { # without what RVFI does not tell
	tr-text --tokens "$1" | grep -v '^header\|^frame\|^end\|^gap\|^csr-read\|^mmio-load\|^atomic\|^device-write\|^registers' |
		sed 's/ cycles=[0-9]*//; s/ cycle=[0-9]*//; s/ tval=[^ ]*//; /^reg x2 0x0$/d; /^satp 0x0$/d; s/^hart 0.*/hart 0/'
}
plain model.tr > model.txt
same() { # NAME STREAM
	plain "$2" > other.txt
	diff model.txt other.txt > differences && echo "$1: the same $(grep -c '^token' other.txt) tokens, $(grep -c '^trap' other.txt) traps" ||
		{ echo "$1:"; head -n 8 differences; }
}
cat > replay.v << 'END'
module replay;
  reg clk, valid, trap, intr;
  reg [1:0] mode;
  reg [31:0] insn;
  reg [4:0] rd;
  reg [63:0] pc, next_pc, value, satp, cause;
  integer file, fields;
  rvfi_log #(.XLEN(64)) u_log (
    .clk_i(clk), .hart_i(32'd0), .valid_i(valid), .trap_i(trap), .intr_i(intr), .mode_i(mode), .insn_i(insn),
    .pc_rdata_i(pc), .pc_wdata_i(next_pc), .rd_addr_i(rd), .rd_wdata_i(value), .satp_i(satp), .cause_i(cause));
  initial begin
    clk = 0;
    valid = 0;
    file = $fopen("commits", "r");
    fields = 10;
    while (fields == 10) begin
      fields = $fscanf(file, "%h %h %h %h %h %h %h %h %h %h", pc, next_pc, insn, mode, trap, intr, rd, value, satp, cause);
      valid = fields == 10;
      #1 clk = 1;
      #1 clk = 0;
    end
    $finish;
  end
endmodule
END
echo '# Icarus Verilog, and awk'
iverilog -g2001 -o replay "$trace/rvfi_log.v" replay.v && ./replay > /dev/null
awk -v has_cause=1 -f "$trace/rvfi_log.awk" rvfi.log | tr-text --encode -o icarus.tr
same icarus icarus.tr
mv rvfi.log icarus.log
awk -f "$trace/rvfi_log.awk" icarus.log | tr-text --encode | tr-text --tokens | grep -c '^trap '
printf '1 0 80000000 80000004 00000013 3 0 0 0 0\n' | awk -f "$trace/rvfi_log.awk" > few.txt
echo "exit $?"
echo '# RV32, two harts: an ECALL that seems to retire, an interrupt at its handler, and a write of sp'
awk -v width=2 -f "$trace/rvfi_log.awk" << 'END' > two.txt
5 0 80000000 80000004 00000073 0 0 0 0 00000000 00000000 00000000
5 1 80001000 80001002 00001101 3 0 0 2 8000ffe0 00000000 00000000
9 0 80000100 80000104 00000013 3 0 1 0 00000000 00000000 00000000
9 0 80000104 80000108 30200073 3 0 0 0 00000000 00000000 00000000
12 0 80000100 80000104 00000013 3 0 1 0 00000000 00000000 00000000
END
tr-text --encode -o two.tr two.txt && tr-text --tokens two.tr | grep -v '^header pg\|^frame'
cat > replay.vhd << 'END'
library ieee;
use ieee.std_logic_1164.all;
use std.textio.all;
use std.env.all;
entity replay is end entity;
architecture test of replay is
  signal clk, valid, trap, intr : std_logic := '0';
  signal mode : std_logic_vector(1 downto 0);
  signal insn : std_logic_vector(31 downto 0);
  signal rd : std_logic_vector(4 downto 0);
  signal pc, next_pc, value, satp, cause : std_logic_vector(63 downto 0);
begin
  u_log : entity work.rvfi_log generic map (XLEN => 64)
    port map (clk, valid, trap, intr, mode, insn, pc, next_pc, rd, value, satp, cause);
  u_sink : entity work.trace_sink generic map (XLEN => 64, HAS_CAUSE => true)
    port map (clk, valid, trap, intr, mode, insn, pc, next_pc, rd, value, satp, cause);
  process
    file commits : text open read_mode is "commits";
    variable row : line;
    variable long : std_logic_vector(63 downto 0);
    variable half : std_logic_vector(31 downto 0);
    variable digit : std_logic_vector(3 downto 0);
  begin
    while not endfile(commits) loop
      readline(commits, row);
      hread(row, long); pc <= long;
      hread(row, long); next_pc <= long;
      hread(row, half); insn <= half;
      hread(row, digit); mode <= digit(1 downto 0);
      hread(row, digit); trap <= digit(0);
      hread(row, digit); intr <= digit(0);
      hread(row, digit); rd <= "0" & digit;
      hread(row, long); value <= long;
      hread(row, long); satp <= long;
      hread(row, long); cause <= long;
      valid <= '1';
      wait for 1 ns;
      clk <= '1';
      wait for 1 ns;
      clk <= '0';
    end loop;
    finish;
  end process;
end architecture;
END
echo '# GHDL, by VHPIDIRECT, and by a log'
gcc -std=c11 -Wall -Wextra -Werror -shared -fPIC -I"$trace" -o tr_vhdl.so "$trace/vhdl/trace_sink.c" "$SRC/build/lib/libtr_trace.a" -lzstd -lxxhash
ghdl -a --std=08 "$trace/vhdl/trace_sink.vhd" "$trace/vhdl/rvfi_log.vhd" replay.vhd && ghdl -e --std=08 replay
TR_FILE=ghdl.tr ghdl -r --std=08 replay > ghdl.txt 2>&1 || cat ghdl.txt
same vhpidirect ghdl.tr
cmp rvfi.log icarus.log && echo 'the logs are the same'
head -n 1000 commits > few && mv few commits
tr-capture -o capture.tr -- ghdl -r --std=08 replay > ghdl.txt 2>&1 || cat ghdl.txt
tr-info capture.tr | grep -A 1 '^ *instructions  ' | tr -s ' '
TR_FILE=/dev/full ghdl -r --std=08 replay 2>&1 | grep -o 'trace_sink: .*'
exit 0
