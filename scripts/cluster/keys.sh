# Sourced: keys, certificates, tokens and kubeconfigs of a new cluster, in $state/keys.
keys=$state/keys

certificate() { # NAME SUBJECT EXTENSIONS: a key, and a certificate that the cluster's own authority signs
  openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -subj "$2" -keyout "$keys/$1.key" -out "$keys/$1.csr"
  openssl x509 -req -days 30 -in "$keys/$1.csr" -CA "$keys/ca.crt" -CAkey "$keys/ca.key" -CAcreateserial \
    -out "$keys/$1.crt" -extfile <(printf '%s\n' "$3")
}

kubeconfig_for() { # TOKEN FILE
  cat >"$2" <<YAML
apiVersion: v1
kind: Config
clusters:
  - name: $name
    cluster:
      server: https://$address:6443
      certificate-authority-data: $(base64 -w0 "$keys/ca.crt")
users:
  - name: $name
    user: {token: $1}
contexts:
  - name: $name
    context: {cluster: $name, user: $name}
current-context: $name
YAML
}

make_keys() {
  local user groups token who
  mkdir -p "$keys"
  {
    openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -noenc -days 30 -subj "/CN=$name" \
      -keyout "$keys/ca.key" -out "$keys/ca.crt"
    certificate apiserver /CN=kube-apiserver "subjectAltName=DNS:localhost,DNS:kubernetes,DNS:kubernetes.default,\
DNS:kubernetes.default.svc,DNS:kubernetes.default.svc.cluster.local,IP:127.0.0.1,IP:$address,IP:$api_service"
    certificate kubelet-client /O=system:masters/CN=kube-apiserver "extendedKeyUsage=clientAuth"
    openssl genrsa -out "$keys/service-account.key" 2048
  } 2>>"$logs/keys.log"
  while read -r who user groups; do
    token=$(openssl rand -hex 16)
    echo "$token,$user,$user,\"$groups\"" >>"$keys/tokens.csv"
    kubeconfig_for "$token" "$keys/$who.kubeconfig"
  done <<LIST
admin admin system:masters
kubelet system:node:$node system:nodes
kube-controller-manager system:kube-controller-manager
kube-scheduler system:kube-scheduler
kube-proxy system:kube-proxy
LIST
  mv "$keys/admin.kubeconfig" "$kubeconfig"
}
