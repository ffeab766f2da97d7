import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import { verifies } from "../../../test/support/verifies.ts";
import { denying } from "./deny-calls.ts";
import { PERMISSIONS, withoutNetwork } from "./isolation.ts";

const HERE = import.meta.dirname;
const ROOT = join(HERE, "../../..");
const isRoot = process.getuid?.() === 0;

/** What a reader that a hostile file has taken over can do; keys are what it tried. */
const PROBE = `
  const { readFileSync, writeFileSync } = await import("node:fs");
  const { connect } = await import("node:net");
  const { spawnSync } = await import("node:child_process");
  const { dropPrivileges } = await import(${JSON.stringify(join(HERE, "isolation.ts"))});
  dropPrivileges();
  const attempt = (run) => { try { run(); return "done"; } catch (error) { return error.code ?? error.message; } };
  const network = new Promise((resolve) => {
    const socket = connect(Number(process.argv[1]), "127.0.0.1");
    socket.on("connect", () => resolve("connected")).on("error", (error) => resolve(error.code));
  });
  console.log(JSON.stringify({
    program: attempt(() => readFileSync(${JSON.stringify(join(HERE, "limits.ts"))})),
    settings: attempt(() => readFileSync(${JSON.stringify(join(ROOT, "package.json"))})),
    system: attempt(() => readFileSync("/etc/passwd")),
    environment: attempt(() => readFileSync("/proc/self/environ")),
    write: attempt(() => writeFileSync("/tmp/muster-probe", "")),
    process: attempt(() => spawnSync("true")),
    uid: process.getuid(),
    network: await network,
  }));
  process.exit(0);`;

/** Runs the probe as the extraction process is run; the prefix stands for the system around the service. */
async function probed(isolation: readonly string[], around: readonly string[] = []): Promise<unknown> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const command = [...around, ...isolation, process.execPath, ...PERMISSIONS, "--input-type=module", "-e", PROBE];
  const found = run([...command, String(port)]);
  server.close();
  return JSON.parse(found);
}

function run([program = "", ...args]: readonly string[]): string {
  const { stdout, stderr } = spawnSync(program, args, { env: {}, encoding: "utf8" });
  expect(stderr).toBe("");
  return stdout;
}

verifies(
  "hardening.extraction.isolated",
  "a process that reads documents can read its program, and nothing else",
  async () => {
    const isolated = await withoutNetwork();
    expect(await probed(isolated)).toEqual({
      program: isRoot ? expect.stringMatching(/^(done|EACCES)$/) : "done",
      settings: "ERR_ACCESS_DENIED",
      system: "ERR_ACCESS_DENIED",
      environment: "ERR_ACCESS_DENIED",
      write: "ERR_ACCESS_DENIED",
      process: "ERR_ACCESS_DENIED",
      uid: isRoot ? 65_533 : process.getuid?.(),
      network: isolated.length > 0 ? expect.stringMatching(/^(ENETUNREACH|EACCES)$/) : "connected",
    });
  },
);

const around = [...asInContainer(), ...(denying("unshare") ?? [])];
const hasPerl = around.length > 0 && spawnSync("perl", ["-e", "1"]).status === 0 && canRun(process.execPath);
/** What the service does there: it chooses an isolation, and reads a document by it. */
const SERVICE = `
  const { withoutNetwork } = await import(${JSON.stringify(join(HERE, "isolation.ts"))});
  const { runExtraction } = await import(${JSON.stringify(join(HERE, "run-extraction.ts"))});
  const limits = { pages: 1, unpackedBytes: 1e6, characters: 1e6, memoryBytes: 3e8, timeoutMs: 30_000 };
  const signal = new AbortController().signal;
  const answer = { parse: ({ text }) => text };
  const text = await runExtraction(Buffer.from("# Read"), { format: "markdown", limits, signal }, { as: "text", answer });
  console.log(JSON.stringify({ isolation: await withoutNetwork(), text }));`;

test.runIf(hasPerl)(
  "where namespaces are forbidden, as in containers and units, the process has no sockets",
  async () => {
    const isolation = denying("socket");
    const found: unknown = JSON.parse(run([...around, process.execPath, "--input-type=module", "-e", SERVICE]));
    expect(found).toEqual({ isolation, text: "Read" });
    expect(await probed(isolation ?? [], around)).toMatchObject({ network: "EACCES" });
  },
);

test.runIf(existsSync("/var/lib/dpkg/status"))("Perl is in every Debian, as in the image's base", () => {
  const { stdout } = spawnSync("dpkg-query", ["--show", "--showformat=${Essential}", "perl-base"], {
    encoding: "utf8",
  });
  expect(stdout).toBe("yes");
});

function canRun(program: string): boolean {
  const [command = program, ...args] = around;
  return spawnSync(command, [...args, program, "--version"]).status === 0;
}

/** Root becomes the image's user, without capabilities, as `cap_drop` and `no-new-privileges` have it. */
function asInContainer(): readonly string[] {
  if (!isRoot) return [];
  const user = ["--reuid=10001", "--regid=10001", "--clear-groups"];
  return ["setpriv", ...user, "--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"];
}
