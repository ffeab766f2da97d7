import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { ADA_ENV } from "../support/accounts.ts";
import { apiOf } from "../support/api.ts";
import { installPackages } from "../support/clients/install-packages.ts";
import { freePort } from "../support/free-port.ts";
import { NODE_ENVIRONMENT } from "../support/hosts/node-environment.ts";
import { consent, openAppPerson } from "../support/mcp/app-client.ts";
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
  service = await startService({ env: ADA_ENV });
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

verifies(
  "mcp.oauth.inspector",
  "the MCP Inspector connects by the URL alone: its person signs in and allows it",
  async () => {
    const home = await mkdtemp(join(tmpdir(), "muster-inspector-"));
    const ada = await openAppPerson(service);
    const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`;
    const call = ["--method", "tools/call", "--tool-name", "release_notes", "--tool-arg", "message=Version 2 is out."];
    const target = ["--cli", `${service.url}/mcp`, "--transport", "http", "--callback-url", callback];
    const child = spawn(process.execPath, [join(FOLDER, "node_modules/.bin/mcp-inspector"), ...target, ...call], {
      cwd: home,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...NODE_ENVIRONMENT, HOME: home, MCP_AUTO_OPEN_ENABLED: "true", NO_COLOR: "1" },
      timeout: MINUTE,
    });
    const exited = once(child, "exit");
    const output = { stdout: "", stderr: "" };
    let opened: Promise<unknown> | undefined;
    for (const name of ["stdout", "stderr"] as const) {
      child[name].setEncoding("utf8").on("data", (text: string) => {
        output[name] += text;
        const [url] = /http\S+\/oauth\/authorize\?\S+/.exec(output.stdout + output.stderr) ?? [];
        if (url !== undefined) opened ??= consent(service, ada, url).then((back) => fetch(back));
      });
    }
    await exited;
    await opened;
    await rm(home, { recursive: true, force: true });
    expect(child.exitCode, JSON.stringify(output)).toBe(0);
    expect(output.stdout).toContain("Version 2 is out.");
  },
  3 * MINUTE,
);
