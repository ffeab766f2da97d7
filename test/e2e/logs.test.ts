import { expect } from "vitest";
import { z } from "zod";
import { apiOf } from "../support/api.ts";
import { createDatabase, startService } from "../support/service.ts";
import { verifies } from "../support/verifies.ts";

verifies(
  ["operations.logs.request", "operations.logs.no-secrets", "keys.never-logged"],
  "each request is logged with method, path, status, duration and id, and no credential is",
  async () => {
    const own = await createDatabase();
    const env = { LOG_LEVEL: "trace", MUSTER_INIT_PASSWORD: "correct horse", OPENAI_API_KEY: "sk-instance-secret" };
    const service = await startService({ databaseUrl: own.url, env });
    const api = apiOf(service, service.keys.api);
    const good = await api.get("/api-me?with=query");
    const bad = await apiOf(service, "mst_wrong-key-0123456789").get("/api-agents");
    await service.stop();
    await own.drop();

    const { stdout, stderr } = service.output();
    const lines = stderr
      .trim()
      .split("\n")
      .map((line) => logLine.parse(JSON.parse(line)));
    const requests = lines.filter(({ msg }) => msg === "request");
    const expected = { method: "GET", duration_ms: expect.any(Number) };
    expect(requests).toMatchObject([
      { ...expected, path: "/functions/v1/api-me", status: 200, request_id: good.headers.get("x-request-id") },
      { ...expected, path: "/functions/v1/api-agents", status: 401, request_id: bad.headers.get("x-request-id") },
    ]);
    const secrets = [...Object.values(service.keys), "correct horse", "sk-instance-secret", "wrong-key-0123456789"];
    for (const secret of secrets) expect(stdout + stderr).not.toContain(secret);
  },
  { tags: "slow" },
);

verifies("operations.logs.probes", "requests of probes are not logged at the level info, all others are", async () => {
  const own = await createDatabase();
  const service = await startService({ databaseUrl: own.url, env: { LOG_LEVEL: "info" } });
  const paths = ["/healthz", "/readyz", "/version"];
  for (const path of paths) expect((await fetch(`${service.url}${path}`)).status).toBe(200);
  await service.stop();
  await own.drop();
  const { stderr } = service.output();
  expect(stderr).toContain('"path":"/version"');
  for (const path of ["/healthz", "/readyz"]) expect(stderr).not.toContain(`"path":"${path}"`);
});

const logLine = z.looseObject({ msg: z.string() });
