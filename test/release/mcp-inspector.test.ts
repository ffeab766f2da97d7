import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf } from "../support/api.ts";
import { installPackages } from "../support/clients/install-packages.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { createAgent } from "../support/work.ts";

const MINUTE = 60_000;
const FOLDER = join(import.meta.dirname, "../../examples/mcp-inspector");
const listed = z.looseObject({ tools: z.array(z.looseObject({ name: z.string() })) });
const called = z.looseObject({ content: z.array(z.looseObject({ type: z.string(), text: z.string() })) });

let service: TestService;

beforeAll(async () => {
  await installPackages(FOLDER, "@modelcontextprotocol/inspector");
  service = await startService();
  await createAgent(apiOf(service, service.keys.api), { name: "Release Notes", is_mcp_published: true });
}, 10 * MINUTE);
afterAll(() => service.stop());

/** Runs the inspector's command line against the service, as the documentation says; its output. */
async function inspect(...args: readonly string[]): Promise<unknown> {
  const command = join(FOLDER, "node_modules/.bin/mcp-inspector");
  const target = ["--cli", `${service.url}/mcp`, "--transport", "http"];
  const header = ["--header", `Authorization: Bearer ${service.keys.mcp}`];
  const { stdout } = await promisify(execFile)(process.execPath, [command, ...target, ...header, ...args], {
    cwd: FOLDER,
    timeout: MINUTE,
  });
  return JSON.parse(stdout);
}

verifies(
  "mcp.server.inspector",
  "the MCP Inspector lists the agents and calls one",
  async () => {
    const { tools } = listed.parse(await inspect("--method", "tools/list"));
    expect(tools.map(({ name }) => name)).toEqual(["release_notes"]);
    const call = ["--method", "tools/call", "--tool-name", "release_notes", "--tool-arg", "message=Version 2 is out."];
    const { content } = called.parse(await inspect(...call));
    expect(content).toMatchObject([{ type: "text", text: expect.stringContaining("Version 2 is out.") }]);
  },
  3 * MINUTE,
);
