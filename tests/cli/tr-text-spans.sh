# SPDX-License-Identifier: Apache-2.0
# Counts by address as text and back; what text may not say.
tr-text --encode -o a.tr "$SRC/tests/cli/data/spans.txt"
tr-text a.tr > a.txt
diff "$SRC/tests/cli/data/spans.txt" a.txt && echo "the same again"
tr-fold a.tr
wrong() { # SED-SCRIPT
	sed "$1" "$SRC/tests/cli/data/spans.txt" | tr-text --encode -o b.tr
}
wrong 's/^scope o2 around=o1/scope o2 around=o2/'
wrong 's/call=12.3/call=12:3/'
wrong 's/name="shared"/name="a;b"/'
wrong 's/^span p1 func=f2/span p1 func=f9/'
wrong 's/^span p1/span p2/'
wrong 's/code=@3:21.0.42/code=@3:21.0\/43/'
wrong 's/code=@3:21.0.42/code=@4:21.0\/42/'
wrong 's/code=@3:21.0.42/code=/'
wrong 's/site=p2+1/site=p2+2/'
wrong 's/site=p2+1/site=p3+0/'
wrong 's/site=p2+1/site=2/'
wrong 's/^count n3/count n0/'
wrong 's/^count n3 p1/count n3 p3/'
wrong 's/^count n3 p1 executions=1/count n3 p1 executions=0/'
wrong 's/cycles=0.2,2.4/cycles=2*2,0*4/'
wrong 's/cycles=0.2,2.4/cycles=3*2/'
wrong 's/cycles=0.2,2.4/cycles=1/'
wrong 's/from=p2+1 to=p1+0 count=1/from=p2+1 to=p1+2 count=1/'
wrong 's/from=p2+1 to=p1+0 count=1/from=p2+1 count=1/'
wrong 's/from=p2+1 to=p1+0 count=1/from=p2+1 to=p1+0/'
