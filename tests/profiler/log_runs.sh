#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# script SCENARIO [MOMENTS MEAN SEED]: programs under the daemon, whose logs are read and handed
# over to whoever traces the machine.
scenario=$1
mkdir -p /tmp
cd /tmp || exit
prof-daemon /config || exit

again() {
	while :; do "$@" > /dev/null; done
}

case $scenario in
five)
	multiply 1000000 > /dev/null &
	first=$!
	kernels-O2 1000000 > /dev/null &
	denoise 1000000 > /dev/null &
	again minisat -verb=0 /formula model &
	again djpeg -outfile picture.ppm /picture.jpg &
	log_reader /tmp/prof-0 "$2" "$3" "$4" > /dev/null &
	reader=$!
	# Until there is a log.
	case $(cat /config) in
	*'mode = global'*) until prof-log --csv -n 3 --every 4 --global > printed-0.csv 2> trouble; do :; done ;;
	*) until prof-log --csv -n 3 --every 4 $first > printed-$first.csv 2> trouble; do :; done ;;
	esac
	wait $reader
	echo "reader: status $?"
	;;
family)
	log_cousin 30 > /dev/null &
	log_family 200 /tmp/ready &
	until [ -e /tmp/ready ]; do sleep 1; done
	sleep 1
	log_reader /tmp/prof-0 all > /dev/null
	;;
esac
hand_over printed-*.csv > /dev/null
echo "$scenario: done"
