# SPDX-License-Identifier: Apache-2.0
# Rows and stacks that cannot be summed are refused with frame, number and reason.
head='header content=stacks
func f0 kind=function name=f
thread t0 name=x'
tr-text --encode << END | tr-fold
$head
node n1 parent=n0 func=f0
srow n1 t0 cycles=1
frame 1
srow n0 t0 cycles=1
end end=limit
END
echo "exit ${PIPESTATUS[1]}"
{
	echo "$head"
	for ((i = 0; i < 16386; i++)); do echo "node n$((i + 1)) parent=n$i func=f0"; done
	printf '%s\n' 'srow n1 t0 cycles=1' 'end end=limit'
} | tr-text --encode | tr-fold
echo "exit ${PIPESTATUS[2]}"
