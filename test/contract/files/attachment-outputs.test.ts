import { beforeAll, expect } from "vitest";
import { openDatabase } from "#db/open-database.ts";
import type { FileOwner } from "#db/queries/files/files.ts";
import { serviceIn } from "#domain/access/role.ts";
import { newId } from "#lib/ids.ts";
import { createSecretBox } from "#lib/security/secret-box.ts";
import { deliveredFiles } from "#operations/files/delivered-files.ts";
import { createFileLinks } from "#operations/files/file-links.ts";
import { fieldsOf, listOf, refusal } from "../../support/api.ts";
import { askFiles, uploadTo } from "../../support/files.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { startTask, taskEnd } from "../../support/runs.ts";
import { ENCRYPTION_KEY } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";

const NOTE = { name: "note.md", type: "text/markdown", content: "Remember the milk." };

/** Tasks of the agent begin so: it answers with a file. */
const GIVES = "give out";
/** Those that begin so are answered with a file in a result that is too long to be searched. */
const GIVES_MUCH = "give out much";
const FILLER = "x".repeat(1024 * 1024);

let scene: ScriptedWorkspace;
let agentId: string;

beforeAll(async () => {
  scene = await useScriptedService();
  agentId = (
    await scene.player(({ task, nth }, reply) => {
      if (task.startsWith(GIVES_MUCH)) for (const _ of [1, 2, 3, 4]) reply.say(`${FILLER}\n`);
      reply.say(`${nth}:\n\n\`\`\`csv report.csv\na,${nth}\n\`\`\`\n`);
      reply.finish();
    })
  ).id;
});

verifies("attachments.output.blocks", "a block with a file name is a file of the task's attempt", async () => {
  const input = await uploadTo(scene.service, NOTE);
  const id = await startTask(scene.service, agentId, { title: `${GIVES} ${newId()}`, attachments: [input.id] });
  const given = { name: "report.csv", type: "text/csv", size: 4, direction: "output" };
  const ended = await taskEnd(scene.service, id);
  expect(ended["attachments"]).toMatchObject([{ id: input.id, direction: "input" }, given]);
  const [output] = listOf(await askFiles(scene.service, `?task_id=${id}&limit=1`));
  expect(output).toMatchObject({ ...given, task_id: id, attempt: 1, created_by: null });
  const { url } = fieldsOf(await askFiles(scene.service, `/${String(output?.["id"])}`));
  const answer = await fetch(String(url));
  expect([answer.headers.get("content-type"), await answer.text()]).toEqual(["text/csv; charset=utf-8", "a,1\n"]);
  await scene.api.patch(`/api-tasks?id=${id}`, { status: "dispatched" });
  const again = await taskEnd(scene.service, id);
  expect(again["attachments"]).toMatchObject([{ id: input.id }, given]);
  expect(listOf(await askFiles(scene.service, `?task_id=${id}`)).map((file) => file["attempt"])).toEqual([2, 1, null]);
  expect(refusal(await scene.api.post("/api-tasks", { title: "No", attachments: [output?.["id"]] })).status).toBe(400);
});

verifies(
  "attachments.output.skipped",
  "a result that is too long to be searched has no files",
  async () => {
    const id = await startTask(scene.service, agentId, { title: `${GIVES_MUCH} ${newId()}` });
    expect(await taskEnd(scene.service, id)).toMatchObject({ status: "completed", attachments: [] });
    const events = await readToEnd(scene.service, { agentId, taskId: id });
    expect(events.slice(-2).map(({ event }) => event)).toMatchObject([
      { type: "CUSTOM", name: "FILES_SKIPPED", value: { message: expect.stringContaining("4194304 characters") } },
      { type: "RUN_FINISHED" },
    ]);
  },
  { tags: "slow" },
);

verifies("attachments.output.runs", "files in a team's output belong to the task that the team works on", async () => {
  const team = await createTeam(scene.api, { config: { steps: [{ agent_id: agentId }] } });
  const given = { name: "report.csv", direction: "output" };
  const run = await startRun(scene.api, team.id, `Task Title: ${GIVES} ${newId()}`);
  expect((await runIn(scene.api, run.id, "completed"))["attachments"]).toMatchObject([given]);
  expect(listOf(await askFiles(scene.service, `?run_id=${run.id}`))).toMatchObject([given]);
  const task = await createTask(scene.api, { title: `${GIVES} ${newId()}`, assigned_team_id: team.id });
  const done = await taskIn(scene.api, task.id, "completed");
  expect(done["attachments"]).toMatchObject([given]);
  const runOfTask = fieldsOf(await scene.api.get(`/api-runs?id=${String(done["team_run_id"])}`));
  expect(runOfTask["attachments"]).toEqual(done["attachments"]);
  expect(listOf(await askFiles(scene.service, `?task_id=${task.id}`))).toHaveLength(1);
});

verifies("attachments.payload", "a delivery lists the files of its attempt with working URLs", async () => {
  const note = await uploadTo(scene.service, NOTE);
  const id = await startTask(scene.service, agentId, { title: `${GIVES} ${newId()}`, attachments: [note.id] });
  const { workspace_id: workspaceId } = await taskEnd(scene.service, id);
  const db = openDatabase({ url: scene.service.databaseUrl, poolSize: 1, onIdleError: () => undefined });
  const links = createFileLinks(createSecretBox(Buffer.from(ENCRYPTION_KEY, "base64")));
  const files = async (owner: FileOwner, attempt = 1) =>
    deliveredFiles({ db, links, serviceUrl: scene.service.url }, serviceIn(String(workspaceId)), { owner, attempt });
  try {
    const [input, output, ...more] = await files({ taskId: id });
    expect(more).toEqual([]);
    const address = expect.stringMatching(/^http.*\/files\/.*\?expires=\d+&signature=/);
    expect(input).toEqual({ name: "note.md", type: "text/markdown", size: 18, url: address, direction: "input" });
    expect(output).toMatchObject({ name: "report.csv", url: address, direction: "output" });
    expect(await (await fetch(output?.url ?? "")).text()).toBe("a,1\n");
    expect(await files({ taskId: id }, 2)).toHaveLength(1);
    expect(await files({ runId: id })).toEqual([]);
  } finally {
    await db.close();
  }
});
