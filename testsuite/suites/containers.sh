# SPDX-License-Identifier: GPL-2.0-or-later
#
# Container images of `stap --bundle=oci:` in a guest with Debian's podman: the command of stap-bundle(1), and the pod
# of the DaemonSet in exporter/kubernetes.yaml, which Prometheus scrapes. The DaemonSet is also checked against the
# schemas that Kubernetes publishes.

. "$(dirname "$0")/../lib.sh"

for program in podman crun conmon catatonit prometheus npm openssl; do
	command -v $program >/dev/null && continue
	skip "container images" "$program is not installed"
	exit 0
done
cd "$work" || exit 1
manifest=$SPILE_SRCDIR/exporter/kubernetes.yaml

# ---- the schema ------------------------------------------------------------------------------------------------------

# validate FILE: check each document by the schema of its kind.
validate() {
	node npm/validate.mjs "$1"
}
refuses_mistakes() {
	local change
	for change in 's/containerPort: 9900/containerPort: metrics/' 's/mountPath:/path:/' '/matchLabels:/,+1d' \
		's/^kind: ConfigMap/kind: ConfigMaps/'; do
		sed "$change" "$manifest" >wrong.yaml
		! validate wrong.yaml >out 2>&1 && ! grep -q 'at .*js:' out || { echo "$change"; cat out; return 1; }
	done
}
mkdir npm && cp "$tests/containers/validate.mjs" npm
if (cd npm && npm install --silent --no-package-lock kubernetes-models@5 yaml@2) >npm.log 2>&1; then
	check "the DaemonSet fits the schemas of Kubernetes" validate "$manifest"
	check "mistakes do not fit" refuses_mistakes
else
	skip "the schemas of Kubernetes" "npm cannot download them"
fi

# ---- podman ----------------------------------------------------------------------------------------------------------

cat >opens.stp <<'END'
global opens
probe syscall.openat { opens[execname()]++ }
probe begin { println("the container begins") }
probe timer.s($1) { exit() }
END
"$STAP" --bundle=oci:plain -r $old_kernel -r $new_kernel opens.stp 2 >log 2>&1 &&
	"$STAP" --bundle=oci:metrics --bundle-exporter -r $old_kernel -r $new_kernel opens.stp 3600 >log 2>&1 ||
	{ fail "images are made" log; exit 0; }
openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=spile-exporter -addext subjectAltName=DNS:spile-exporter \
	-keyout key -out certificate >log 2>&1 || { fail "a certificate is made" log; exit 0; }
# Podman 4.3 does not support DaemonSet, but Deployment; and of a Secret, only `data`. Ports need a network, which the
# guest does not have.
encoded() {
	base64 -w 0 "$1"
}
printf 'sesame\n' >token
sed -e 's/^kind: DaemonSet/kind: Deployment/; /^  updateStrategy:/,/maxUnavailable/d; /^ *ports:/,/containerPort/d' \
	-e 's|^\( *image:\).*|\1 localhost/opens:latest|; s/^stringData:/data:/' \
	-e "s|tls.crt: REPLACE|tls.crt: $(encoded certificate)|; s|tls.key: REPLACE|tls.key: $(encoded key)|" \
	-e "s|tokens: REPLACE|tokens: $(encoded token)|" "$manifest" |
	awk 'BEGIN { RS = ORS = "---\n" } !/kind: Namespace/' >pod.yaml
cat >prometheus.yml <<'END'
global: {scrape_interval: 2s}
scrape_configs:
  - job_name: opens
    metrics_path: /opens
    scheme: https
    authorization: {credentials_file: /t/token}
    tls_config: {ca_file: /t/certificate, server_name: spile-exporter}
    static_configs: [{targets: ['127.0.0.1:9900']}]
END
given=(--file "$tests/containers/guest.sh:/t/guest.sh" --file "$tests/guest-tools.sh:/t/tools.sh")
for program in podman crun conmon catatonit prometheus; do
	given+=(--file "$(command -v $program)")
done
for file in plain metrics pod.yaml prometheus.yml token certificate; do
	given+=(--file "$work/$file:/t/$file")
done
# in_guest KERNEL FUNCTION: run a function of containers/guest.sh.
in_guest() {
	"$STAP_VM" exec --socket "$work/$1" --timeout 300 -- sh /t/guest.sh "$2"
}
for kernel in ${SPILE_TEST_KERNELS:-$old_kernel $new_kernel}; do
	start_guest $kernel --mem 2G "${given[@]}" || continue
	check "$kernel: podman is prepared" in_guest $kernel prepare
	check "$kernel: podman runs an image with one capability and debugfs" in_guest $kernel run
	check "$kernel: without the capability, the reason is clear" in_guest $kernel run_without
	check "$kernel: podman runs the pod of the DaemonSet" in_guest $kernel play
	check "$kernel: Prometheus scrapes the pod" in_guest $kernel scrape
	check "$kernel: a scrape without the token is refused" in_guest $kernel refused
	check "$kernel: the pod ends, and its module is unloaded" in_guest $kernel end
	check_guest_log $kernel "after the containers"
	stop_guest $kernel
done
