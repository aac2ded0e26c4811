# SPDX-License-Identifier: Apache-2.0
# Stacks of two guests and their hypervisor, worked out by hand. A vector takes 3 cycles and
# as many to return. What the hypervisor does for a guest is on the guest's stack; each of its
# threads enters its guest from a stack of its own.
. "$SRC/tests/cli/two-guests.inc"
cat > want << 'END'
alpha;alpha_boot 5
beta;beta_boot 6
hyp;vcpu_main 8
mail;mail_start 1
mail;mail_start;sort 4
mail;mail_start;sort;[ecall];beta_vector 6
mail;mail_start;sort;[ecall];beta_vector;beta_serve 3
mail;mail_start;sort;[ecall];beta_vector;beta_serve;beta_queue 2
mail;mail_start;sort;[ecall];beta_vector;beta_serve;beta_queue;beta_copy 2
mail;mail_start;sort;letter 6
mail;mail_start;sort;letter;[timer interrupt];vector 3
mail;mail_start;sort;letter;[timer interrupt];vector;handle 2
mail;mail_start;sort;letter;[timer interrupt];vector;handle;schedule 1
mail;mail_start;sort;letter;[timer interrupt];vector;handle;schedule;switch_to 3
shop;shop_start 4
shop;shop_start;sell 5
shop;shop_start;sell;[ecall];alpha_vector 6
shop;shop_start;sell;[ecall];alpha_vector;alpha_serve 3
shop;shop_start;sell;[ecall];alpha_vector;alpha_serve;alpha_driver 5
shop;shop_start;sell;[ecall];alpha_vector;alpha_serve;alpha_driver;[ecall];vector 6
shop;shop_start;sell;[ecall];alpha_vector;alpha_serve;alpha_driver;[ecall];vector;handle 3
shop;shop_start;sell;[ecall];alpha_vector;alpha_serve;alpha_driver;[ecall];vector;handle;schedule 2
shop;shop_start;sell;[ecall];alpha_vector;alpha_serve;alpha_driver;[ecall];vector;handle;schedule;switch_to 3
shop;shop_start;sell;price 6
END
tr-match --depth 4 --bins bins.lst two.tr > matched.tr
tr-unwind matched.tr > stacks.tr 2> /dev/null
tr-fold stacks.tr | diff want - && echo 'the stacks are right'
tr-text stacks.tr | grep ^thread
for by in process thread privilege; do
	tr-fold --by $by stacks.tr | awk '{ name = $0; sub(/;.*/, "", name); sum[name] += $NF }
		END { for (name in sum) print name, sum[name] }' | sort
done
tr-timeline --by thread --format speedscope stacks.tr | tr , '\n' | grep -E '^"name":"(alpha|beta|hyp|mail|shop)#'

# Guests with the same kernel, program and tp: only hgatp tells their threads apart.
tr-text matched.tr | sed '/^note/s/bin=2/bin=1/; /^note/s/bin=4/bin=3/' | tr-text --encode |
	tr-unwind 2> /dev/null | tr-text | grep '^thread'

# The hypervisor has another satp than the guests.
awk '/^hart 0/ { sub("0x8000000000000001", "0x8000000000000002"); is_host = 1 }
	/^xret/ && is_host { print "satp 0x8000000000000001"; is_host = 0 }
	{ print }
	/^trap.* priv=S/ { print "satp 0x8000000000000002"; is_host = 1 }' two.txt | tr-text --encode |
	tr-match --depth 4 --bins bins.lst | tr-unwind 2> /dev/null | tr-fold | diff want - && echo 'and with two values'
