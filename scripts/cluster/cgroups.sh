# Sourced: the control group of a cluster's pods, one in each hierarchy.

cgroup_folders() {
  if [ -f /sys/fs/cgroup/cgroup.controllers ]; then
    echo "/sys/fs/cgroup/$name"
  else
    local hierarchy
    for hierarchy in /sys/fs/cgroup/*/; do
      [ ! -f "$hierarchy/cgroup.procs" ] || [ -L "${hierarchy%/}" ] || echo "$hierarchy$name"
    done
  fi
}

# turn_controllers_on: those that kubelet needs, for groups below the root group. Prints the first that cannot be.
turn_controllers_on() {
  local controller control=/sys/fs/cgroup/cgroup.subtree_control
  [ -f "$control" ] || return 0 # version 1 has no such thing
  for controller in cpu cpuset memory pids; do
    grep -qw "$controller" "$control" || { echo "+$controller" >"$control"; } 2>/dev/null ||
      { echo "$controller"; return 1; }
  done
}

make_cgroups() {
  local folder
  for folder in $(cgroup_folders); do
    mkdir -p "$folder"
    # In version 1 a new group may use no processor before it is told which.
    if [ -f "$folder/cpuset.cpus" ] && [ -z "$(cat "$folder/cpuset.cpus")" ] && [ -f "$folder/tasks" ]; then
      cat "$folder/../cpuset.cpus" >"$folder/cpuset.cpus"
      cat "$folder/../cpuset.mems" >"$folder/cpuset.mems"
    fi
  done
}

# Fails while a process is in one of them.
remove_cgroups() {
  local folder
  for folder in $(cgroup_folders); do
    [ ! -d "$folder" ] || find "$folder" -depth -type d -exec rmdir {} + || return 1
  done
}
