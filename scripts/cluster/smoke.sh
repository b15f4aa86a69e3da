#!/usr/bin/env bash
# Tries a cluster of its own, from up to down: what the operator and the end-to-end tests rely on.
# usage: scripts/cluster/smoke.sh [IMAGE.oci]    with an image that scripts/image.sh wrote, its emulator is tried, too
set -euo pipefail
unset KUBECONFIG
programs_image=${1:-}
[ -z "$programs_image" ] || [ -f "$programs_image" ] || { echo "there is no file $programs_image: make image"; exit 2; }
export AARDAPPEL_CLUSTER=${AARDAPPEL_CLUSTER:-90}
. "$(dirname "${BASH_SOURCE[0]}")/cluster.sh"
. "$here/leftovers.sh"
images=$("$here/images.sh" --where)

# A part is judged by its last command, and `set -e` is off in it: its commands are joined by &&.

# holds TEXT COMMAND...: whether what it prints holds the text.
holds() {
  local wanted=$1 printed
  shift
  printed=$("$@" 2>&1) || true
  grep -qF -- "$wanted" <<<"$printed" || { printf '%s\n' "$printed" "expected to hold: $wanted"; return 1; }
}

smoke() { kube -n smoke "$@"; }
in_pod() { smoke exec deployment/probe -- /probe "$@"; }

is_up_twice() {
  holds "was up already" "$here/up.sh" &&
    holds "cluster is used, none is made" env KUBECONFIG="$state/../${state##*/}-other" "$here/up.sh"
}

pods_run() {
  "$here/load-image.sh" "$images/probe.oci" &&
    kube apply -f "$here/smoke.yaml" &&
    smoke rollout status deployment/probe --timeout=60s --request-timeout=0
}

names_resolve() {
  holds "$(smoke get service web -o 'jsonpath={.spec.clusterIP}')" in_pod resolve web &&
    holds "$api_service" in_pod resolve kubernetes.default.svc.cluster.local &&
    holds "$host_address" in_pod resolve "$host_name" &&
    holds "no such host" in_pod resolve nobody.example.org
}

# Each of the two pods answers sooner or later, since kube-proxy draws one for each connection.
service_answers() {
  local answers="" tries=0 wanted service
  service=$(smoke get service web -o 'jsonpath={.spec.clusterIP}')
  wanted=$(smoke get pods -l app=probe -o 'jsonpath={range .items[*]}{.metadata.name}{"\n"}{end}' | sort)
  while [ "$answers" != "$wanted" ]; do
    tries=$((tries + 1))
    [ "$tries" -le 40 ] || { printf '%s\n' "answered:" "$answers" "expected:" "$wanted"; return 1; }
    answers=$(printf '%s\n' "$answers" "$("$images/probe" get "http://$service")" | sed '/^$/d' | sort -u)
  done
  holds probe- in_pod get http://web
}

pods_reach_the_host() {
  local server result=0
  "$images/probe" serve "$host_address:8090" &
  server=$!
  holds "$(uname -n)" in_pod get "http://$host_name:8090" || result=1
  kill "$server"
  wait "$server"
  return "$result"
}

token_is_there() {
  holds '"aud":["somebody-else"]' in_pod claims /var/run/secrets/smoke/token &&
    holds '"kubernetes.io":{"namespace":"smoke"' in_pod claims /var/run/secrets/smoke/token
}

bad_pod_is_refused() {
  holds 'violates PodSecurity "restricted' \
    smoke run bad --image aardappel.local/probe:1 --image-pull-policy Never -- serve :8080
}

logs_can_be_read() { holds "serving as probe-" smoke logs deployment/probe; }

emulator_runs() {
  local image
  image=$("$here/load-image.sh" "$programs_image" | tail -1) &&
    sed "s|@IMAGE@|$image|" "$here/emulator.yaml" | smoke apply -f - &&
    smoke rollout status deployment/emulator --timeout=120s --request-timeout=0 &&
    holds "READY grpc://" smoke logs deployment/emulator &&
    (exec 3<>"/dev/tcp/$(smoke get service emulator -o 'jsonpath={.spec.clusterIP}')/2136") &&
    echo "the emulator of $image accepts connections at its Service" ||
    { smoke describe pods -l app=emulator && smoke logs deployment/emulator; return 1; }
}

drain_works() {
  kube drain "$node" --ignore-daemonsets --delete-emptydir-data --timeout=60s --request-timeout=0 &&
    holds "No resources found" smoke get pods --field-selector status.phase=Running &&
    kube uncordon "$node" &&
    smoke rollout status deployment/probe --timeout=60s --request-timeout=0
}

ended_and_gone() { "$here/down.sh" && machine_is_as_it_was; }

look_at_machine

part "cluster up, node Ready" "$here/up.sh"
if [ "$part_failed" = 0 ]; then
  part "up again finds it up" is_up_twice
  part "pods run under restricted" pods_run
  part "names resolve" names_resolve
  part "a Service answers" service_answers
  part "pods reach the host" pods_reach_the_host
  part "token with its own audience" token_is_there
  part "a bad pod is refused" bad_pod_is_refused
  part "logs" logs_can_be_read
  [ -z "$programs_image" ] || part "our image, as strict as a pod can be" emulator_runs
  part "drain" drain_works
fi
part "down leaves nothing" ended_and_gone
verdict "cluster smoke test"
