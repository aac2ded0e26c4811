# SPDX-License-Identifier: Apache-2.0
# For tests/decode/*.sh: the extensions that LLVM's disassembler is to know.

features=+m,+a,+f,+h,+zca,+zcb,+zba,+zbb,+zbc,+zbs,+zbkb,+zbkc,+zbkx,+zkn,+zks,+zkr,+zicond,+zimop,+zcmop,+zabha
features+=,+experimental-zacas,+experimental-zicfilp,+experimental-zicfiss,+experimental-zalasr,+zawrs,+zfa,+zfh
features+=,+zfbfmin,+zicbom,+zicbop,+zicboz,+svinval
with_d=+d,+c,+v,+zvbb,+zvbc,+zvkng,+zvksg,+zvfh,+zvfbfmin,+zvfbfwma

llvm() { # XLEN FEATURES < the list
	sed 's/ .*//' | { llvm-mc-19 -disassemble -triple=riscv"$1" -mattr="$2" -show-encoding \
		-M no-aliases -M numeric 2> /dev/null || :; } |
		sed -n 's/^[\t ]*\(.*[^ ]\) *# encoding: \(\[.*\]\)$/\2 \1/p'
}
