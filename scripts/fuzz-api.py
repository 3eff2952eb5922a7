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


def solved(address, document, node):
    """A job that has ended with a proof."""
    order = {"kind": "solve", "document": document, "node": node}
    job = ask(address, "/jobs", order)["id"]
    for _ in range(600):
        ended = ask(address, f"/jobs/{job}")
        if ended["state"] == "done":
            return ended
        time.sleep(0.1)
    raise SystemExit(f"the job did not end: {ended}")


def main(address, config):
    document = ask(address, "/documents", {"position": WIN, "title": "for the fuzzer"})
    name, node = document["id"], document["at"]
    job = solved(address, name, node)
    proof = job["result"]["certificate"]
    # What is deleted must be something else than what all the others ask about.
    doomed = ask(address, "/documents", {"title": "to be deleted"})["id"]
    doomed_job = solved(address, name, node)["id"]
    with open(config, "w", encoding="utf-8") as out:
        out.write(
            f"""[parameters]
"path.hash" = "{proof}"
"path.node" = {node}

[[operations]]
include-path-regex = "^/documents"
exclude-method = "DELETE"
parameters = {{ "path.id" = "{name}" }}

[[operations]]
include-path-regex = "^/documents"
include-method = "DELETE"
parameters = {{ "path.id" = "{doomed}" }}

[[operations]]
include-path-regex = "^/jobs"
exclude-method = "DELETE"
parameters = {{ "path.id" = {job["id"]} }}

[[operations]]
include-path-regex = "^/jobs"
include-method = "DELETE"
parameters = {{ "path.id" = {doomed_job} }}
"""
        )


main(sys.argv[1], sys.argv[2])
