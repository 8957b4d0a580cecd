#!/bin/sh
# Installs a Debian package in a Debian that has nothing but the base system, and uses it:
# first without a C compiler, then with gcc; then removes it. It needs root, debootstrap and
# a mirror; where they are not there it says so, and exits with 4.
# usage: testpackage.sh PACKAGE
set -e

package=$1
release=${RELEASE:-bookworm}
mirror=${MIRROR:-http://deb.debian.org/debian}

skip() {
	echo "testpackage: $1" >&2
	exit 4
}
[ "$(id -u)" = 0 ] || skip "only root can make a Debian"
command -v debootstrap >/dev/null || skip "debootstrap is not installed"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
root=$work/root
echo "debootstrap $release" >&2
debootstrap --variant=minbase "$release" "$root" "$mirror" >"$work/log" 2>&1 || { tail -5 "$work/log" >&2; skip "no base system from $mirror"; }
cp /etc/resolv.conf "$root/etc/"
if [ -n "$http_proxy" ]; then printf 'Acquire::http::Proxy "%s";\n' "$http_proxy" >"$root/etc/apt/apt.conf.d/proxy"; fi

inside() { # COMMAND...: in the Debian, with little in the environment
	chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
}

expect() { # WHAT COMMAND...: that it shows what
	want=$1
	shift
	got=$(inside "$@" 2>&1) || true
	if [ "$got" != "$want" ]; then
		printf 'testpackage: %s\nshows    %s\ninstead of %s\n' "$*" "$got" "$want" >&2
		exit 1
	fi
	echo "ok: $*" >&2
}

contains() { # WHAT COMMAND...: that it shows something with what in it
	want=$1
	shift
	got=$(inside "$@" 2>&1) || true
	case $got in
	*"$want"*) echo "ok: $*" >&2 ;;
	*)
		printf 'testpackage: %s\nshows %s\nwithout %s\n' "$*" "$got" "$want" >&2
		exit 1
		;;
	esac
}

cp "$package" "$root/tmp/tailor.deb"
inside dpkg -i /tmp/tailor.deb
inside dpkg --verify tailor
cat >"$root/tmp/mean.apl" <<'APL'
mean←{(+/⍵)÷≢⍵}
mean 1 2 3 4
APL
cat >"$root/tmp/mixed.apl" <<'APL'
'abc',⍳3
APL

# Without a C compiler.
inside sh -c '! command -v gcc && ! command -v clang && ! command -v cc'
contains "tailor " tailor version
expect 2.5 tailor run /tmp/mean.apl
expect "abc 1 2 3" tailor run /tmp/mixed.apl
contains 5050 sh -c "echo '+/⍳100' | tailor repl"
contains "mean" tailor check --infer /tmp/mean.apl
contains "int main(" tailor emit c /tmp/mean.apl
contains "no C compiler" tailor run --target c /tmp/mean.apl
contains "__start_tailor" bash -c ". /usr/share/bash-completion/completions/tailor; complete -p tailor"
for page in tailor tailor-run tailor-build tailor-check; do
	inside test -s /usr/share/man/man1/$page.1.gz
done
inside test -s /usr/share/zsh/vendor-completions/_tailor
inside test -s /usr/share/fish/vendor_completions.d/tailor.fish

# With gcc.
inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends gcc libc6-dev >"$work/log" 2>&1 || { tail -5 "$work/log" >&2; exit 1; }
expect 2.5 tailor run --target c /tmp/mean.apl
expect 2.5 tailor run --target omp /tmp/mean.apl
inside tailor build /tmp/mean.apl -o /tmp/mean
expect 2.5 /tmp/mean
expect "abc 1 2 3" tailor run /tmp/mixed.apl

# Nothing stays.
inside dpkg --purge tailor
left=$(inside find /usr /etc /var/lib/dpkg/info -name '*tailor*')
[ -z "$left" ] || { echo "testpackage: purge leaves $left" >&2; exit 1; }
echo "testpackage: $package installs, runs without and with gcc, and is removed" >&2
