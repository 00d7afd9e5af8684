#!/bin/sh
test_description='the Debian packages and the image: built, installed in an empty Debian, used'
. "$(dirname "$0")/../cli/lib.sh"
KEPT=$REAL_CACHE/rondo-tests
parts=$SHARNESS_TEST_SRCDIR/t5570
for program in dh lintian debootstrap; do
	command -v $program >/dev/null && test_set_prereq "$(echo $program | tr a-z A-Z)"
done
command -v skopeo >/dev/null && test_set_prereq SKOPEO
command -v podman >/dev/null && command -v runc >/dev/null && test_set_prereq PODMAN
[ "$SHORT" ] || test_set_prereq WHOLE # CI makes no image, and builds once
[ "$EXECUTOR" = sandbox ] && boxed='' || boxed=' --executor local'
version=$(cat "$SOURCE/VERSION")
unset MAKEFLAGS MAKELEVEL MFLAGS

# Overlays lie upon disk or memory, but not upon an overlay; paths with commas and blanks are not
# for mount.
scratch=$(mktemp -d /var/tmp/rondo-packages-XXXXXX)
trap 'rm -rf "$scratch"; die' EXIT

# The tree's last commit: a clone has a dist/ of its own.
check DH 'make deb builds each package and its source, from the tarball' '
	git clone -q "$SOURCE" "$scratch/clone" && cd "$scratch/clone" && make deb >"$HOME/log" 2>&1 ||
		{ tail -20 "$HOME/log"; exit 1; } &&
	for file in dist/rondo-$version.tar.gz dist/rondo_$version.dsc \
		dist/rondo_${version}_*.changes dist/rondo_${version}_*.deb \
		dist/librondo0_${version}_*.deb dist/librondo-dev_${version}_*.deb; do
		test -s "$file" || { echo "$file is missing"; exit 1; }
	done && git status --porcelain >"$HOME/left" && test_must_be_empty "$HOME/left"
'
debs=$scratch/clone/dist

check DH,LINTIAN 'lintian finds no error and nothing to warn of, and nothing is overridden' '
	lintian --fail-on error,warning "$debs"/rondo_*.changes >found 2>&1 || { cat found; exit 1; } &&
	! grep "^[EW]:" found && ! find "$scratch/clone/debian" -name "*lintian-overrides*" | grep .
'

check DH,WHOLE 'another directory at another time gives the same packages, byte by byte' '
	cd "$scratch/clone" && packages/deb "$debs/rondo-$version.tar.gz" "$scratch/again" >log 2>&1 &&
	for deb in "$debs"/*.deb; do cmp "$deb" "$scratch/again/${deb##*/}" || exit 1; done
'

# --- In an empty Debian ---

# Made once; apt there asks whom apt here asks.
empty=$KEPT/empty
empty_make() {
	[ -e "$empty" ] && return
	making=$empty.$$
	read -r suite uri <<-EOF
	$(apt-get indextargets --format '$(RELEASE) $(REPO_URI)' 'Created-By: Packages' |
		grep -Ev '^[^ ]*-(updates|security|backports)' | head -n 1)
	EOF
	mkdir -p "$making" &&
		debootstrap --variant=minbase "$suite" "$making" "$uri" >"$empty.log" 2>&1 &&
		rm -f "$making/etc/apt/sources.list" && cp -a /etc/apt/sources.list* "$making/etc/apt/" &&
		apt-config dump Acquire | grep '::.*"' >"$making/etc/apt/apt.conf.d/99here" &&
		cp -a /usr/share/keyrings/. "$making/usr/share/keyrings/" &&
		chroot "$making" useradd -m newcomer && mv -T "$making" "$empty" || {
		rm -rf "$making"
		[ -e "$empty" ]
	}
}

# debian USER COMMAND: in a copy of it that lasts as long as this script.
debian() {
	"$parts/inside" "$empty" "$scratch/debian" "$@"
}

check ROOT,DH,DEBOOTSTRAP 'apt installs them in an empty Debian' '
	empty_make || { tail -5 "$empty.log"; exit 1; } && mkdir -p "$scratch/debian/upper/debs" &&
	cp "$debs"/*.deb "$scratch/debian/upper/debs" &&
	cp -R "$scratch/clone/debian/tests" "$scratch/debian/upper/" &&
	debian root "rm /debs/*-dbgsym_*; export DEBIAN_FRONTEND=noninteractive; apt-get update -qq &&
		apt-get install -y -qq --no-install-recommends /debs/*.deb" >log 2>&1 ||
		{ tail -20 log; exit 1; } && debian newcomer "rondo --version" >out &&
	echo "rondo $version" | test_cmp - out && ! debian newcomer "command -v git gcc"
'
[ -x "$scratch/debian/upper/usr/bin/rondo" ] &&
	test_set_prereq INSTALLED

check INSTALLED 'doctor there names what works, and rondo what it lacks' '
	{ debian newcomer "rondo doctor" >out || test $? = 3; } && grep "local  *always there" out &&
	grep "sandbox" out
'

check INSTALLED 'its tests run as an ordinary user: the demo, a program, the completions' '
	sed -n "s/^Depends: //p" "$scratch/clone/debian/tests/control" | tr "," "\n" |
		grep -v rondo | sort -u | tr "\n" " " >needed &&
	debian root "DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
		$(cat needed)" >log 2>&1 || { tail -20 log; exit 1; } &&
	sed -n "s/^Tests: //p" "$scratch/clone/debian/tests/control" >tests &&
	test $(wc -l <tests) = 3 && for test in $(cat tests); do
		debian newcomer "export AUTOPKGTEST_TMP=\$(mktemp -d) && cd / && /tests/$test" \
			>$test.out 2>&1 || { cat $test.out; exit 1; }
	done && grep -x "$ rondo fix$boxed" demo.out
'

check INSTALLED 'man finds each page, and no package leaves a file when it goes' '
	for page in man1/rondo.1 man1/rondo-mcp.1 man1/rondo-verify.1 man3/rondo.3 \
		man5/rondo-scenario.5; do
		debian newcomer "zcat /usr/share/man/$page.gz" | grep -q "^\.TH" || exit 1
	done && debian root "dpkg --purge rondo librondo-dev librondo0" >log 2>&1 &&
	debian root "find /usr /etc /var -name \"*rondo*\"" >left && test_must_be_empty left
'

# --- The image ---

check ROOT,DH,DEBOOTSTRAP,WHOLE 'an image is made without a daemon; each digest in it is right' '
	cd "$scratch/clone" && packages/image "$scratch/image.tar" "$version" "$debs"/rondo_*.deb &&
	mkdir "$scratch/layer" &&
	python3 "$parts/oci.py" "$scratch/image.tar" "$scratch/layer" >config &&
	python3 -c "if True:
		import json
		config = json.load(open(\"config\"))[\"config\"]
		assert config[\"User\"] == \"rondo\" and config[\"Entrypoint\"] == [\"rondo\"], config
	" && ! find "$scratch/layer/var/lib/apt/lists" "$scratch/layer/dev" -type f 2>/dev/null | grep .
'
[ -s "$scratch/image.tar" ] && test_set_prereq IMAGE

check IMAGE 'the demo runs on what is in its layer, as the user of the image' '
	"$parts/inside" "$scratch/layer" "$scratch/run" rondo \
		"sh /usr/share/doc/rondo/examples/demo/run /usr/bin/rondo" >out 2>&1 || { cat out; exit 1; } &&
	grep "verified in a fresh checkout: 21 of 21 passed" out && grep -x "$ rondo fix$boxed" out
'

check IMAGE,SKOPEO 'skopeo reads it and copies it' '
	skopeo inspect "oci-archive:$scratch/image.tar" >seen &&
	grep "\"org.opencontainers.image.version\": \"$version\"" seen &&
	skopeo --insecure-policy copy "oci-archive:$scratch/image.tar" "dir:$scratch/copied" >log
'

check IMAGE,PODMAN 'podman loads it, runs it, and rondo leaves a branch in a mounted repository' '
	tiny mounted && cp -R mounted "$scratch/mounted" && chmod -R a+rwX "$scratch/mounted" &&
	engine="podman --root $scratch/podman --runroot $scratch/podman-run \
		--cgroup-manager=cgroupfs --events-backend=file --runtime $(command -v runc)" &&
	$engine load -q -i "$scratch/image.tar" >loaded &&
	image=$(sed -n "s/^Loaded image: *//p" loaded) && run="$engine run --rm --network none \
		--ulimit nofile=1024:1024 --ulimit nproc=4096:4096" &&
	$run "$image" --version >out && echo "rondo $version" | test_cmp - out &&
	$run -v "$scratch/mounted:/work" "$image" fix --executor local >out 2>&1 &&
	grep "verified in a fresh checkout" out &&
	git -C "$scratch/mounted" -c safe.directory="*" for-each-ref refs/heads/rondo | grep . &&
	$engine rmi -fa >log 2>&1
'
cut -d' ' -f2 /proc/mounts | grep "^$scratch/" | sort -r | xargs -r umount -l

test_done
