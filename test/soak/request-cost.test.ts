import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { apiOf, consoleOf } from "../support/api.ts";
import { startProcess } from "../support/service.ts";
import type { TestProcess } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { createAgent } from "../support/work.ts";

const MIB = 1_048_576;
/** Almost the default of MAX_BODY_BYTES. */
const BODY_BYTES = MIB - 1_024;
/** What a message to A2A may have more: a file in base64. */
const A2A_BYTES = 13 * MIB;
/** The goal is 50 ms, which bodies keep on a calm machine. The rest is for slow and busy ones. */
const MAX_MAIN_THREAD_MS = 80;
const MAX_MEMORY_BYTES = 64 * MIB;
/** The cheapest counts: the first ones are not compiled yet. */
const ROUNDS = 3;
/** What costs too much is sent again up to so many times: other work on the machine takes caches away. */
const MAX_ROUNDS = 12;
/** As many values as a body, or a message of a protocol, may have, or almost. */
const MOST_VALUES = 49_900;
const MOST_MESSAGE_VALUES = 24_900;

/** Bodies of about so many bytes. */
type Shapes = Readonly<Record<string, (bytes: number, values: number) => string>>;

/** JSON that is expensive to read. */
const SHAPES: Shapes = {
  "a long text": (bytes) => `"${"a".repeat(bytes)}"`,
  "a text of escapes": (bytes) => `"${String.raw`\u00e9`.repeat(bytes / 6)}"`,
  "a text of unpaired surrogates": (bytes) => `"${String.raw`\ud800`.repeat(bytes / 6)}"`,
  "too many numbers": (bytes) => `[${"1,".repeat(bytes / 2)}1]`,
  "too many empty objects": (bytes) => `[${"{},".repeat(bytes / 3)}{}]`,
  "many long numbers": (_, values) => `[${`${"1234567890".repeat(2)},`.repeat(values)}1]`,
  // As many as may be beside integers that a number cannot hold.
  "fewer long numbers": () => `[${`${"1234567890".repeat(2)},`.repeat(MOST_MESSAGE_VALUES)}1]`,
  "many fields": (_, values) => `{${Array.from({ length: values }, (__, n) => `"field ${n}":1`).join(",")}}`,
  "deep lists": (bytes) => "[".repeat(bytes / 2) + "]".repeat(bytes / 2),
  "deep objects": (_, values) => '{"a":'.repeat(values) + "1" + "}".repeat(values),
};

/** Forms that are expensive to read. */
const FORMS: Shapes = {
  "many fields of a form": (bytes) =>
    Array.from({ length: bytes / 10 }, (_, n) => `f${n}=1`)
      .join("&")
      .slice(0, bytes),
  "one field many times": (bytes) => "a=1&".repeat(bytes / 4),
  "a form of escapes": (bytes) => `a=${"%C3%A9".repeat(bytes / 6)}`,
  "a form with JSON": (bytes) => `payload=[${"{},".repeat(bytes / 3 - 10)}{}]`,
};

/** CSV that is expensive to read. */
const CSV: Shapes = {
  "many lines": (bytes) => `title,description\n${"a,b\n".repeat(bytes / 4 - 10)}`,
  "many quoted lines": (_, values) => `title,description\n${'"a","b"\n'.repeat(values / 2 - 1)}`,
};

const BOUNDARY = "b";
/** Forms with files that are expensive to read. */
const MULTIPART: Shapes = {
  "many parts": (bytes) => partsOf("f", "x").repeat(bytes / partsOf("f", "x").length) + `--${BOUNDARY}--`,
  "a part of headers": (bytes) =>
    partsOf("file", "x").replace("\r\n\r\n", `${"\r\na: b".repeat(bytes / 6 - 40)}\r\n\r\n`),
  "a part of dashes": (bytes) => `${partsOf("file", `\r\n--${BOUNDARY}x`.repeat(bytes / 6 - 40))}--${BOUNDARY}--`,
};

function partsOf(name: string, content: string): string {
  return `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"; filename="a.txt"\r\n\r\n${content}\r\n`;
}

/** A way in for bodies. */
interface Door {
  readonly method: string;
  readonly path: string;
  readonly key: string;
  readonly bytes: number;
  readonly values?: number;
  /** JSON by default. */
  readonly contentType?: string;
  readonly shapes?: Shapes;
  /** The body with a value in it. */
  readonly around: (value: string) => string;
}

const document = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), z.looseObject({ requestBody: z.unknown().optional() }))),
});

let service: TestProcess;
let agentId: string;
/** The path of a trigger's URL. */
let trigger: string;

beforeAll(async () => {
  service = await startProcess();
  agentId = (await createAgent(apiOf(service, service.keys.api))).id;
  const fields = { name: "T", title: "Event", assigned_agent_id: agentId };
  const made = await consoleOf(service, service.keys.api).post("/triggers", fields);
  trigger = new URL(z.object({ url: z.string() }).parse(made.body).url).pathname;
});
afterAll(() => service.stop());

/** All operations with a body, and the methods of protocols. */
async function doors(): Promise<readonly Door[]> {
  const { keys, url } = service;
  const { paths } = document.parse(await (await fetch(`${url}/openapi.json`)).json());
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, { requestBody }]) => requestBody !== undefined)
      .map(([method]) => ({ method: method.toUpperCase(), path })),
  );
  const keyOf = (path: string) =>
    path.startsWith("/ag-ui") ? keys.agui : path.startsWith("/rest") ? keys.table : keys.api;
  const fill = (path: string) =>
    path
      .replace("{agentId}", agentId)
      .replace("{table}", "tasks")
      .replaceAll(/\{\w+\}/g, newId());
  const rpc = (method: string, field: string) => (value: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"${field}":${value}}}`;
  const post = { method: "POST", bytes: BODY_BYTES };
  const inMessage = (value: string) => `{"model":"m","messages":[{"role":"user","content":${value}}]}`;
  return [
    ...operations.map(({ method, path }) => ({
      method,
      path: fill(path),
      key: keyOf(path),
      bytes: BODY_BYTES,
      around: (value: string) => `{"metadata":${value}}`,
    })),
    ...["message/send", "message/stream", "tasks/get", "SendMessage"].map((method) => ({
      ...post,
      path: `/a2a/${agentId}`,
      key: keys.a2a,
      bytes: A2A_BYTES,
      values: MOST_MESSAGE_VALUES,
      around: rpc(method, "message"),
    })),
    {
      ...post,
      path: `/a2a/${agentId}/message:send`,
      key: keys.a2a,
      bytes: A2A_BYTES,
      values: MOST_MESSAGE_VALUES,
      around: (value) => `{"message":${value}}`,
    },
    ...["initialize", "tools/call", "tools/list"].map((method) => ({
      ...post,
      path: "/mcp",
      key: keys.mcp,
      values: MOST_MESSAGE_VALUES,
      around: rpc(method, "arguments"),
    })),
    { ...post, path: "/rest/v1/tasks", key: keys.table, contentType: "text/csv", shapes: CSV, around: (csv) => csv },
    { ...post, path: trigger, key: keys.api, around: (value) => value },
    {
      ...post,
      path: trigger,
      key: keys.api,
      contentType: "application/x-www-form-urlencoded",
      shapes: FORMS,
      around: (form) => form,
    },
    ...[
      { path: "/files", bytes: 10 * MIB },
      { path: "/console/api/knowledge/uploads", bytes: 10 * MIB },
      { path: trigger, bytes: BODY_BYTES },
    ].map(({ path, bytes }) => ({
      ...post,
      bytes,
      path,
      key: keys.api,
      contentType: `multipart/form-data; boundary=${BOUNDARY}`,
      shapes: MULTIPART,
      around: (form: string) => form,
    })),
    { ...post, path: `/ag-ui/${agentId}/sse`, key: keys.agui, around: (value) => `{"messages":${value}}` },
    { ...post, path: `/ag-ui/${agentId}/sse`, key: keys.agui, around: (value) => `{"context":${value}}` },
    { ...post, path: "/v1/chat/completions", key: keys.api, around: inMessage },
    { ...post, path: "/v1/responses", key: keys.api, around: (value) => `{"model":"m","input":${value}}` },
  ];
}

interface Cost {
  readonly ms: number;
  readonly bytes: number;
}

function cheapestOf(costs: readonly Cost[]): Cost {
  return { ms: Math.min(...costs.map(({ ms }) => ms)), bytes: Math.min(...costs.map(({ bytes }) => bytes)) };
}

function isTooMuch(costs: readonly Cost[]): boolean {
  const { ms, bytes } = cheapestOf(costs);
  return ms > MAX_MAIN_THREAD_MS || bytes > MAX_MEMORY_BYTES;
}

/** Sends a body; returns the CPU time of the main thread in milliseconds, and the growth of its memory in bytes. */
async function send({ method, path, key, contentType = "application/json" }: Door, body: string) {
  const headers = {
    "content-type": contentType,
    authorization: `Bearer ${key}`,
    "x-api-key": key,
    apikey: key,
  };
  // From now on VmHWM is the peak since then.
  writeFileSync(`/proc/${service.process.pid}/clear_refs`, "5");
  const before = { ms: mainThreadMs(), bytes: memory("VmRSS") };
  const answer = await fetch(service.url + path, { method, headers, body });
  await answer.body?.cancel();
  return { status: answer.status, ms: mainThreadMs() - before.ms, bytes: memory("VmHWM") - before.bytes };
}

function mainThreadMs(): number {
  const { pid } = service.process;
  return Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, "utf8").split(" ")[0]) / 1e6;
}

function memory(field: "VmHWM" | "VmRSS"): number {
  const status = readFileSync(`/proc/${service.process.pid}/status`, "utf8");
  return Number(new RegExp(`^${field}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) * 1_024;
}

describe.skipIf(!existsSync("/proc/self/clear_refs"))("where Linux counts the CPU time of threads", () => {
  verifies(
    "hardening.bodies.cost",
    "the most expensive body of each operation and protocol costs little CPU time and memory",
    async () => {
      const found: string[] = [];
      for (const door of await doors()) {
        for (const [shape, make] of Object.entries(door.shapes ?? SHAPES)) {
          const body = door.around(make(door.bytes - 200, door.values ?? MOST_VALUES));
          const costs: (Cost & { readonly status: number })[] = [];
          while (costs.length < ROUNDS || (isTooMuch(costs) && costs.length < MAX_ROUNDS)) {
            costs.push(await send(door, body));
          }
          const { ms, bytes } = cheapestOf(costs);
          const what = `${door.method} ${door.path}, ${shape}: ${costs[0]?.status}, ${Math.round(ms)} ms, ${Math.round(bytes / MIB)} MiB`;
          if (isTooMuch(costs)) found.push(what);
        }
      }
      expect(found).toEqual([]);
    },
    900_000,
  );
});
