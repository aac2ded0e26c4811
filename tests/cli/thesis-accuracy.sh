# SPDX-License-Identifier: Apache-2.0
# `make thesis-5.4` from small data: instructions and samples by function, from a log and from a
# histogram; counts that are and are not those of a trace; and tables of random samples.
pipelines=$SRC/pipelines
cat > list << 'END'
name,address,size,entry,stub_size,loops
f,0x100,16,near,32,0
small,0x110,2,small,0,0
f,0x112,14,far,40,1
g,0x120,8,near,32,0
unused,0x200,8,near,32,0
END
printf '%s\n' 0x100,10 0x10e,5 0x110,3 0x112,20 0x11e,1 0x124,7 0x128,2 other,4 kernel,50 > counts

echo '# rows'
{
	printf '%s\r\n' 'hello, world' time,span,index,calls,counts,samples,percent,calls_per_second,cycles_per_call,name
	printf '9,8,%s\r\n' 1,0,calls,30,60,0.0,,f 0,0,calls,10,20,0.0,,f 2,0,calls,5,10,0.0,,g 3,0,calls,0,0,0.0,,unused
	printf '9,8,%s\r\n' ',,,5,10,,,[kernel and other]' ',,,2,,,,[lost]'
} > console
rows() { awk -f "$pipelines/thesis-5.4-rows.awk" list counts "$1"; }
rows console
# Half of a bin is of the second f, half of it of g.
printf '%s\n' rate,100 bin,4 0x100,40 0x11e,3 0x128,1 > histogram
rows histogram
sed -i s/unused/used/ console
rows console > wrong.txt || echo "exit $?"
rows counts > wrong.txt || echo "exit $?"

echo '# same'
trace() {
	printf '%s\n' calls,self_instructions,binary,function,address,kind "1,15,it,\"f(int, int)\",0x100,function" 1,3,it,small,0x110,function \
		"1,$1,it,f,0x112,function" 1,7,it,g,0x120,function 1,9,kernel,g,0x120,function > functions
	awk -v binary=it -f "$pipelines/thesis-5.4-same.awk" list counts functions
}
trace 21
trace 22 || echo "exit $?"

echo '# table'
"$SRC/tests/profiler/accuracy.sh" work
