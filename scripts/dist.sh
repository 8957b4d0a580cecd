#!/bin/sh
# Builds a release into dist/: executables for Linux, macOS and Windows, Debian packages, and
# their checksums. Equal sources give equal files.
# usage: dist.sh [DIRECTORY]
#
# Executables for Linux load libOpenCL, and the parts of interpreted programs that were
# compiled, by the dynamic loader of the GNU C library. Those with static in their names
# need no library, run with any C library, and do neither.
set -e

out=${1:-dist}
GO=${GO:-go}
NFPM=github.com/goreleaser/nfpm/v2/cmd/nfpm@v2.44.2

version=$(sed -n 's/^const version = "\(.*\)"/\1/p' internal/cli/misc.go)
commit=$(git rev-parse --short=12 HEAD 2>/dev/null || echo unknown)
[ -z "$(git status --porcelain --untracked-files=no 2>/dev/null)" ] || commit=$commit-modified
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || echo 0)
export SOURCE_DATE_EPOCH CGO_ENABLED=0

rm -rf "$out"
mkdir -p "$out"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

build() { # SYSTEM PROCESSOR NAME [FLAG...]
	echo "$out/$3" >&2
	system=$1 processor=$2 name=$3
	shift 3
	GOOS=$system GOARCH=$processor $GO build -trimpath -buildvcs=false "$@" \
		-ldflags="-s -w -X github.com/tailor-lang/tailor/internal/cli.commit=$commit" -o "$out/$name" ./cmd/tailor
}

for processor in amd64 arm64; do
	build linux $processor "tailor-$version-linux-$processor"
	build linux $processor "tailor-$version-linux-$processor-static" -tags static
	build darwin $processor "tailor-$version-macos-$processor"
	build windows $processor "tailor-$version-windows-$processor.exe"
done

# What packages hold beside the executable is made by it.
CGO_ENABLED=0 $GO build -o "$work/tailor" ./cmd/tailor
"$work/tailor" man "$work/man"
for shell in bash zsh fish; do
	"$work/tailor" completion $shell >"$work/completion.$shell"
done
gzip -9 -n "$work"/man/*
printf 'tailor (%s) unstable; urgency=low\n\n  * Release %s, from commit %s.\n\n -- The Tailor authors <tailor-lang@users.noreply.github.com>  %s\n' "$version" "$version" "$commit" \
	"$(date -u -R -d "@$SOURCE_DATE_EPOCH")" | gzip -9 -n >"$work/changelog.gz"
{
	printf 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: Tailor\n\nFiles: *\nCopyright: %s\nLicense: Expat\n' "$(sed -n 's/^Copyright (c) //p' LICENSE)"
	sed -n '/^Permission/,$ { s/^$/./; s/^/ /; p }' LICENSE
} >"$work/copyright"

for processor in amd64 arm64; do
	WORK=$work OUT=$out VERSION=$version PROCESSOR=$processor \
		$GO run $NFPM package --config scripts/nfpm.yaml --packager deb --target "$out/tailor_${version}_$processor.deb" >&2
done
(cd "$out" && sha256sum tailor* >SHA256SUMS)
ls -l "$out"
