// Compares two builds of sixproof-check, a native one and one for WebAssembly, on every certificate
// of suite/good and suite/bad: what they print, and how they exit.
//
//     node scripts/check-32-bits.mjs NATIVE WASM

import { spawnSync } from "node:child_process";
import { closeSync, mkdtempSync, openSync, readFileSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { WASI } from "node:wasi";

const [native, wasm] = process.argv.slice(2);
const module = await WebAssembly.compile(readFileSync(wasm));
const scratch = mkdtempSync(join(tmpdir(), "sixproof-32-bits-"));
const names = ["stdout", "stderr"].map((name) => join(scratch, name));

/** What the program says of a file where addresses have 32 bits. */
async function in32Bits(file) {
  const [stdout, stderr] = names.map((name) => openSync(name, "w"));
  const wasi = new WASI({
    version: "preview1",
    args: ["sixproof-check", file],
    preopens: { ".": "." },
    stdout,
    stderr,
    returnOnExit: true,
  });
  const instance = await WebAssembly.instantiate(module, wasi.getImportObject());
  let code;
  try {
    code = wasi.start(instance);
  } catch (error) {
    code = String(error);
  }
  [stdout, stderr].forEach((descriptor) => closeSync(descriptor));
  return said(code, ...names.map((name) => readFileSync(name, "utf8")));
}

/** All that is said but the time that it took. */
function said(code, stdout, stderr) {
  return [`exit code ${code}`, stdout.replace(/^time .*\n/m, ""), stderr].join("\n");
}

let [files, different] = [0, 0];
for (const folder of ["suite/good", "suite/bad"]) {
  const certificates = readdirSync(folder).filter((name) => name.endsWith(".cert"));
  for (const name of certificates.sort()) {
    const file = join(folder, name);
    const { status, stdout, stderr } = spawnSync(native, [file], { encoding: "utf8" });
    const [here, there] = [said(status, stdout, stderr), await in32Bits(file)];
    files += 1;
    if (here !== there) {
      different += 1;
      console.log(`${file}\n--- 64 bits\n${here}\n--- 32 bits\n${there}`);
    }
  }
}
rmSync(scratch, { recursive: true });
console.log(`${files} certificates, checked with 32-bit addresses: ${different} differences`);
process.exitCode = files > 100 && different === 0 ? 0 : 1;
