import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect } from "vitest";
import { createClient, MusterError } from "#client/index.ts";
import type { ClientOptions, StreamedEvent } from "#client/index.ts";
import { answerJson, startFakeServer } from "../../support/fake-server.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";

const CLIENT = join(import.meta.dirname, "../../../clients/typescript");
const MODEL = "demo";
const WORDS = "one two three four five six seven eight nine ten eleven twelve";

let service: SharedService;
let options: ClientOptions;

beforeAll(async () => {
  service = await useSharedService();
  options = { url: service.url, key: service.keys.api };
});

verifies("client.operations", "operations and their errors are methods with types", async () => {
  const muster = createClient(options);
  const agent = await muster.createAgent({ name: "Typed", model: MODEL });
  expect(await muster.getAgent({ id: agent.id })).toEqual(agent);
  expect((await muster.updateAgent({ id: agent.id }, { system_prompt: "x" })).version).toBe(2);
  const versions = await muster.listAgentVersions({ id: agent.id });
  expect(versions.items.length).toBeGreaterThan(0);
  const form = new FormData();
  form.set("file", new File(["text"], "a.txt", { type: "text/plain" }));
  expect((await muster.uploadFile(form)).name).toBe("a.txt");
  await muster.deleteAgent({ id: agent.id });
  const gone = muster.getAgent({ id: agent.id });
  await expect(gone).rejects.toMatchObject({ name: "MusterError", code: "not_found", status: 404 });
  await expect(gone).rejects.toMatchObject({ requestId: expect.stringMatching(/^req_/) });
  await expect(muster.createAgent({ name: "", model: MODEL })).rejects.toMatchObject({
    code: "bad_request",
    details: [{ path: "name" }],
  });
});

verifies("client.pages", "a page leads to all following pages", async () => {
  const muster = createClient(options);
  for (const name of ["P1", "P2", "P3"]) await muster.createAgent({ name, model: MODEL });
  for (const name of ["V1", "V2", "V3"]) await muster.createVoiceProfile({ name });
  const page = await muster.listAgents({ limit: 2 });
  expect([page.items.length, page.hasMore]).toEqual([2, true]);
  const names = (await all(page)).map(({ name }) => name);
  expect(names.filter((name) => /^P\d$/.test(name))).toEqual(["P3", "P2", "P1"]);
  const voices = await all(await muster.listVoiceProfiles({ limit: 2 }));
  expect(voices.map(({ name }) => name)).toEqual(["V3", "V2", "V1"]);
  const runs = await muster.listRuns({ limit: 1 });
  expect(runs.items.length).toBeLessThanOrEqual(1);
});

verifies("client.streams", "a stream that is cut repeatedly gives every event once", async () => {
  const muster = createClient(options);
  const agent = await muster.createAgent({ name: "Streamed", model: MODEL });
  const task = await muster.createTask({ title: "T", description: `[[slow:5]] ${WORDS}`, assigned_agent_id: agent.id });
  const of = { agentId: agent.id, taskId: task.id };
  const failures: string[] = [];
  const broken = createClient({ ...options, fetch: cutting(3) });
  const seen = await all(broken.streamTask(of, { onReconnect: ({ code }) => void failures.push(code) }));
  const whole = await all(muster.streamTask(of));
  expect(seen).toEqual(whole);
  expect(seen.at(-1)?.event.type).toBe("RUN_FINISHED");
  expect(failures.length).toBeGreaterThan(0);
  const [, , third] = whole;
  const rest = await all(muster.streamTask(of, { lastEventId: third?.id ?? "" }));
  expect(rest).toEqual(whole.slice(3));
  expect(await all(muster.streamTask(of, { lastEventId: whole.at(-1)?.id ?? "" }))).toEqual([]);
});

verifies("client.streams", "a stream ends by its signal, and with the rejection of the service", async () => {
  const muster = createClient(options);
  const agent = await muster.createAgent({ name: "Waiting", model: MODEL });
  const task = await muster.createTask({ title: "T", description: "[[slow:60000]] x", assigned_agent_id: agent.id });
  const stop = new AbortController();
  const seen: StreamedEvent[] = [];
  const reading = (async () => {
    for await (const one of muster.streamTask({ agentId: agent.id, taskId: task.id }, { signal: stop.signal })) {
      seen.push(one);
      stop.abort(new Error("enough"));
    }
  })();
  await expect(reading).rejects.toThrow("enough");
  expect(seen).toHaveLength(1);
  await muster.updateTask({ id: task.id }, { status: "cancelled" });
  const unknown = muster.streamTask({ agentId: agent.id, taskId: "01940000-0000-7000-8000-000000000000" });
  await expect(all(unknown)).rejects.toMatchObject({ status: 404 });
});

verifies("client.retries", "a POST is retried under one key; other writes are not retried", async () => {
  let failuresLeft = 2;
  const flaky = await startFakeServer(({ method, headers }, response) => {
    if (failuresLeft-- > 0) return response.destroy();
    answerJson(response, { method, key: headers["idempotency-key"] ?? null });
  });
  const muster = createClient({ url: flaky.url, key: "mst_x" });
  await muster.createTask({ title: "T" });
  const keys = flaky.seen.map(({ headers }) => headers["idempotency-key"]);
  expect([keys.length, new Set(keys).size]).toEqual([3, 1]);
  failuresLeft = 1;
  await expect(muster.updateTask({ id: "x" }, { title: "U" })).rejects.toBeInstanceOf(MusterError);
  await muster.createTask({ title: "T" }, { idempotencyKey: "mine" });
  expect(flaky.seen.at(-1)?.headers["idempotency-key"]).toBe("mine");
  await flaky.close();
  await expect(createClient({ url: flaky.url, key: "mst_x", retries: 0 }).getIdentity()).rejects.toMatchObject({
    code: "network_error",
    status: undefined,
  });
});

verifies("client.retries", "a request over the rate limit is retried after the requested pause", async () => {
  let isLimited = true;
  const times: number[] = [];
  const limited = await startFakeServer((_, response) => {
    times.push(performance.now());
    if (!isLimited) return answerJson(response, {});
    isLimited = false;
    const error = { code: "rate_limit_exceeded", message: "Too many." };
    response.writeHead(429, { "Retry-After": "1", "Content-Type": "application/json" }).end(JSON.stringify({ error }));
  });
  await createClient({ url: limited.url, key: "mst_x" }).updateTask({ id: "x" }, { title: "U" });
  const [first = 0, second = 0] = times;
  expect([times.length, second - first >= 990]).toEqual([2, true]);
  await limited.close();
});

verifies(
  "client.readme",
  "the examples of its README run",
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "muster-client-"));
    const source = (name: string) => JSON.stringify(join(CLIENT, `src/${name}.ts`));
    const readme = readFileSync(join(CLIENT, "README.md"), "utf8");
    const blocks = [...readme.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, text = ""]) => text);
    const outputs = [];
    for (const [index, text] of blocks.entries()) {
      const path = join(folder, `example-${index}.mts`);
      writeFileSync(
        path,
        text
          .replaceAll('"muster-client"', source("index"))
          .replaceAll('"muster-client/operations"', source("operations")),
      );
      const env = { ...process.env, MUSTER_URL: service.url, MUSTER_API_KEY: service.keys.api };
      outputs.push((await promisify(execFile)(process.execPath, [path], { env })).stdout);
    }
    rmSync(folder, { recursive: true });
    expect(outputs).toEqual([
      expect.stringMatching(/\n completed\n$/),
      "Small\n",
      expect.stringContaining("Researcher"),
      "bad_request name\n",
    ]);
  },
  { tags: "slow" },
);

/** A fetch whose streams break after a number of pieces. */
function cutting(pieces: number): typeof fetch {
  return async (input, init) => {
    const response = await fetch(input, init);
    if (!response.headers.get("Content-Type")?.startsWith("text/event-stream")) return response;
    let left = pieces;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        controller.enqueue(chunk);
        if (--left <= 0) controller.error(new Error("cut"));
      },
    });
    return new Response(response.body?.pipeThrough(cut) ?? null, {
      status: response.status,
      headers: response.headers,
    });
  };
}

async function all<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const read: Item[] = [];
  for await (const item of items) read.push(item);
  return read;
}
