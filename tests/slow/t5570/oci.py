"""oci.py IMAGE OUT: check an OCI layout in a .tar, each digest and size, and unpack it into OUT.
Prints its configuration as JSON."""
import gzip
import hashlib
import json
import subprocess
import sys
import tarfile

image, out = sys.argv[1:]
layout = tarfile.open(image)
names = layout.getnames()
assert json.load(layout.extractfile("oci-layout")) == {"imageLayoutVersion": "1.0.0"}
seen = set()


def blob(descriptor):
    name = "blobs/" + descriptor["digest"].replace(":", "/")
    data = layout.extractfile(name).read()
    assert "sha256:" + hashlib.sha256(data).hexdigest() == descriptor["digest"], name
    assert len(data) == descriptor["size"], name
    seen.add(name)
    return data


index = json.load(layout.extractfile("index.json"))
(described,) = index["manifests"]
manifest = json.loads(blob(described))
assert manifest["mediaType"] == described["mediaType"]
config = json.loads(blob(manifest["config"]))
(layer,) = manifest["layers"]
plain = gzip.decompress(blob(layer))
(diff,) = config["rootfs"]["diff_ids"]
assert "sha256:" + hashlib.sha256(plain).hexdigest() == diff
assert {name for name in names if layout.getmember(name).isfile()} == \
    seen | {"oci-layout", "index.json"}
subprocess.run(["tar", "-C", out, "-x"], input=plain, check=True)
print(json.dumps(config))
