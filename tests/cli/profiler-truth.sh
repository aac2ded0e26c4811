# SPDX-License-Identifier: Apache-2.0
# The comparisons of `make truth-profiler` from small data: counters that are right, each way in
# which they can be wrong, and places of processes.
truth=$SRC/tests/profiler

cat > list.csv << 'END'
name,address,size,entry,stub_size,loops
f,0x100,16,near,32,0
"g(int, int)",0x110,16,far,40,1
h,0x120,2,small,0,0
END
header=pid,life,program,address,function,before,late,entered,open,inherited
entries() {
	echo $header
	cat
}
entries > run.csv << 'END'
5,1,p,0x100,f,0,0,7,1,0
5,1,p,0x110,g(int, int),0,0,2,0,0
5,1,p,0x120,h,4,4,0,0,0
6,1,p,0x110,g(int, int),0,0,3,0,1
END
printf '%s\n' 'pid index count' '5 0 6' '5 1 2' '6 0 0' '6 1 4' > counts
judge() { # OPTIONS COUNTS ENTRIES
	awk -f "$truth/counters.awk" $1 list.csv "$2" "$3" || echo "exit $?"
}
judge '-v whole=1' counts run.csv
sed 's/^6 1 4/6 1 3/' counts > wrong
judge '' wrong run.csv
grep -v ^6 counts > wrong
judge '' wrong run.csv
{ cat counts; echo '7 0 0'; echo '5 9 1'; } > wrong
judge '' wrong run.csv
sed 's/f,0,0,7/f,2,1,7/' run.csv > late.csv
judge '' counts late.csv
judge '-v again=1' counts late.csv
judge '-v whole=1 -v again=1' counts late.csv
sed 's/h,4,4,0/h,4,4,1/' run.csv > refused.csv
judge '' counts refused.csv
printf '%s\n' 'pid index count' '0 0 6' '0 1 6' > all
judge '' all run.csv
head -n 1 counts > none
judge '' none run.csv

echo '# printed counters, of processes in another order'
print_counts() {
	printf '%s\r\n' "counts 00031" calls,counts,name '4,entries,"g(int, int)"' 0,calls,f "counts 00030" calls,counts,name \
		6,calls,f '2,entries,"g(int, int)"' 'p: status 0'
}
print_counts > console
awk -v whole=1 -f "$truth/printed.awk" list.csv console run.csv
print_counts | sed 's/^4,/5,/' | awk -v verbose=1 -f "$truth/printed.awk" list.csv - run.csv || echo "exit $?"
awk -f "$truth/printed.awk" list.csv console late.csv || echo "exit $?"
awk -f "$truth/printed.awk" list.csv console refused.csv || echo "exit $?"

echo '# the same executions'
entries > without.csv << 'END'
9,1,p,0x100,f,7,0,0,0,0
9,1,p,0x110,g(int, int),5,0,0,0,0
9,1,p,0x120,h,4,0,0,0,0
END
awk -f "$truth/same-entries.awk" without.csv run.csv
sed 's/f,7/f,8/' without.csv > other.csv
awk -f "$truth/same-entries.awk" other.csv run.csv || echo "exit $?"

echo '# places'
echo 'code 0x10000 0x1000' > p.entries
printf '%s\n' 5,1,p,0x10102,0x10102 5,1,p,0x10102,0x9010 6,1,p,0x10102,0x9010 7,1,p,0x3f80000000,0x3f80000a28 \
	7,1,p,0x10104,0x12000 8,1,p,0x10106,0x3f80000a28 > moves
awk -v least=2 -f "$truth/moves.awk" p.entries moves
awk -v least=3 -f "$truth/moves.awk" p.entries moves || echo "exit $?"

echo '# counters'
mkdir folder
{
	head -c 24 /dev/zero
	printf '\003\0\0\0'
	head -c 4068 /dev/zero
	printf '\001\0\0\0\0\0\0\0\0\001\0\0\0\0\0\0\0\0\0\0\0\0\0\0\011'
} > folder/00042.dat
"$truth/counters.sh" folder
