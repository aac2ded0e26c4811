# SPDX-License-Identifier: Apache-2.0
# A list, a folder or a file that is missing is told before the simulator runs.
for option in '--bins nothing.elf' '--sysroot nowhere' '--probes nothing.probes' '--probes ./freertos.probes'; do
	status=0
	# shellcheck disable=SC2086
	tr-profile $option sh -c 'touch ran' || status=$?
	echo "$option: status $status, $(ls | wc -l) files"
done
