import { spawnSync } from "node:child_process";
import { afterAll, beforeAll, expect } from "vitest";
import packageFile from "../../../package.json" with { type: "json" };
import { apiOf, refusal, send } from "../../support/api.ts";
import { startProcess, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { eventually } from "../../support/eventually.ts";
import { setStatus, taskEnd } from "../../support/runs.ts";
import { readStream } from "../../support/sse-client.ts";
import { createAgent, createTask } from "../../support/work.ts";
import { verifies } from "../../support/verifies.ts";

const METRICS = /Metrics are at (\S+)\n/;

let service: TestService;

beforeAll(async () => {
  service = await startProcess({ env: { OPS_PORT: "0", LOG_LEVEL: "info" } });
  const api = apiOf(service, service.keys.api);
  const { id } = await createAgent(api);
  const task = await createTask(api, { assigned_agent_id: id, description: "[[say:done]]" });
  await taskEnd(service, task.id);
});

afterAll(() => service.stop());

verifies(["operations.version", "operations.version.commit"], "the version is returned without a key", async () => {
  const response = await fetch(`${service.url}/version`);
  expect(await response.json()).toEqual({ name: "muster", version: expectedVersion() });
  const command = await runMuster(["--version"], { env: environmentOf(service) });
  expect(command.stdout).toBe(`${expectedVersion()}\n`);
  const [, metrics = ""] = METRICS.exec(service.output().stdout) ?? [];
  expect(await (await fetch(metrics)).text()).toContain(`muster_info{version="${expectedVersion()}"} 1`);
});

/** The release, and the commit when the tests run in a checkout. */
function expectedVersion(): string {
  const { status, stdout } = spawnSync("git", ["rev-parse", "HEAD"], { cwd: import.meta.dirname, encoding: "utf8" });
  return status === 0 ? `${packageFile.version}+${stdout.slice(0, 7)}` : packageFile.version;
}

verifies("operations.reference-page", "the API reference is a page that loads nothing from elsewhere", async () => {
  const page = await fetch(`${service.url}/docs`);
  const html = await page.text();
  expect(page.headers.get("content-type")).toContain("text/html");
  expect(page.headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
  const files = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = ""]) => path);
  expect(files).toHaveLength(4);
  for (const path of files) {
    const { status, headers } = await fetch(new URL(path, service.url));
    const type = headers.get("content-type") ?? "";
    expect({ path, status, type, encoding: headers.get("content-encoding") }).toMatchObject({
      status: 200,
      type: expect.stringMatching(/^(text\/(css|javascript)|image\/png)/),
      encoding: type.startsWith("text/") ? "gzip" : null,
    });
  }
  expect((await fetch(`${service.url}/docs/package.json`)).status).toBe(404);
  expect((await fetch(`${service.url}/docs/`)).status).toBe(200);
  expect(await (await fetch(service.url)).json()).toMatchObject({ name: "muster" });
  const headers = { "X-API-Key": service.keys.api };
  const inPath = await fetch(`${service.url}/functions/v1/api-agents/7`, { headers });
  expect(await inPath.text()).toContain("Give the id in the query: /functions/v1/api-agents?id=…");
  for (const [wrong, meant] of [
    ["/functions/v1/api-agent", "/functions/v1/api-agents"],
    ["/functions/v1/agents", "/functions/v1/api-agents"],
    ["/api-tasks", "/functions/v1/api-tasks"],
    ["/health", "/healthz"],
  ] as const) {
    const answer = await send("GET", `${service.url}${wrong}`, { headers });
    expect(refusal(answer).message).toBe(`Not found: ${wrong}. Did you mean ${meant}?`);
  }
  const withId = await send("GET", `${service.url}/console/api/tasks/7`, { headers });
  expect(refusal(withId).message).toBe("Not found: /console/api/tasks/7");
});

verifies("operations.metrics", "OPS_PORT serves metrics in Prometheus's format, on a port of its own", async () => {
  const [, url = ""] = METRICS.exec(service.output().stdout) ?? [];
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:/);
  const response = await fetch(url);
  const text = await response.text();
  expect(response.headers.get("content-type")).toContain("text/plain");
  for (const line of [
    /^muster_info\{version="[^"]+"\} 1$/m,
    /^muster_job_executions_started_total\{kind="task"\} 1$/m,
    /^muster_job_start_delay_seconds_count\{kind="task"\} 1$/m,
    /^muster_job_execution_seconds_count\{kind="task",outcome="done"\} 1$/m,
    /^muster_provider_call_seconds_count\{provider="demo",outcome="ok"\} 1$/m,
    /^muster_http_request_seconds_count\{method="POST",route="\/functions\/v1\/api-tasks",status="201"\} 1$/m,
    /^muster_database_connections\{pool="requests",state="idle"\} \d+$/m,
    /^muster_open_streams \d+$/m,
    /^muster_active_jobs \d+$/m,
  ]) {
    expect(text).toMatch(line);
  }
  const undocumented = [...text.matchAll(/^# TYPE (\S+)/gm)].filter(([, name]) => !text.includes(`# HELP ${name} `));
  expect(undocumented).toEqual([]);
  // What "promtool check metrics" of Prometheus rejects; where it is installed, it decides itself.
  const types = [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => ({ name, type }));
  const misnamed = types.filter(
    ({ name, type }) =>
      (type !== "counter" && name.endsWith("_total")) || /_(histogram|summary|gauge|counter)$/.test(name),
  );
  expect(misnamed).toEqual([]);
  const promtool = spawnSync("promtool", ["check", "metrics"], { input: text, encoding: "utf8" });
  if (promtool.error === undefined) expect(promtool).toMatchObject({ status: 0, stderr: "" });
  expect((await fetch(`${service.url}/metrics`)).status).toBe(404);
});

verifies(
  "operations.metrics",
  "a model call that a cancel aborts does not count as an error of its provider",
  async () => {
    const [, url = ""] = METRICS.exec(service.output().stdout) ?? [];
    const api = apiOf(service, service.keys.api);
    const { id: agentId } = await createAgent(api);
    const { id } = await createTask(api, { assigned_agent_id: agentId, description: "[[words:500]] [[slow:100]]" });
    const reader = await readStream(service, { agentId, taskId: id });
    await reader.until((events) => events.some(({ event }) => event.type === "TEXT_MESSAGE_CONTENT"));
    await setStatus(service, id, "cancelled");
    const outcomes = await eventually("the aborted call is counted", async () => {
      const text = await (await fetch(url)).text();
      const found = [...text.matchAll(/^muster_provider_call_seconds_count\{.*outcome="(\w+)"\} (\d+)$/gm)];
      return found.length > 1 && found.map(([, outcome, calls]) => `${outcome} ${calls}`);
    });
    expect(outcomes.sort()).toEqual(["aborted 1", "ok 1"]);
  },
);

verifies("operations.log", "the log has JSON lines with names of levels, ISO times, and the life of each job", () => {
  const lines = service
    .output()
    .stderr.trim()
    .split("\n")
    .map((line): unknown => JSON.parse(line));
  const time: unknown = expect.stringMatching(/^\d{4}-.*Z$/);
  expect(lines).toContainEqual(expect.objectContaining({ level: "info", time, msg: "schema is up to date" }));
  expect(lines).toContainEqual(expect.objectContaining({ kind: "task", attempt: 1, msg: "job started" }));
  expect(lines).toContainEqual(
    expect.objectContaining({ kind: "task", outcome: "done", duration_ms: expect.any(Number) }),
  );
});

verifies("attachments.storage.checked", "a bucket that rejects the key is reported at the start", async () => {
  await expect(
    startService({
      env: {
        S3_BUCKET: "b",
        S3_ENDPOINT: service.url,
        S3_ACCESS_KEY_ID: "wrong",
        S3_SECRET_ACCESS_KEY: "wrong",
      },
    }),
  ).rejects.toThrow(/S3_BUCKET: .*put, get and delete/);
});
