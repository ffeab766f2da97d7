import { existsSync, statSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, listOf } from "../support/api.ts";
import { makeFreshClone } from "../support/clients/fresh-clone.ts";
import type { FreshClone } from "../support/clients/fresh-clone.ts";
import type { Ended, MusterProcess } from "../support/muster.ts";
import { verifies } from "../support/verifies.ts";

/** Downloads of some 180 MB, on whatever line this machine has. */
const INSTALL_TIMEOUT_MS = 300_000;
const FREE_PORT = { PORT: "0" };
const READY = /Muster is ready at (\S+)\n/;
const INSTALLS = /Installing packages|fetching Node/;

let clone: FreshClone;
/** Each test continues where the one before it ended, as a person would at a terminal. */
let apiKey = "";
let service: MusterProcess;
let url = "";

beforeAll(async () => {
  clone = await makeFreshClone();
});

afterAll(() => clone.remove());

verifies(
  "start.npm-start",
  "npm start in a fresh clone installs, serves, prints URL and set-up link, and stores the keys",
  async () => {
    expect(existsSync(join(clone.folder, "node_modules"))).toBe(false);
    service = clone.start(["npm", "start"], FREE_PORT);
    const printed = await service.prints(/auth\/setup\?token=\w+\n/);
    url = urlIn(printed);
    expect(printed).toContain(`${url}/auth/setup?token=`);
    const file = join(clone.folder, ".muster/first-keys.env");
    expect(printed).not.toContain("mst_");
    [, apiKey = ""] = /^MUSTER_API_KEY=(mst_\w+)$/m.exec(await readFile(file, "utf8")) ?? [];
    expect((await apiOf({ url }, apiKey).get("/api-me")).status).toBe(200);
  },
  INSTALL_TIMEOUT_MS,
);

verifies("start.embedded.stops-with-service", "SIGTERM to npm stops the service and its database", async () => {
  expect(existsSync(databasePidFile())).toBe(true);
  const ended = await stop(service);
  expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(INSTALLS) });
  expect(ended.stderr).not.toContain("UNRESOLVED_IMPORT");
  expect(existsSync(databasePidFile())).toBe(false);
});

verifies("start.second-start", "a second npm start installs nothing, prints no secret and serves", async () => {
  const installed = whenInstalled();
  const begun = performance.now();
  service = clone.start(["npm", "start"], FREE_PORT);
  const printed = await service.prints(/Get the link to finish setup: muster setup-link\n/);
  console.info(`the second npm start was ready after ${((performance.now() - begun) / 1_000).toFixed(2)} s`);
  expect(printed).not.toMatch(/mst_|token=/);
  expect(whenInstalled()).toBe(installed);
  url = urlIn(printed);
  expect((await apiOf({ url }, apiKey).get("/api-me")).status).toBe(200);
});

verifies("cli.runs-from-checkout", "npx muster is the command of the checkout and reaches the service", async () => {
  const help = await clone.run(["npx", "muster", "--help"]);
  expect(help).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/Usage: muster[^]* agents [^]* whoami [^]* serve /),
  });
  const whoami = await clone.run(["npx", "muster", "whoami"], { MUSTER_URL: url, MUSTER_API_KEY: apiKey });
  expect(whoami).toMatchObject({ code: 0, stdout: expect.stringContaining("My workspace") });
});

verifies(
  "accounts.encryption-key.rotate-serving",
  "the encryption key is changed under a service that runs",
  async () => {
    const rotation = await clone.run(["npx", "muster", "rotate-key"]);
    expect(rotation).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Re-encrypted \d+ secrets with data key 1/),
    });
  },
);

verifies("cli.demo", "npm run demo survives the death of its service, asks a question, and cleans up", async () => {
  const demo = await clone.run(["npm", "run", "demo"], { PORT: new URL(url).port });
  expect(demo).toMatchObject({ code: 0, stderr: expect.stringContaining("Connection lost; trying again") });
  expect(demo.stderr.match(/→ current_time/g)).toHaveLength(1);
  expect(demo.stdout).toMatch(
    /kill -9[^]*The service is back[^]*you missed nothing\.[^]*Answered task[^]*\$0\.00[^]*What to do next/,
  );
  const [, folder = ""] = /for this demo, in (\S+)\./.exec(demo.stdout) ?? [];
  expect(existsSync(folder)).toBe(false);
  expect(listOf(await apiOf({ url }, apiKey).get("/api-tasks"))).toEqual([]);
  expect(await stop(service)).toMatchObject({ code: 0, stderr: expect.not.stringMatching(INSTALLS) });
});

verifies("accounts.encryption-key.rotate", "the encryption key of a data folder is changed", async () => {
  const file = join(clone.folder, ".muster/encryption.key");
  const before = await readFile(file, "utf8");
  const rotation = await clone.run(["npx", "muster", "rotate-key"]);
  expect(rotation).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Re-encrypted \d+ secrets .* in the data folder\.$/m),
  });
  expect(await readFile(file, "utf8")).not.toBe(before);
  expect(existsSync(databasePidFile())).toBe(false);
});

verifies("start.own-node", "a Node of 24 or newer is used; for an older one Node 24 is fetched", async () => {
  const script = join(clone.folder, "print-node.mjs");
  await writeFile(script, "console.log(process.execPath, process.versions.node);");
  const print = ["node", "scripts/with-node.mjs", script];
  const { stdout: machine } = await clone.run(["node", script]);
  const { stdout: used } = await clone.run(print);
  const [path = "", version = ""] = used.trim().split(" ");
  expect(Number.parseInt(version, 10)).toBeGreaterThanOrEqual(24);
  if (used !== machine) {
    expect(machine).toMatch(/ 2[0-3]\./);
    expect(path).toContain(join(clone.folder, ".runtime"));
  }
  const { stdout: own } = await clone.run(print, { PATH: dirname(process.execPath) });
  expect(own).toBe(`${process.execPath} ${process.versions.node}\n`);
});

async function stop(npm: MusterProcess): Promise<Ended> {
  npm.process.kill("SIGTERM");
  // Its output ends with the last process that writes to it, not with npm.
  return npm.ended;
}

function urlIn(printed: string): string {
  const [, address = ""] = READY.exec(printed) ?? [];
  return address;
}

function databasePidFile(): string {
  return join(clone.folder, ".muster", "postgres/data/postmaster.pid");
}

function whenInstalled(): number {
  return statSync(join(clone.folder, "node_modules/.muster-installed")).mtimeMs;
}
