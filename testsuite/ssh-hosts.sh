# SPDX-License-Identifier: GPL-2.0-or-later
#
# Guests with a real sshd, which ssh reaches through the guest's own link (ProxyCommand); for suites that connect to
# hosts. Source it after lib.sh, with the work directory as the current one: it makes keys, and puts an ssh into PATH
# that knows the hosts.

sshd=/usr/sbin/sshd
if [ ! -x $sshd ] || ! command -v ssh-keygen >/dev/null; then
	echo "install openssh-server, as ./bootstrap --check does" | fail "sshd"
	exit 0
fi
mkdir bin

ssh-keygen -q -t ed25519 -N '' -f key && ssh-keygen -q -t ed25519 -N '' -f hostkey || exit 1
password='open sesame'
printf '%s\n' 'HostKey /etc/ssh/hostkey' 'AuthorizedKeysFile /etc/ssh/keys-%u' 'PermitRootLogin yes' 'UsePAM no' \
	'StrictModes no' 'PidFile none' >sshd_config
printf '%s\n' root:x:0:0::/root:/bin/sh sshd:x:105:65534::/run/sshd:/bin/false tapper:x:1000:1000::/tmp:/bin/sh \
	stranger:x:1001:1001::/tmp:/bin/sh >passwd
printf '%s\n' root:x:0: nogroup:x:65534: stapusr:x:501: stapsys:x:502: stapdev:x:503:tapper tapper:x:1000: \
	stranger:x:1001: >group
printf '%s:19000:0:99999:7:::\n' "root:$(openssl passwd -6 "$password")" 'sshd:*' 'tapper:*' 'stranger:*' >shadow

# ssh's ProxyCommand, which runs sshd in a guest. It records its process id: killing that process looks like an
# unplugged cable.
cat >link <<-END
	#!/bin/sh
	echo \$\$ >>$work/links.\$1
	exec $STAP_VM exec --socket $work/\$1 -- $sshd -i -f /etc/ssh/sshd_config
END
# host NAME RELEASE: add a host, a guest of this kernel, to the configuration of ssh.
host() {
	printf 'Host %s\n ProxyCommand %s %s\n' "$1" "$work/link" "$2" >>config
}
host old $old_kernel
host new $new_kernel
printf '%s\n' 'Host nowhere' ' ProxyCommand false' 'Host silent' ' ProxyCommand false' ' LogLevel QUIET' \
	'Host asking' " ProxyCommand $work/link $old_kernel" \
	' PubkeyAuthentication no' 'Host *' ' User root' " IdentityFile $work/key" ' IdentitiesOnly yes' \
	" UserKnownHostsFile $work/known" ' StrictHostKeyChecking accept-new' ' LogLevel ERROR' >>config
printf '#!/bin/sh\nexec /usr/bin/ssh -F %s "$@"\n' "$work/config" >bin/ssh
printf '#!/bin/sh\necho "%s"\n' "$password" >bin/tell-password
chmod +x link bin/*
export PATH=$work/bin:$PATH

# Since OpenSSH 9.8, sshd runs other programs to serve a connection.
sshd_files=(--file $sshd)
for file in /usr/lib/openssh/sshd-{session,auth}; do
	[ ! -x $file ] || sshd_files+=(--file $file)
done

# start_host RELEASE: start the guest of a host, whose socket is $work/RELEASE.
start_host() {
	start_guest "$1" "${sshd_files[@]}" --file hostkey:/etc/ssh/hostkey --file sshd_config:/etc/ssh/sshd_config \
		--file key.pub:/etc/ssh/keys-root --file key.pub:/etc/ssh/keys-tapper \
		--file key.pub:/etc/ssh/keys-stranger --file passwd:/etc/passwd --file group:/etc/group \
		--file shadow:/etc/shadow --file "$STAPRUN:/opt/staprun" || return
	"$STAP_VM" exec --socket "$work/$1" -- sh -c 'chmod 600 /etc/ssh/hostkey /etc/shadow
		mkdir -p /run/sshd /root /usr/bin; chmod 755 / /run /run/sshd /etc /etc/ssh /usr /usr/bin'
}
