import { spawnSync } from "node:child_process";
import { createServer } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import { expect } from "vitest";
import { verifies } from "../../../test/support/verifies.ts";
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

verifies(
  "hardening.extraction.isolated",
  "a process that reads documents can read its program, and nothing else",
  async () => {
    const server = createServer().listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    const port = typeof address === "object" && address !== null ? address.port : 0;
    const isolated = await withoutNetwork();
    const args = [...isolated, process.execPath, ...PERMISSIONS, "--input-type=module", "-e", PROBE, String(port)];
    const [program = "", ...rest] = args;
    const { stdout, stderr } = spawnSync(program, rest, { env: {}, encoding: "utf8" });
    server.close();
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({
      program: isRoot ? expect.stringMatching(/^(done|EACCES)$/) : "done",
      settings: "ERR_ACCESS_DENIED",
      system: "ERR_ACCESS_DENIED",
      environment: "ERR_ACCESS_DENIED",
      write: "ERR_ACCESS_DENIED",
      process: "ERR_ACCESS_DENIED",
      uid: isRoot ? 65_533 : process.getuid?.(),
      network: isolated.length > 0 ? "ENETUNREACH" : "connected",
    });
  },
);
