#!/usr/bin/env bash
# Prints what a cluster could leave on this machine, sorted, to be compared with what was printed at another moment.
# Counters and what moves by itself are left out. Kernel modules stay loaded and are no business of it.
set -euo pipefail
own=$(readlink /proc/self/ns/pid /proc/self/ns/mnt /proc/self/ns/net | xargs)

other_namespaces() { # processes that live in other namespaces than this one
  local process spaces
  for process in /proc/[0-9]*; do
    spaces=$(readlink "$process/ns/pid" "$process/ns/mnt" "$process/ns/net" 2>/dev/null | xargs) || continue
    [ -z "$spaces" ] || [ "$spaces" = "$own" ] || echo "$(cat "$process/comm" 2>/dev/null) ${process#/proc/} $spaces"
  done
}

{
  ip -o address | sed -E 's/(valid|preferred)_lft [^ ]+//g; s/^/address /'
  ip -o link | sed -E 's/(state|qlen|mode|group) [^ ]+//g; s/^/interface /'
  { ip route && ip -6 route; } | sed -E 's/ expires [^ ]+//; s/^/route /'
  for save in iptables-save iptables-legacy-save ip6tables-save ip6tables-legacy-save; do
    command -v "$save" >/dev/null || continue
    # A chain that no rule is in appears when it is looked at.
    { "$save" 2>/dev/null || true; } | grep -E '^(-A|:)' | grep -vE '^:[A-Z]+ ACCEPT' |
      sed -E "s/\[[0-9:]+\]//; s/^/$save /" || true
  done
  sed 's/^/mount /' /proc/self/mounts
  other_namespaces | sed 's/^/process /'
  find /run /var/lib /var/log /opt /usr/libexec -xdev 2>/dev/null | grep -vE '^/var/lib/(apt|dpkg)/' |
    sed 's/^/file /' || true
  find /etc -xdev -printf 'file %p %T@\n'
  find /sys/fs/cgroup -type d -name 'aardappel-*' -printf 'group %p\n'
  sysctl -a 2>/dev/null |
    grep -vE '^(kernel\.(random|ns_last_pid|pty\.nr|sched_domain)|fs\.|net\.netfilter\.nf_conntrack_count)' |
    grep -vE '^net\..*\.(stable_secret|gc_stale)' |
    sed 's/^/setting /' || true
} | sort
