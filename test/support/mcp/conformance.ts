import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, request } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { z } from "zod";
import type { McpTarget } from "./clients.ts";
import { playOf } from "./suite-tools.ts";
import { NODE_ENVIRONMENT } from "../hosts/node-environment.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PROGRAM = join(ROOT, "node_modules/@modelcontextprotocol/conformance/dist/index.js");

/**
 * Runs the official conformance suite (https://www.npmjs.com/package/@modelcontextprotocol/conformance) for a revision
 * against the MCP endpoint of a service. The suite sends no key, and calls tools of its own: a proxy on
 * loopback adds the key, and sends messages to agents that play the tools.
 * @returns what the suite printed, whether only scenarios of the baseline failed, and those of them that passed
 */
export async function runMcpConformance(target: McpTarget, revision: string) {
  const proxy = await startKeyProxy(target);
  const folder = await mkdtemp(join(tmpdir(), "muster-mcp-"));
  const baseline = join(ROOT, "test/contract/mcp-conformance", `${revision}.yml`);
  const args = ["--url", `${proxy.url}/mcp`, "--requirements", revision, "--expected-failures", baseline, "-o", folder];
  const child = spawn(process.execPath, [PROGRAM, "server", ...args], {
    cwd: folder,
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...NODE_ENVIRONMENT, HOME: folder, NO_COLOR: "1" },
  });
  const exited = once(child, "exit");
  try {
    const output = await text(child.stdout);
    await exited;
    const listed = scenariosIn(await readFile(baseline, "utf8"), /^ {2}- ([\w-]+)/gm);
    // Marked ✗, or ~ when the baseline expects it; a scenario with mere warnings is marked ✓, and with ~ as well.
    const failed = scenariosIn(output, /^\s*[✗~] ([\w-]+)/gm);
    return { output, asExpected: child.exitCode === 0, stale: listed.filter((name) => !failed.includes(name)) };
  } finally {
    await proxy.close();
    await rm(folder, { recursive: true, force: true });
  }
}

function scenariosIn(text: string, pattern: RegExp): string[] {
  return [...text.matchAll(pattern)].flatMap(([, name]) => name ?? []);
}

const toolCall = z.looseObject({
  method: z.literal("tools/call"),
  params: z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).default({}) }),
});

/** A call of a tool of the suite's own, as a message to the agent that plays it. */
function asPlayed(body: string): string {
  try {
    const { params, ...call } = toolCall.parse(JSON.parse(body));
    const played = playOf(params.name, params.arguments);
    return played === undefined ? body : JSON.stringify({ ...call, params: { ...params, arguments: played } });
  } catch {
    return body;
  }
}

async function startKeyProxy({ url, key }: McpTarget) {
  const server = createServer((incoming, outgoing) => void forward(incoming, outgoing));

  async function forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = asPlayed(await text(incoming));
    const length = { "content-length": String(Buffer.byteLength(body)) };
    const headers = { ...incoming.headers, authorization: `Bearer ${key}`, ...(body !== "" && length) };
    const forwarded = request(new URL(incoming.url ?? "/", url), { method: incoming.method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    forwarded.on("error", () => outgoing.destroy());
    outgoing.on("close", () => forwarded.destroy());
    forwarded.end(body);
  }

  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    url: `http://127.0.0.1:${address.port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
