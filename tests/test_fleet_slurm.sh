#!/bin/sh
# SPDX-License-Identifier: MIT
#
# share/fleet/slurm-array on a real Slurm: a controller and one node of our own, on this machine's
# loopback address, for as long as the test runs. It starts daemons, so it is asked for:
#   JA_FLEET=1 ctest -R fleet_slurm        (as root; tests/fleet/install brings Slurm)
# usage: test_fleet_slurm.sh PROGRAM (in the source folder)
set -eu
program=$(cd "$(dirname "$1")" && pwd)/$(basename "$1")
source=$(pwd)

skip() {
    echo "skipped: $*"
    exit 77
}

[ "${JA_FLEET:-}" = 1 ] || skip 'starts daemons; JA_FLEET=1 runs it'
[ "$(id -u)" = 0 ] || skip 'a Slurm of our own needs root'
for tool in slurmctld slurmd sbatch; do
    command -v "$tool" >/dev/null || skip "$tool is not installed"
done

work=$(mktemp -d)
chmod 755 "$work"
controller='' node=''
# shellcheck disable=SC2317 # called by the trap
stop() {
    [ -z "$node" ] || kill "$node" 2>/dev/null || true
    [ -z "$controller" ] || kill "$controller" 2>/dev/null || true
    wait
    rm -rf "$work"
}
trap stop EXIT

mkdir "$work/state" "$work/spool" "$work/lines" "$work/audits"
host=$(hostname -s)
cat > "$work/slurm.conf" << CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=root
AuthType=auth/none
CredType=cred/none
SlurmctldPort=26817
SlurmdPort=26818
StateSaveLocation=$work/state
SlurmdSpoolDir=$work/spool
SlurmctldPidFile=$work/slurmctld.pid
SlurmdPidFile=$work/slurmd.pid
SlurmctldLogFile=$work/slurmctld.log
SlurmdLogFile=$work/slurmd.log
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/linear
MpiDefault=none
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=1 State=UNKNOWN
PartitionName=all Nodes=$host Default=YES State=UP MaxTime=10
CONF
export SLURM_CONF="$work/slurm.conf" JETSAM_AUDIT="$program"
slurmctld -D -f "$SLURM_CONF" > "$work/controller.out" 2>&1 &
controller=$!
slurmd -D -f "$SLURM_CONF" > "$work/node.out" 2>&1 &
node=$!

"$(dirname "$program")/tests/bench_generate" reports "$work/fleet" 5 6 160 13 > "$work/truth.tsv"
tries=0
until sinfo -h -o %t 2>/dev/null | grep -q '^\(idle\|mix\|alloc\)$'; do
    tries=$((tries + 1))
    if [ "$tries" -gt 100 ]; then
        tail -n 5 "$work"/*.out "$work"/*.log
        skip 'Slurm does not start on this machine'
    fi
    sleep 0.3
done

cd "$work"
array=$source/share/fleet/slurm-array
find "$work/fleet" -mindepth 1 -maxdepth 1 -type d | sort > hosts
job=$(sbatch --parsable --array=1-2 "$array" hosts "$source/share/fleet/map" lines)
find "$work/fleet" -mindepth 1 -maxdepth 1 -type d -printf 'lines/%f.ndjson\n' | sort > mapped
sbatch --wait --dependency="afterok:$job" --array=1-2 "$array" mapped \
    "$source/share/fleet/reduce" audits > reduce.out || { cat slurm-*.out ./*.out; exit 1; }
failed=0
for i in 1 2 3 4 5; do
    for file in "lines/host-000$i.ndjson" "audits/host-000$i.json"; do
        [ -s "$file" ] || { echo "FAILED: no $file"; failed=1; }
    done
    "$program" --quiet --ndjson "fleet/host-000$i" | cmp - "lines/host-000$i.ndjson" || failed=1
done
[ "$failed" = 0 ] || cat slurm-*.out
exit $failed
