# A Slurm of the test's own with the nodes n1, n2 and n3, all on 127.0.0.1: sourced behind
# cli/lib.sh. What it runs is stopped by process id, and its files lie in one directory. $SLURM.
# shellcheck shell=sh disable=SC2034,SC2154
SLURM_CPUS=${SLURM_CPUS:-2}

slurm_is_here() {
	for program in slurmctld slurmd munged sbatch unshare; do
		command -v $program >/dev/null || return
	done
}

# slurm_configure: a node is lost after 10 s; what is requeued is held for two minutes, as always.
slurm_configure() {
	host=$(hostname -s) user=$(id -un) port=$((20000 + $$ % 20000))
	cat >"$SLURM/slurm.conf" <<-EOF2
	ClusterName=rondo
	SlurmctldHost=$host(127.0.0.1)
	SlurmUser=$user
	SlurmdUser=$user
	SlurmctldPort=$port
	AuthType=auth/munge
	AuthInfo=socket=$SLURM/munge/socket
	CredType=cred/munge
	CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
	StateSaveLocation=$SLURM/state
	SlurmdSpoolDir=$SLURM/spool.%n
	SlurmctldPidFile=$SLURM/slurmctld.pid
	SlurmdPidFile=$SLURM/slurmd.%n.pid
	SlurmctldLogFile=$SLURM/slurmctld.log
	SlurmdLogFile=$SLURM/slurmd.%n.log
	ProctrackType=proctrack/linuxproc
	TaskPlugin=task/none
	SwitchType=switch/none
	MpiDefault=none
	JobAcctGatherType=jobacct_gather/none
	AccountingStorageType=accounting_storage/none
	SelectType=select/cons_tres
	SelectTypeParameters=CR_CPU
	SchedulerType=sched/backfill
	SchedulerParameters=batch_sched_delay=0,sched_min_interval=100000,sched_interval=1
	SlurmdParameters=config_overrides
	ReturnToService=2
	SlurmdTimeout=10
	SlurmctldTimeout=20
	MessageTimeout=10
	KillWait=5
	InactiveLimit=0
	Waittime=0
	MaxArraySize=10001
	MaxJobCount=20000
	PartitionName=fix Nodes=n[1-3] Default=YES MaxTime=INFINITE State=UP
	EOF2
	for i in 1 2 3; do
		echo "NodeName=n$i NodeHostname=$host NodeAddr=127.0.0.1 Port=$((port + i))" \
			"CPUs=$SLURM_CPUS RealMemory=1000" >>"$SLURM/slurm.conf"
	done
}

# node_start NODE: n2 is a machine of its own as far as dying goes: when the first process of its
# namespace is killed, all that runs there die. Where the namespace is, its pid is in n2.pid.
node_start() {
	mkdir -p "$SLURM/spool.$1"
	if [ "$1" != n2 ]; then
		slurmd -f "$SLURM_CONF" -N "$1" 3>&- 4>&- 5>&- 9>&-
		return
	fi
	setsid unshare --pid --fork --kill-child=KILL --mount-proc slurmd -D -f "$SLURM_CONF" -N n2 \
		</dev/null >"$SLURM/n2.out" 2>&1 3>&- 4>&- 5>&- 9>&- &
	await "pgrep -P $! >\"$SLURM/n2.pid\""
}

# node_die: n2, with all that runs on it.
node_die() {
	kill -KILL "$(cat "$SLURM/n2.pid")"
}

# slurmd_die NODE: not n2. Its jobs live on.
slurmd_die() {
	kill -KILL "$(cat "$SLURM/slurmd.$1.pid")"
}

# node_is NODE STATE
node_is() {
	sinfo -h -n "$1" -o %T | grep -q "^$2"
}

slurm_start() {
	SLURM=$(mktemp -d /var/tmp/rondo-slurm-XXXXXX) && mkdir "$SLURM/munge" "$SLURM/state" &&
		chmod 755 "$SLURM" "$SLURM/munge" && export SLURM_CONF="$SLURM/slurm.conf" &&
		(umask 077 && head -c 128 /dev/urandom >"$SLURM/munge/key") && slurm_configure &&
		munged --force --key-file="$SLURM/munge/key" --socket="$SLURM/munge/socket" \
			--pid-file="$SLURM/munge/pid" --log-file="$SLURM/munge/log" \
			--seed-file="$SLURM/munge/seed" 3>&- 4>&- 5>&- &&
		slurmctld -f "$SLURM_CONF" -i 3>&- 4>&- 5>&- && node_start n1 && node_start n2 &&
		node_start n3 && await "node_is n1 idle && node_is n2 idle && node_is n3 idle"
}

slurm_stop() {
	[ -n "$SLURM" ] || return 0
	scancel -u "$(id -un)" 2>/dev/null
	rm -f "$SLURM/slurmd.n2.pid" # a number of the namespace
	for file in "$SLURM/n2.pid" "$SLURM"/slurmd.n?.pid "$SLURM/slurmctld.pid" "$SLURM/munge/pid"; do
		pid=$(cat "$file" 2>/dev/null) || continue
		kill -KILL "$pid" 2>/dev/null
		await "! kill -0 $pid 2>/dev/null"
	done
	rm -rf "$SLURM"
}

# slurm_begin: start it, for the tests that need SLURM, and stop it whatever comes: sharness cleans
# up where all went well only.
slurm_begin() {
	slurm_is_here && [ "$(id -u)" = 0 ] || return 0
	code=0
	trap "code=\$?; slurm_stop; (exit \$code); die" EXIT
	trap "exit 143" TERM
	slurm_start >start 2>&1 && test_set_prereq SLURM || cat start
}

# runs_on NODE DIR: a job of the batch in DIR has begun there.
runs_on() {
	for i in $(squeue -h -r -t R -w "$1" -o %K); do
		test -s "$2/slurm/$i.starts" && return
	done
	return 1
}
