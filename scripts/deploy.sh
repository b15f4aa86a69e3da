#!/usr/bin/env bash
# Installs the operator into the cluster of the current kubeconfig, or takes it away.
# usage: scripts/deploy.sh up|down
# environment, all optional:
#   OVERLAY     cluster (all namespaces), namespaced (its own alone), local (as cluster, an image loaded into the node)
#   IMAGE       of operator and replicators, by tag or digest (the overlay's)
#   NAMESPACE   where the operator runs (aardappel-system)
#   COMPONENTS  such as "monitoring network-policy"
#   TIMEOUT     for the rollout (180s)
#   FORCE       yes takes back what others have changed since; otherwise that is refused
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/parts.sh"
cd "$root"
overlay=${OVERLAY:-cluster}
namespace=${NAMESPACE:-aardappel-system}
timeout=${TIMEOUT:-180s}
default=ghcr.io/ydb-platform/aardappel-operator
[ "$overlay" != local ] || default=localhost/aardappel

usage() {
  sed -n '2,/^set/{/^set/d;s/^# \{0,1\}//;p}' "${BASH_SOURCE[0]}"
}

# refuse WHY REMEDY
refuse() {
  echo "VERDICT: nothing was changed: $1"
  echo "next: $2"
  exit 1
}

# The image as kustomize wants it: name, then tag or digest.
image() {
  local last=${IMAGE##*/}
  case $last in
    *@*) printf '    newName: %s\n    digest: %s\n' "${IMAGE%@*}" "${IMAGE##*@}" ;;
    *:*) printf '    newName: %s\n    newTag: "%s"\n' "${IMAGE%:*}" "${IMAGE##*:}" ;;
    *) printf '    newName: %s\n' "$IMAGE" ;;
  esac
}

# A kustomization of this run: the overlay, and what the environment says on top.
write_kustomization() {
  local component
  stage=$root/target/deploy
  rm -rf "$stage"
  mkdir -p "$stage"
  {
    echo "apiVersion: kustomize.config.k8s.io/v1beta1"
    echo "kind: Kustomization"
    echo "resources: [../../deploy/kustomize/overlays/$overlay]"
    [ -z "${COMPONENTS:-}" ] || echo "components:"
    for component in ${COMPONENTS:-}; do
      echo "  - ../../deploy/kustomize/components/$component"
    done
    echo "namespace: $namespace"
    if [ -n "${IMAGE:-}" ]; then
      echo "images:"
      echo "  - name: $default"
      image
      sed -n '/^replacements:/,$p' "deploy/kustomize/overlays/$overlay/kustomization.yaml"
    fi
  } >"$stage/kustomization.yaml"
}

reach() {
  command -v kubectl >/dev/null 2>&1 ||
    refuse "kubectl is not on this machine" "install it: https://kubernetes.io/docs/tasks/tools/"
  [ -d "deploy/kustomize/overlays/$overlay" ] ||
    refuse "there is no overlay $overlay" "OVERLAY= takes one of: $(ls deploy/kustomize/overlays | xargs)"
  local answer
  answer=$(kubectl version --request-timeout=10s 2>&1) ||
    refuse "the cluster of the current kubeconfig does not answer: $(tail -1 <<<"$answer")" \
      "look at: kubectl config current-context"
  echo "cluster: $(kubectl config current-context 2>/dev/null || echo "as KUBECONFIG says")," \
    "server $(sed -n 's/^Server Version: //p' <<<"$answer"); overlay $overlay, namespace $namespace"
}

# As `kubectl apply --server-side` by hand does: the two can take turns.
apply() {
  kubectl apply --server-side ${FORCE:+--force-conflicts} "$@"
}

# What is to be there.
objects() {
  scripts/kustomize.sh "$stage"
}

up() {
  reach
  write_kustomization
  objects >"$stage/objects.yaml"
  say "the CRD"
  if ! apply -k crds; then
    kubectl get crd replications.aardappel.ydb.tech >/dev/null 2>&1 ||
      refuse "the CRD is not there and could not be installed" \
        "have someone who may install CRDs run: kubectl apply --server-side -k crds"
    echo "the CRD could not be written; the one that is there stays"
  fi
  kubectl wait --for=condition=Established --timeout=30s crd/replications.aardappel.ydb.tech
  say "the operator"
  if [ "$overlay" = namespaced ] && ! kubectl get namespace "$namespace" >/dev/null 2>&1; then
    kubectl create namespace "$namespace"
    kubectl label namespace "$namespace" pod-security.kubernetes.io/enforce=restricted
  fi
  if ! apply -f "$stage/objects.yaml"; then
    echo
    echo "VERDICT: not installed, or in part: the API server refused what stands above"
    echo "next: where others changed those fields and you mean to take them back: make deploy FORCE=yes; where a right"
    echo "      is missing: OVERLAY=namespaced asks for none in the whole cluster. make undeploy takes away what was made"
    exit 1
  fi
  say "waiting for the rollout, $timeout at most"
  if kubectl -n "$namespace" rollout status deployment/aardappel-operator --timeout="$timeout"; then
    echo
    echo "VERDICT: the operator runs: $(kubectl -n "$namespace" get deployment aardappel-operator -o jsonpath="$(
      echo '{.status.readyReplicas} of {.spec.replicas} pods ready, image {.spec.template.spec.containers[0].image}'
    )")"
    echo "next: kubectl apply -f examples/minimal.yaml   # then: kubectl get replications -A"
    return
  fi
  echo
  kubectl -n "$namespace" get pods -l app.kubernetes.io/name=operator -o wide || true
  kubectl -n "$namespace" get events --sort-by=.lastTimestamp 2>/dev/null | tail -8 || true
  kubectl -n "$namespace" logs -l app.kubernetes.io/name=operator --tail=5 2>/dev/null || true
  echo "VERDICT: installed, but the operator's pods are not ready after $timeout"
  echo "next: see above why (image not found? IMAGE=name:tag names another), then: make deploy again, or make undeploy"
  exit 1
}

down() {
  reach
  write_kustomization
  objects >"$stage/objects.yaml"
  local left
  left=$(kubectl get replications -A --no-headers 2>/dev/null | wc -l)
  say "taking the operator away"
  # All but the namespace, which may hold more and has no such label.
  kubectl delete --ignore-not-found --wait -f "$stage/objects.yaml" \
    --selector 'app.kubernetes.io/instance=aardappel-operator'
  echo
  echo "VERDICT: the operator is gone; $left Replications and their pods stay and go on replicating"
  echo "next: make deploy brings it back. To remove all: first the resources (kubectl delete replications --all -A, while"
  echo "      the operator runs), then this, then: kubectl delete -k crds; kubectl delete namespace $namespace"
}

case ${1:-} in
  up) up ;;
  down) down ;;
  *) usage; exit 2 ;;
esac
