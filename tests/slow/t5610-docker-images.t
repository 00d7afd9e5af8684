#!/bin/sh
# shellcheck disable=SC2154 # registry_pid is of docker.sh
test_description='images for the docker executor: from a registry of the test'\''s own, and where
the disk is full'
REGISTRY_PORT=${REGISTRY_PORT:-15610}
ENGINE_SIZE=96M
. "$(dirname "$0")/../cli/lib.sh"
. "$SOURCE/tests/slow/docker.sh"

if [ -n "$ENGINE" ] && command -v docker-registry >/dev/null; then
	registry_start "$REGISTRY_PORT"
	trap 'kill $registry_pid; engine_stop; die' EXIT
	IMAGE=127.0.0.1:$REGISTRY_PORT/team/small
	head -c 3000000 /dev/urandom >small/payload && image_small "$IMAGE:1" &&
		await 'docker push -q "$IMAGE:1" >/dev/null 2>&1' && test_set_prereq REGISTRY
fi

# images NAME [OPTIONS]: a scenario with another image.
images() {
	blocks "echo pulled" "$2" | sed "s|image: small|image: \"$1\"|"
}

check REGISTRY 'a missing image is pulled' '
	docker rmi -f "$IMAGE:1" >/dev/null && images "$IMAGE:1" >pull.yaml &&
	"$RONDO" run pull.yaml >out &&
	grep "Code output: pulled" out && test "$(containers)" = 0
'

check REGISTRY 'pull: always asks the registry, though the image is there' '
	images "$IMAGE:1" ", pull: always" >always.yaml && "$RONDO" run always.yaml >out &&
	grep "Code output: pulled" out
'

check REGISTRY 'an image is named by its digest, too' '
	digest=$(docker inspect -f "{{index .RepoDigests 0}}" "$IMAGE:1") &&
	docker rmi -f "$IMAGE:1" >/dev/null &&
	images "$digest" >digest.yaml && "$RONDO" run digest.yaml >out && grep "Code output: pulled" out
'

check REGISTRY 'a tag that does not exist' '
	images "$IMAGE:2" >absent.yaml && test_expect_code 3 "$RONDO" run absent.yaml 2>err &&
	grep "cannot pull the image $IMAGE:2: manifest for $IMAGE:2 not found" err &&
	grep "help  name an image that exists by executor.image" err
'

check ENGINE 'a registry that cannot be reached: try again later, exit 75' '
	images 127.0.0.1:1/x >gone.yaml && test_expect_code 75 "$RONDO" run gone.yaml 2>err &&
	grep "cannot pull the image 127.0.0.1:1/x: .*connection refused" err &&
	grep "help  docker pull 127.0.0.1:1/x where its registry can be reached" err
'

check ENGINE 'the disk of the engine is full: exit 75, and what makes room' '
	head -c 200000000 /dev/zero >"$ENGINE/data/fill" 2>/dev/null; images small >full.yaml &&
	test_expect_code 75 "$RONDO" run full.yaml 2>err && grep "no space left on device" err &&
	grep "docker system prune makes room" err &&
	rm "$ENGINE/data/fill" && "$RONDO" run full.yaml >out && grep "Code output: pulled" out
'

test_done
