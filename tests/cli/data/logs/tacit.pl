# SPDX-License-Identifier: Apache-2.0
# Writes the text of a trace of one hart (tr-text --tokens) as TACIT's packets. With an
# argument N, in the mode of prediction with 64 N counters; with "old", without
# privileges; with "sync", with its place at every 1000th token; with "pause", without the
# second 1000 tokens.
use strict;
use warnings;
no warnings 'portable';

my $old = grep { $_ eq 'old' } @ARGV;
my $sync = grep { $_ eq 'sync' } @ARGV;
my $pause = grep { $_ eq 'pause' } @ARGV;
my ($entries) = grep { /^\d+$/ } @ARGV;
my ($rv32, $zcmp) = (0, 0);
my @counters = (1) x (64 * ($entries // 0));
my %mode = (U => 0, S => 1, M => 3);
my ($satp, $time, $hits, $started, $count) = (0, 0, 0, 0, 0);
my ($last, $trap); # the token that is held; the trap after it

sub number {
	my ($n, $out) = (shift, '');
	do { my $part = $n & 127; $n >>= 7; $out .= chr($part | ($n ? 0 : 128)) } while $n;
	return $out;
}
sub short { # a kind and a number
	my ($kind, $n) = @_;
	print $n < 64 ? chr($n << 2 | $kind) : chr(2 | $kind << 2) . number($n);
}
sub since { my $cycles = $_[0] - $time; $time = $_[0]; return $cycles }
sub flush_hits { short(0, $hits) if $hits; $hits = 0 }
sub xored { return number(($_[0] ^ $_[1]) >> 1 & ($old ? (1 << 39) - 1 : (1 << 63) - 1)) }
sub full { return number($_[0] >> 1 & ($old ? (1 << 39) - 1 : (1 << 63) - 1)) }

sub sync {
	my ($kind, $t) = @_;
	flush_hits() if $started;
	print chr($old ? 0x16 : 0x16 | $kind << 5);
	print chr(128 | $mode{$t->{priv}} << 3), number($satp), chr($entries ? $entries << 2 | 2 : 0) unless $old;
	print full($t->{pc}), number($t->{cycle});
	$time = $t->{cycle};
}
sub transition { # kind, from, to, cycle, privileges
	my ($kind, $from, $to, $cycle, $old_priv, $new_priv) = @_;
	flush_hits();
	print chr(0x12 | $kind << 5);
	print chr(128 | $mode{$new_priv} << 3 | $mode{$old_priv}) unless $old;
	print number($satp) if !$old && $kind == 4 && $new_priv eq 'U';
	print full($from), xored($from, $to), number(since($cycle));
}
sub branch {
	my ($t, $taken) = @_;
	return short($taken ? 0 : 1, since($t->{cycle})) unless $entries;
	my $counter = \$counters[($t->{pc} >> 1) % @counters];
	my $guess = $$counter >= 2 ? 1 : 0;
	$$counter++ if $taken && $$counter < 3;
	$$counter-- if !$taken && $$counter > 0;
	return $hits++ if $guess == $taken;
	flush_hits();
	short(1, since($t->{cycle}));
}
sub zcm_transfer { # of cm.popret, cm.popretz, cm.jt, cm.jalt
	my ($bits) = @_;
	return ($bits & 0xe003) == 0xa002 && (($bits & 0x1d00) == 0x1c00 || !($bits & 0x1c00));
}
# 'b' branch, 'j' jump, 'i' indirect, 'x' return, or ''
sub kind {
	my ($bits, $size) = @_;
	if ($size == 4) {
		return 'x' if $bits == 0x30200073 || $bits == 0x10200073;
		return {0x63 => 'b', 0x6f => 'j', 0x67 => 'i'}->{$bits & 0x7f} // '';
	}
	my ($quadrant, $funct) = ($bits & 3, $bits >> 13);
	return {1 => $rv32 ? 'j' : '', 5 => 'j', 6 => 'b', 7 => 'b'}->{$funct} // '' if $quadrant == 1;
	return 'i' if $zcmp && zcm_transfer($bits);
	return $quadrant == 2 && $funct == 4 && !($bits >> 2 & 31) && $bits >> 7 & 31 ? 'i' : '';
}
# The token that is held, before the next one at $to.
sub settle {
	my ($to, $priv) = @_;
	my $t = $last or return;
	my $kind = kind($t->{bits}, $t->{size});
	$last = undef;
	if ($kind eq 'b') {
		branch($t, $to == $t->{pc} + $t->{size} ? 0 : 1);
	} elsif ($kind eq 'j') {
		short(3, since($t->{cycle})) unless $entries;
	} elsif ($kind eq 'i') {
		flush_hits();
		print chr(0x0a), xored($t->{pc}, $to), number(since($t->{cycle}));
	} elsif ($kind eq 'x') {
		transition(4, $t->{pc}, $to, $t->{cycle}, $t->{priv}, $priv);
	}
}
binmode STDOUT;
my ($cycle, $priv) = (0, 'M');
while (<STDIN>) {
	my @w = split;
	my %v = map { /^(\w+)=(.*)/ ? ($1 => $2) : () } @w;
	$rv32 = 1 if /^header xlen=32/;
	$zcmp = 1 if /^header isa=.*_zcm/;
	if ($w[0] eq 'hart') {
		$satp = hex $v{satp};
	} elsif ($w[0] eq 'satp') {
		$satp = hex $w[1];
	} elsif ($w[0] eq 'trap') {
		my $epc = hex $v{epc};
		settle($epc, $priv);
		transition(@{$trap}[0, 1], $epc, $cycle, @{$trap}[2, 3]) if $trap;
		$cycle += $v{cycles} =~ s{/.*}{}r;
		$trap = [/interrupt/ ? 2 : 1, $epc, $priv, $v{priv}, $cycle];
		$priv = $v{priv};
	} elsif ($w[0] eq 'xret') {
		$priv = $v{priv}; # its token is held
	} elsif ($w[0] eq 'token') {
		my $t = {pc => hex $w[1], bits => hex $w[2], size => length($w[2]) / 2,
			cycle => $v{cycle}, priv => $v{priv}};
		if ($pause && $count >= 1000 && $count < 2000) {
			$count++;
			next;
		}
		settle($t->{pc}, $t->{priv});
		transition($trap->[0], $trap->[1], $t->{pc}, $trap->[4], $trap->[2], $trap->[3]) if $trap;
		$trap = undef;
		sync(1, $t) unless $started++;
		$count++;
		sync(2, $t) if $sync && $count % 1000 == 0;
		sync(3, $t) if $pause && $count == 1000;
		sync(1, $t) if $pause && $count == 2001;
		($last, $cycle, $priv) = ($t, $t->{cycle}, $t->{priv});
		$last = undef if $pause && $count == 1000;
	}
}
sync(3, $last) if $last;
