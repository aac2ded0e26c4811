# SPDX-License-Identifier: Apache-2.0
# Executes a program of RV32, as objdump -d -M no-aliases,numeric lists it, from the symbol
# _start to a jump to itself, and writes Spike's log of it (-l --log-commits).
#
#     perl run.pl [zcmp] [INDEX=SYMBOL]... < listing
#
# zcmp: it has Zcmp and Zcmt in place of C.FSDSP; INDEX=SYMBOL is an entry of the table of
# cm.jt and cm.jalt. Loads return 0, except those of cm.pop and the like.
use strict;
use warnings;

my (%code, %symbol, %table, %memory, $zcmp);
my @x = (0) x 32;
for my $argument (@ARGV) {
	$zcmp = 1 if $argument eq 'zcmp';
	$table{$1} = $2 if $argument =~ /^(\d+)=(\w+)$/;
}
while (<STDIN>) {
	$symbol{$2} = hex $1 if /^([0-9a-f]{8}) <(\w+)>:/;
	$code{hex $1} = [$2, $3, $4 // ''] if /^\s*([0-9a-f]+):\s+([0-9a-f]+)\s+([\w.]+)\s*(\S*)/;
}

# The list of registers of cm.push and the like: ra, s0, s1 and so on.
sub list_of {
	my ($bits) = @_;
	my $list = $bits >> 4 & 15;
	my $count = $list == 15 ? 13 : $list - 3;
	return ((1, 8, 9, 18 .. 27)[0 .. $count - 1]);
}

sub push_or_pop {
	my ($bits) = @_;
	my @list = list_of($bits);
	my $bytes = int((4 * @list + 15) / 16) * 16 + ($bits >> 2 & 3) * 16;
	my $is_push = ($bits >> 8 & 31) == 24;
	my $at = $is_push ? $x[2] : $x[2] + $bytes;
	for my $register (reverse @list) {
		$at -= 4;
		$memory{$at} = $x[$register] if $is_push;
		$x[$register] = $memory{$at} unless $is_push;
	}
	$x[2] += $is_push ? -$bytes : $bytes;
}

# Executes an instruction of Zcmp or Zcmt; returns the next pc.
sub step_zcm {
	my ($pc, $bits) = @_;
	my $index = $bits >> 2 & 255;
	if (($bits >> 10 & 7) == 0) {
		$x[1] = $pc + 2 if $index >= 32;
		return $symbol{$table{$index}};
	}
	if (($bits >> 10 & 7) == 3) {
		my ($first, $second) = map { $_ < 2 ? $_ + 8 : $_ + 16 } $bits >> 7 & 7, $bits >> 2 & 7;
		@x[10, 11] = @x[$first, $second] if ($bits >> 5 & 3) == 3;
		@x[$first, $second] = @x[10, 11] if ($bits >> 5 & 3) == 1;
		return $pc + 2;
	}
	push_or_pop($bits);
	$x[10] = 0 if ($bits >> 8 & 31) == 28;
	return ($bits >> 8 & 31) >= 28 ? $x[1] : $pc + 2;
}

# Executes any other instruction; returns the next pc.
sub step {
	my ($pc, $length, $name, @o) = @_;
	my @r = map { /^x(\d+)$/ ? $1 : 0 } @o;
	my $next = $pc + $length;
	my $value;
	if ($name eq 'lui') {
		$value = hex($o[1]) << 12;
	} elsif ($name eq 'auipc') {
		$value = $pc + (hex($o[1]) << 12);
	} elsif ($name eq 'addi' || $name eq 'add') {
		$value = $x[$r[1]] + ($o[2] =~ /^x/ ? $x[$r[2]] : $o[2]);
	} elsif ($name eq 'c.addi' || $name eq 'c.addi16sp' || $name eq 'c.add') {
		$value = $x[$r[0]] + ($o[1] =~ /^x/ ? $x[$r[1]] : $o[1]);
	} elsif ($name eq 'c.li' || $name eq 'c.mv') {
		$value = $o[1] =~ /^x/ ? $x[$r[1]] : $o[1];
	} elsif ($name =~ /^c?\.?l[wd]/) {
		$value = 0;
	} elsif ($name eq 'c.beqz' || $name eq 'c.bnez') {
		$next = hex $o[1] if ($x[$r[0]] == 0) == ($name eq 'c.beqz');
	} elsif ($name eq 'beq' || $name eq 'bne') {
		$next = hex $o[2] if ($x[$r[0]] == $x[$r[1]]) == ($name eq 'beq');
	} elsif ($name eq 'c.j' || $name eq 'c.jal' || $name eq 'jal') {
		$x[1] = $next if $name ne 'c.j' && ($name eq 'c.jal' || $r[0] == 1);
		$next = hex $o[-1];
	} elsif ($name eq 'c.jr' || $name eq 'jalr') {
		my ($offset, $base) = $name eq 'jalr' ? $o[1] =~ /^(-?\d+)\(x(\d+)\)$/ : (0, $r[0]);
		my $to = ($x[$base] + $offset) & 0xffffffff;
		$x[1] = $next if $name eq 'jalr' && $r[0] == 1;
		$next = $to;
	} elsif ($name !~ /^c?\.?f?s[wd]/) {
		die "no such instruction: $name\n";
	}
	$x[$r[0]] = $value & 0xffffffff if defined $value && $r[0];
	return $next;
}

for (my ($pc, $next) = ($symbol{_start}, 0); ; $pc = $next) {
	my ($digits, $name, $operands) = @{$code{$pc} // die sprintf("no code at 0x%x\n", $pc)};
	my $bits = hex $digits;
	my @before = @x;
	if ($zcmp && ($bits & 0xe003) == 0xa002 && length $digits == 4) {
		$next = step_zcm($pc, $bits);
	} else {
		$next = step($pc, length($digits) / 2, $name, split /,/, $operands);
	}
	printf "core   0: 0x%08x (0x%08x) %s\n", $pc, $bits, $name;
	printf "core   0: 3 0x%08x (0x%s)%s\n", $pc, $digits,
		join '', map { $x[$_] == $before[$_] ? () : sprintf(' x%-2d 0x%08x', $_, $x[$_]) } 1 .. 31;
	last if $next == $pc;
}
