"""Fills a fresh server with something to ask about, and tells Schemathesis the names of it.

Usage: fuzz-api.py ADDRESS CONFIG
"""

import json
import sys
import time
import urllib.request

WIN = "J10 / J11 M10 / I11 H12 / K9 L9 / I12 I14"


def ask(address, path, body=None):
    """One request; the answer's JSON."""
    data = None if body is None else json.dumps(body).encode()
    request = urllib.request.Request(address + "api" + path, data=data)
    request.add_header("Content-Type", "application/json")
    with urllib.request.urlopen(request, timeout=60) as answer:
        return json.load(answer)


def main(address, config):
    document = ask(address, "/documents", {"position": WIN, "title": "for the fuzzer"})
    name, node = document["id"], document["at"]
    order = {"kind": "solve", "document": name, "node": node}
    job = ask(address, "/jobs", order)["id"]
    for _ in range(600):
        ended = ask(address, f"/jobs/{job}")
        if ended["state"] == "done":
            break
        time.sleep(0.1)
    proof = ended["result"]["certificate"]
    doomed = ask(address, "/documents", {"title": "to be deleted"})["id"]
    # Schemathesis takes one of the values each time; what is not there is asked for, too.
    with open(config, "w", encoding="utf-8") as out:
        out.write(
            f"""[parameters]
"path.hash" = ["{proof}", "{proof}", "{"0" * 64}"]
"path.n" = [{node}, 0, 999]

[[operations]]
include-path-regex = "^/documents"
exclude-method = "DELETE"
[operations.parameters]
"path.id" = ["{name}", "{name}", "none"]

[[operations]]
include-path-regex = "^/documents"
include-method = "DELETE"
[operations.parameters]
"path.id" = ["{doomed}", "none"]

[[operations]]
include-path-regex = "^/jobs"
[operations.parameters]
"path.id" = [{job}, 1, 999]
"""
        )


main(sys.argv[1], sys.argv[2])
