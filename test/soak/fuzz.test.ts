import * as fc from "fast-check";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf, send } from "../support/api.ts";
import { arbitraryBody } from "../support/checks/arbitrary-body.ts";
import { servedRoutes } from "../support/checks/served-routes.ts";
import { startService } from "../support/service.ts";
import type { TestService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";
import { createAgent, createTask } from "../support/work.ts";
import { addWorkspace } from "../support/workspace.ts";
import type { TestWorkspace } from "../support/workspace.ts";

const SECONDS = Number(process.env["FUZZ_SECONDS"] ?? 60);
const SEED = Number(process.env["FUZZ_SEED"] ?? Date.now() % 1_000_000);
/** A text that only the other workspace has. */
const CANARY = "the other workspace's canary";
/** Streams and calls that only end with their client. */
const ENDLESS = /stream|\/mcp|\/live$|events|message/;
const ANSWER_MS = 30_000;
/** What a request would take its own key away with. */
const ENDING = /workspace$|\/members|\/keys|sign-out/;

let service: TestService;
let other: TestWorkspace;
/** Ids of things that the other workspace has. */
let foreign: readonly string[];

beforeAll(async () => {
  service = await startService();
  other = await addWorkspace(service.databaseUrl);
  const api = apiOf(service, other.key);
  const agent = await createAgent(api, { name: CANARY, system_prompt: CANARY });
  const task = await createTask(api, { title: CANARY });
  foreign = [agent.id, task.id, other.workspaceId];
});
afterAll(() => service.stop());

verifies(
  ["hardening.fuzz.no-fault", "hardening.fuzz.no-foreign-rows"],
  `of ${SECONDS} s of random requests none is answered with 5xx or another workspace's rows`,
  async () => {
    console.info(`fuzz: seed ${SEED}; the same again with FUZZ_SEED=${SEED}`);
    const answered = new Map<number, number>();
    const property = fc.asyncProperty(request(), async ({ method, path, body, headers }) => {
      const auth = { "x-api-key": service.keys.api, apikey: service.keys.table };
      const url = service.url + path;
      const signal = AbortSignal.timeout(ANSWER_MS);
      const sent = { headers: { ...auth, ...headers }, signal, ...(method !== "GET" && { body }) };
      const { status, text } = await send(method, url, sent);
      answered.set(status, (answered.get(status) ?? 0) + 1);
      expect(status, `${method} ${path} was answered with ${text.slice(0, 500)}`).toBeLessThan(500);
      expect(text, `${method} ${path} shows another workspace's row`).not.toContain(CANARY);
    });
    await fc.assert(property, {
      seed: SEED,
      numRuns: 1_000_000,
      interruptAfterTimeLimit: SECONDS * 1_000,
      markInterruptAsFailure: false,
    });
    console.info(`fuzz: ${JSON.stringify(Object.fromEntries(answered))}`);
    expect([...answered.values()].reduce((sum, count) => sum + count, 0)).toBeGreaterThan(SECONDS);
    expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
    expect((await apiOf(service, other.key).get("/api-me")).status).toBe(200);
  },
  SECONDS * 1_000 + 60_000,
);

/** Any request that ends without an abort. */
function request() {
  const routes = servedRoutes()
    .map((route) => route.split(" "))
    .filter(([, path = ""]) => !ENDLESS.test(path) && !ENDING.test(path));
  const text = fc.oneof(fc.string(), fc.string({ unit: "binary" }), fc.constantFrom(...foreign, "'", "%00", "../.."));
  const query = fc.dictionary(
    fc.oneof(fc.constantFrom("id", "select", "order", "limit", "offset", "cursor", "or", "and", "title"), fc.string()),
    text,
    { maxKeys: 3 },
  );
  return fc
    .record({
      route: fc.constantFrom(...routes),
      filled: fc.array(text, { minLength: 3, maxLength: 3 }),
      query,
      body: arbitraryBody({}),
      prefer: fc.constantFrom(
        "",
        "count=exact",
        "count=planned",
        "return=representation",
        "resolution=merge-duplicates",
      ),
    })
    .map(({ route: [method = "GET", path = ""], filled, query: asked, body, prefer }) => {
      let place = 0;
      const at = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(wellFormed(filled[place++ % 3] ?? "")) || "x");
      const wanted = new URLSearchParams();
      for (const [key, value] of Object.entries(asked)) wanted.append(wellFormed(key), wellFormed(value));
      const headers: Record<string, string> = prefer === "" ? {} : { Prefer: prefer };
      return { method: method === "ANY" ? "POST" : method, path: `${at}?${wanted.toString()}`, body, headers };
    });
}

function wellFormed(text: string): string {
  return text.toWellFormed();
}
