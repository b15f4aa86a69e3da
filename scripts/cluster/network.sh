# Sourced: a pair of interfaces joins the host to the cluster's network namespace, and ends with it.

make_network() { # PID
  local there=(nsenter --target "$1" --net)
  ip link add "$name" type veth peer name eth0 netns "$1" &&
    ip address add "$host_address/30" dev "$name" &&
    ip link set "$name" up &&
    "${there[@]}" ip link set lo up &&
    "${there[@]}" ip address add "$address/30" dev eth0 &&
    "${there[@]}" ip link set eth0 up &&
    "${there[@]}" ip route add default via "$host_address" &&
    ip route add "$pods" via "$address" &&
    ip route add "$services" via "$address"
}

# others_use_addresses: prints who, should another interface have an address or a route of ours.
others_use_addresses() {
  ip -4 route | grep -E "^(10\.244\.$number|10\.245\.$number|10\.96\.$number)\.0/" | grep -v "dev $name " || return 1
}

remove_network() {
  ip link show "$name" >/dev/null 2>&1 || return 0
  ip link delete "$name" 2>/dev/null || ! ip link show "$name" >/dev/null 2>&1
}
