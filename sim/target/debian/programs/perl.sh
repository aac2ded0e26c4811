# SPDX-License-Identifier: Apache-2.0
# Words of a generated text: regular expressions, hashes, sorting, closures, a module in C.
cat > /words.pl <<'END'
use strict;
use warnings;
use List::Util qw(sum max reduce);
use POSIX qw(floor fmod);

my @letters = ('a' .. 'j');
my $seed = 1;
sub letter { $seed = ($seed * 1103515245 + 12345) % 2147483648; $letters[floor($seed / 65536) % 10] }
my $text = join ' ', map { join '', map { letter() } 1 .. 1 + $_ % 3 } 1 .. 6000;

my %count;
$count{$1}++ while $text =~ /\b([a-j]+)\b/g;
my @order = sort { $count{$b} <=> $count{$a} || $a cmp $b } keys %count;
printf "%d words, %d different\n", sum(values %count), scalar @order;
printf "%s %d\n", $_, $count{$_} for @order[0 .. 4];
(my $changed = $text) =~ s/(a+)([b-e])/\u$2\L$1/g;
printf "%d capitals\n", $changed =~ tr/A-Z//;
my $longest = reduce { length $a >= length $b ? $a : $b } @order;
printf "longest %d, root %.6f\n", length $longest, fmod(sqrt(sum map { $_ ** 2 } values %count), 10);
my $fib; $fib = sub { my $n = shift; $n < 2 ? $n : $fib->($n - 1) + $fib->($n - 2) };
printf "fib(18) = %d\n", $fib->(18);
eval { die { code => 7 } };
printf "died with %d\n", $@->{code};
END
traced /usr/bin/perl /words.pl
