import { beforeAll, expect } from "vitest";
import { postAuth } from "../../support/accounts.ts";
import { apiOf, consoleOf } from "../../support/api.ts";
import { callOf } from "../../support/interactions.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import type { Ended } from "../../support/muster.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";

const TITLE = "Publish it?";

let service: SharedService;
let taskId: string;

beforeAll(async () => {
  service = await useSharedService();
  const api = apiOf(service, service.keys.api);
  const agent = await createAgent(api, { tools: ["request_approval"] });
  const description = callOf("request_approval", { title: TITLE, timeoutMs: 600_000 });
  taskId = (await createTask(api, { title: "Release", description, assigned_agent_id: agent.id })).id;
  await taskIn(api, taskId, "waiting_for_input");
});

function muster(...args: readonly string[]): Promise<Ended> {
  return runMuster(args, { env: environmentOf(service) });
}

async function succeed(...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await muster(...args);
  expect({ args, code, stderr }).toMatchObject({ code: 0 });
  return stdout.trimEnd();
}

verifies("cli.questions", "questions are listed and shared as links, which are listed and revoked", async () => {
  const [headings, line = ""] = (await succeed("questions", "list")).split("\n");
  expect(headings).toMatch(/^ID +QUESTION +ASKED BY +ASKED +EXPIRES$/);
  expect(line).toMatch(/ Publish it\? +task Release +\d{4}-/);
  expect(await succeed("questions", "get", TITLE)).toContain(`Answer it: muster tasks answer ${taskId} --approve`);

  const refused = await muster("questions", "link", TITLE);
  expect([refused.code, refused.stderr]).toEqual([4, expect.stringContaining("An admin can allow them")]);
  expect(refused.stderr).not.toContain("scope");
  const desk = consoleOf(service, service.keys.api);
  expect((await desk.patch("/workspace", { answer_links: true })).status).toBe(200);

  const made = await muster("questions", "link", TITLE);
  expect(made.stderr).toMatch(/Copy the link now; it won't be shown again\. It expires \d{4}-/);
  const token = new URL(made.stdout.trim()).hash.replace("#token=", "");
  expect((await postAuth(service, "answer-link", { token })).status).toBe(200);
  const listed = (await succeed("questions", "links", "--question", TITLE)).split("\n");
  expect(listed[0]).toMatch(/^ID +STATE +QUESTION +CREATED BY +CREATED +EXPIRES$/);
  expect(listed[1]).toMatch(/ open +Publish it\? /);
  expect(listed.join("\n")).not.toContain(token);

  const [id = ""] = listed[1]?.split(" ") ?? [];
  expect(await succeed("questions", "revoke", id, "--yes")).toBe(`Revoked answer link ${id}`);
  expect((await postAuth(service, "answer-link", { token })).status).toBe(404);
  expect(await succeed("questions", "links")).toMatch(new RegExp(`^${id} +revoked `, "m"));
  const unknown = await muster("questions", "link", "Publish?");
  expect([unknown.code, unknown.stderr]).toEqual([2, expect.stringContaining('Did you mean "Publish it?"')]);
});

verifies("cli.questions", "an answered question is shown with its answer", async () => {
  const [question = ""] = (await succeed("questions", "list")).split("\n")[1]?.split(" ") ?? [];
  await succeed("tasks", "answer", taskId, "--approve");
  expect((await muster("questions", "list")).stderr).toContain("No open questions.");
  expect(await succeed("questions", "list", "--state", "answered")).toContain(TITLE);
  expect(await succeed("questions", "get", question)).toMatch(/^answer +\{"approved":true\}$/m);
});
