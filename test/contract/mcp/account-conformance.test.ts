import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect } from "vitest";
import { NODE_ENVIRONMENT } from "../../support/hosts/node-environment.ts";
import { startPublicService } from "../../support/people/scene.ts";
import type { TestService } from "../../support/service.ts";
import { verifies } from "../../support/verifies.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PROGRAM = join(ROOT, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
const CLIENT = join(ROOT, "test/support/mcp/conformance-client.ts");
const RESULT = /^[✓✗~] (auth\/[\w-]+): (\d+) passed, (\d+) failed/gm;
/** Other ways than a person's consent to get a token, which are extensions. */
const EXTENSIONS = [
  "auth/client-credentials-basic",
  "auth/client-credentials-jwt",
  "auth/dpop",
  "auth/dpop-nonce",
  "auth/enterprise-managed-authorization",
  "auth/wif-jwt-bearer",
];

let service: TestService;

beforeAll(async () => {
  service = await startPublicService({ ALLOW_PRIVATE_URLS: "true" });
});
afterAll(() => service.stop());

/** Runs the official suite against the service as a client of MCP servers. */
async function runSuite(): Promise<{ readonly output: string; readonly cimd: string }> {
  const folder = await mkdtemp(join(tmpdir(), "muster-mcp-client-"));
  const command = `${process.execPath} ${CLIENT}`;
  const args = ["client", "--requirements", "2026-07-28", "--command", command, "-o", folder, "--timeout", "120000"];
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
    env: {
      ...NODE_ENVIRONMENT,
      HOME: folder,
      NO_COLOR: "1",
      MUSTER_URL: service.url,
      MUSTER_API_KEY: service.keys.api,
    },
  });
  const exited = once(child, "exit");
  try {
    const output = await text(child.stdout);
    await exited;
    const [checks = ""] = globSync("**/*basic-cimd*/checks.json", { cwd: folder });
    return { output, cimd: await readFile(join(folder, checks), "utf8") };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

verifies(
  "mcp.account.conformance",
  "every scenario of the official suite for authorization by clients passes, but for extensions",
  async () => {
    const { output, cimd } = await runSuite();
    const results = [...output.matchAll(RESULT)].map(([, name = "", , failed]) => ({ name, failed: Number(failed) }));
    const failing = results.filter(({ failed }) => failed > 0).map(({ name }) => name);
    expect(results.length, output.slice(-3_000)).toBeGreaterThanOrEqual(28);
    expect(failing.toSorted(), output.slice(-6_000)).toEqual(EXTENSIONS);
    // Where a server reads it, the client's id is the URL of its metadata; the suite expects that of its own client.
    expect(cimd).toContain("https://muster.example.com/oauth/mcp/client.json");
  },
  { tags: "slow", timeout: 240_000 },
);
