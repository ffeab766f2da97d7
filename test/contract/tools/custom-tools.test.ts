import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { apiOf, consoleOf, fieldsOf, idsOf, refusal } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { ANY_TOOL, createTool } from "../../support/custom-tools.ts";
import { CITY, SECRET, openToolScene } from "../../support/tool-scene.ts";
import type { ToolScene } from "../../support/tool-scene.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";
import { addMember, addWorkspace, sql } from "../../support/workspace.ts";

let scene: ToolScene;

beforeAll(async () => {
  scene = await openToolScene();
});
afterAll(() => scene.close());
const UNKNOWN = "01900000-0000-7000-8000-000000000000";

verifies(
  ["tools.custom.crud", "tools.custom.secret-headers"],
  "a tool is created, read, changed and deleted",
  async () => {
    const headers = { Authorization: SECRET, "X-Short": "abc" };
    const created = await scene.console.post("/tools", { ...ANY_TOOL, name: "weather", parameters: CITY, headers });
    expect(created.status).toBe(201);
    const tool = fieldsOf(created);
    expect(tool).toMatchObject({
      ...ANY_TOOL,
      name: "weather",
      parameters: CITY,
      method: "POST",
      headers: { Authorization: "••••4711", "X-Short": "••••" },
      timeout_ms: 30_000,
    });
    const path = `/tools/${String(tool["id"])}`;
    expect(fieldsOf(await scene.console.get(path))).toEqual(tool);
    expect(idsOf(await scene.console.get("/tools"))).toContain(tool["id"]);

    const back = await scene.console.patch(path, { ...tool, url: `${scene.endpoint.url}/echo` });
    expect(fieldsOf(back)).toMatchObject({ headers: { Authorization: "••••4711", "X-Short": "••••" } });
    const sent = fieldsOf(await scene.console.post(`${path}/test`, { arguments: { city: "Bonn" } }));
    expect(scene.endpoint.seen.at(-1)?.headers).toMatchObject({ authorization: SECRET, "x-short": "abc" });
    const [row] = await sql(scene.service.databaseUrl, "select t::text as row from custom_tools t where id = $1", [
      tool["id"],
    ]);
    const log = await scene.console.get(`${path}/calls`);
    for (const text of [created.text, back.text, JSON.stringify(sent), JSON.stringify(row), log.text]) {
      expect(text).not.toContain("sk-of-the-tool");
    }
    const changed = await scene.console.patch(path, { headers: { "X-Other": "another secret" }, description: "New." });
    expect(fieldsOf(changed)).toMatchObject({ headers: { "X-Other": "••••cret" }, description: "New." });
    const stale = await scene.console.patch(path, { headers: { "X-Other": "••••4711" } });
    expect(refusal(stale)).toMatchObject({
      status: 400,
      message: expect.stringContaining("headers.X-Other is masked"),
    });

    expect((await scene.console.delete(path)).status).toBe(204);
    for (const gone of [
      await scene.console.get(path),
      await scene.console.delete(path),
      await scene.console.get(`${path}/calls`),
    ]) {
      expect(refusal(gone)).toMatchObject({ status: 404, message: "Tool not found" });
    }
  },
);

const WRONG = [
  [{ name: "Look Up" }, "name"],
  [{ name: "read_url" }, "name"],
  [{ name: "final_answer" }, "name"],
  [{ description: " " }, "description"],
  [{ parameters: { type: "string" } }, "parameters.type"],
  [{ parameters: { type: "object", properties: { a: { type: "nothing" } } } }, "parameters"],
  [{ parameters: { type: "object", properties: { a: { $ref: "https://elsewhere.example/" } } } }, "parameters"],
  [{ parameters: { type: "object", properties: {}, note: "x".repeat(40_000) } }, "parameters"],
  [{ url: "ftp://tools.example/" }, "url"],
  [{ url: "https://{host}/" }, "url"],
  // A model could continue the host: "tools.example" and ".evil.example".
  [{ url: "https://tools.example{city}/", parameters: CITY }, "url"],
  [{ url: "https://tools.example/{id}" }, "url"],
  [{ url: "https://user:word@tools.example/" }, "url"],
  [{ url: "http://169.254.169.254/" }, "url"],
  [{ method: "TRACE" }, "method"],
  [{ headers: { Host: "elsewhere" } }, "headers.Host"],
  [{ headers: { "X-A": "a\nb" } }, "headers.X-A"],
  [{ timeout_ms: 5 }, "timeout_ms"],
  [{ colour: "red" }, "colour"],
] as const;

verifies("tools.custom.checked", "an invalid tool is rejected with the path", async () => {
  const id = await createTool(scene.service, { name: "right" });
  for (const [fields, path] of WRONG) {
    const refused = [
      await scene.console.post("/tools", { ...ANY_TOOL, ...fields }),
      await scene.console.patch(`/tools/${id}`, fields),
    ];
    for (const answered of refused) {
      expect({ fields, ...refusal(answered) }).toMatchObject({ fields, status: 400, paths: [path] });
    }
  }
  expect(refusal(await scene.console.post("/tools", {})).paths).toEqual(["name", "description", "url"]);
  expect(refusal(await scene.console.post("/tools/nonsense/test", {})).status).toBe(400);
});

verifies("tools.custom.name-once", "a second tool of the same name is rejected", async () => {
  await createTool(scene.service, { name: "only_once" });
  const other = await createTool(scene.service, { name: "another" });
  expect(refusal(await scene.console.post("/tools", { ...ANY_TOOL, name: "only_once" }))).toMatchObject({
    status: 409,
  });
  expect(refusal(await scene.console.patch(`/tools/${other}`, { name: "only_once" }))).toMatchObject({ status: 409 });
});

verifies("tools.custom.admins", "rights depend on the role", async () => {
  const own = await scene.api.get("/api-me");
  const { workspace_id: workspaceId } = z.looseObject({ workspace_id: z.string() }).parse(own.body);
  const id = await createTool(scene.service, { name: "roles", url: `${scene.endpoint.url}/echo` });
  const as = async (role: "viewer" | "member" | "admin") => {
    const { key } = await addMember(scene.service.databaseUrl, workspaceId, role);
    return consoleOf(scene.service, key);
  };
  const statuses = async (who: Api) => [
    (await who.get(`/tools/${id}/calls`)).status,
    (await who.post(`/tools/${id}/test`, {})).status,
    (await who.patch(`/tools/${id}`, { description: "X" })).status,
  ];
  expect(await statuses(await as("viewer"))).toEqual([200, 403, 403]);
  expect(await statuses(await as("member"))).toEqual([200, 200, 403]);
  expect(await statuses(await as("admin"))).toEqual([200, 200, 200]);
});

verifies("tools.custom.foreign", "a tool of another workspace cannot be listed, read or tested", async () => {
  const id = await createTool(scene.service, { name: "ours" });
  const { key } = await addWorkspace(scene.service.databaseUrl);
  const theirs = apiOf(scene.service, key);
  const agent = await createAgent(theirs);
  for (const tool of [id, UNKNOWN]) {
    const tools = ["wait", `custom:${tool}`];
    const config = { approvers: "caller", requires_approval: [`custom:${tool}`] };
    for (const refused of [
      await theirs.post("/api-agents", { name: "A", model: "demo", tools }),
      await theirs.patch(`/api-agents?id=${agent.id}`, { tools }),
    ]) {
      expect(refusal(refused)).toMatchObject({ status: 400, paths: ["tools.1"] });
    }
    const marked = await theirs.patch(`/api-agents?id=${agent.id}`, { config });
    expect(refusal(marked)).toMatchObject({ status: 400, paths: ["config.requires_approval.0"] });
    expect(refusal(await consoleOf(scene.service, key).get(`/tools/${tool}`)).status).toBe(404);
    expect(refusal(await consoleOf(scene.service, key).post(`/tools/${tool}/test`, {})).status).toBe(404);
  }
  expect(await createTool(scene.service, { name: "ours" }, key)).toBeTruthy();
});

verifies("tools.custom.delete-used", "a tool that agents list is not deleted; the error lists the agents", async () => {
  const { id, agentId } = await scene.toolFor({}, { name: "Its user" });
  const refused = refusal(await scene.console.delete(`/tools/${id}`));
  expect(refused).toMatchObject({ status: 409, message: expect.stringContaining("Its user") });
  await scene.api.patch(`/api-agents?id=${agentId}`, { tools: [] });
  expect((await scene.console.delete(`/tools/${id}`)).status).toBe(204);
});
