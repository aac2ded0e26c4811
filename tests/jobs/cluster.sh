#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A Slurm cluster of two nodes, n1 and n2, of one processor each, on this machine, without systemd.
# All its files are in FOLDER; its configuration is FOLDER/slurm.conf (SLURM_CONF).
#
#   cluster.sh start FOLDER       until both nodes are idle
#   cluster.sh fail FOLDER NODE   the node dies, with all that runs on it
#   cluster.sh stop FOLDER
set -euo pipefail
export PATH=$PATH:/usr/sbin:/sbin
folder=$(realpath -m "$2")
export SLURM_CONF=$folder/slurm.conf

# Prints that many ports that nobody listens on.
free_ports() {
	python3 -c 'import socket, sys
sockets = [socket.socket() for _ in range(int(sys.argv[1]))]
for s in sockets: s.bind(("127.0.0.1", 0))
print(*[s.getsockname()[1] for s in sockets])' "$1"
}

write_configuration() {
	local host port
	host=$(hostname -s)
	read -ra port < <(free_ports 3)
	cat > "$SLURM_CONF" <<- END
		ClusterName=test
		SlurmctldHost=$host(127.0.0.1)
		SlurmctldPort=${port[0]}
		SlurmUser=$(id -un)
		SlurmdUser=$(id -un)
		AuthType=auth/munge
		AuthInfo=socket=$folder/munge/socket
		CredType=cred/munge
		StateSaveLocation=$folder/state
		SlurmdSpoolDir=$folder/%n
		SlurmctldPidFile=$folder/slurmctld.pid
		SlurmdPidFile=$folder/%n.pid
		SlurmctldLogFile=$folder/log/slurmctld
		SlurmdLogFile=$folder/log/%n
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		SelectType=select/cons_tres
		SelectTypeParameters=CR_Core
		JobAcctGatherType=jobacct_gather/none
		AccountingStorageType=accounting_storage/none
		JobCompType=jobcomp/filetxt
		JobCompLoc=$folder/jobs.txt
		MpiDefault=none
		SwitchType=switch/none
		ReturnToService=2
		# A dead node is noticed within three times this.
		SlurmdTimeout=10
		MessageTimeout=5
		KillWait=2
		MaxArraySize=${MAX_ARRAY_SIZE:-1001}
		SchedulerParameters=sched_interval=2,bf_interval=2,batch_sched_delay=0
		NodeName=n1 NodeAddr=127.0.0.1 NodeHostname=$host Port=${port[1]} CPUs=1 State=UNKNOWN
		NodeName=n2 NodeAddr=127.0.0.1 NodeHostname=$host Port=${port[2]} CPUs=1 State=UNKNOWN
		PartitionName=test Nodes=n[1-2] Default=YES MaxTime=INFINITE State=UP
	END
}

start() {
	mkdir -p "$folder"/{munge,state,n1,n2,log}
	chmod 755 "$folder/munge"
	head -c 128 /dev/urandom > "$folder/munge/key"
	chmod 400 "$folder/munge/key"
	munged --key-file="$folder/munge/key" --socket="$folder/munge/socket" --pid-file="$folder/munge.pid" \
		--log-file="$folder/munge/log" --seed-file="$folder/munge/seed" --force 2> "$folder/log/munged"
	write_configuration
	slurmctld
	slurmd -N n1
	slurmd -N n2
	for _ in $(seq 100); do
		[ "$(sinfo -h -t idle -o %D 2> /dev/null)" != 2 ] || return 0
		sleep 0.2
	done
	echo 'cluster.sh: the nodes are not idle after 20 s:' >&2
	tail -n 5 "$folder"/log/* >&2
	exit 2
}

# Prints the processes of this cluster's jobs on a node, and those of Slurm that watch them.
processes_of() { # NODE
	local process
	for process in /proc/[0-9]*; do
		{ tr '\0' '\n' < "$process/environ" | grep -cxF -e "SLURM_CONF=$SLURM_CONF" -e "SLURMD_NODENAME=$1" | grep -qx 2; } 2> /dev/null || continue
		awk '$1 == "PPid:" { print $2 }' "$process/status" 2> /dev/null | while read -r parent; do
			! grep -qx slurmstepd "/proc/$parent/comm" 2> /dev/null || echo "$parent"
		done
		echo "${process#/proc/}"
	done
}

kill_from() { # FILE SIGNAL
	[ ! -s "$1" ] || kill "-$2" "$(cat "$1")" 2> /dev/null || :
}

case $1 in
start) start ;;
fail)
	kill_from "$folder/$3.pid" KILL
	processes_of "$3" | sort -u | xargs -r kill -KILL 2> /dev/null || :
	;;
stop)
	for daemon in n1 n2 slurmctld munge; do kill_from "$folder/$daemon.pid" TERM; done
	;;
*) echo "cluster.sh: no such command: $1" >&2; exit 2 ;;
esac
