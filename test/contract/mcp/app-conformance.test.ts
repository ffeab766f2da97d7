import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { ADA_ENV } from "../../support/accounts.ts";
import { freePort } from "../../support/free-port.ts";
import { NODE_ENVIRONMENT } from "../../support/hosts/node-environment.ts";
import { consent, openAppPerson, registerApp } from "../../support/mcp/app-client.ts";
import { startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PROGRAM = join(ROOT, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

let service: TestService;

beforeAll(async () => {
  service = await startService({ env: ADA_ENV });
});
afterAll(() => service.stop());

/** Runs the scenarios of the official suite, and consents to what they ask for. */
async function runSuite(): Promise<{ readonly code: number | null; readonly output: string }> {
  const port = await freePort();
  const { clientId } = await registerApp(service, { redirect_uris: [`http://127.0.0.1:${port}/callback`] });
  const ada = await openAppPerson(service);
  const folder = await mkdtemp(join(tmpdir(), "muster-authorization-"));
  const target = [
    "--url",
    service.url,
    "--client-id",
    clientId,
    "--resource",
    `${service.url}/mcp`,
    "-p",
    String(port),
  ];
  const child = spawn(process.execPath, [PROGRAM, "authorization", ...target, "-o", folder], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { ...NODE_ENVIRONMENT, HOME: folder, NO_COLOR: "1" },
  });
  const exited = once(child, "exit");
  let output = "";
  let visited = false;
  const read = async (chunk: Buffer) => {
    output += chunk.toString();
    const url = /http\S+\/oauth\/authorize\?\S+/.exec(output)?.[0];
    if (url === undefined || visited) return;
    visited = true;
    await fetch(await consent(service, ada, url));
  };
  // Without consent the suite would wait for minutes.
  const readOrEnd = (chunk: Buffer) => void read(chunk).catch(() => child.kill());
  child.stdout.on("data", readOrEnd);
  child.stderr.on("data", readOrEnd);
  await exited;
  await rm(folder, { recursive: true });
  return { code: child.exitCode, output };
}

verifies(
  "mcp.oauth.conformance",
  "all scenarios of the official suite for authorization servers pass",
  async () => {
    const { code, output } = await runSuite();
    expect(code, output).toBe(0);
  },
  { tags: "slow" },
);
