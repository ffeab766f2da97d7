import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { consoleOf, fieldsOf, listOf, refusal } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { askFiles, uploadTo } from "../../support/files.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { createTeam, runIn } from "../../support/teams.ts";
import { asked } from "../../support/scripted-provider.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";

const NOTE = { name: "note.md", type: "text/markdown", content: "Remember the milk." };

let scene: ScriptedWorkspace;
let agentId: string;

beforeAll(async () => {
  scene = await useScriptedService();
  agentId = await openAiAgent(scene.service);
});

verifies(
  [
    "tasks.create.attachments",
    "tasks.prompt.attached-files",
    "attachments.task.link",
    "attachments.task.record",
    "attachments.prompt.text",
  ],
  "a task is created with files, shows them, and its model reads them after the description",
  async () => {
    const [first, second] = [
      await uploadTo(scene.service, NOTE),
      await uploadTo(scene.service, { ...NOTE, name: "b.csv", type: "text/csv", content: "a,b\n1,2" }),
    ];
    const title = newId();
    const id = await startTask(scene.service, agentId, {
      title,
      description: "Sum up.",
      attachments: [second.id, first.id],
    });
    const task = fieldsOf(await scene.api.get(`/api-tasks?id=${id}`));
    expect(task["attachments"]).toEqual([
      { id: first.id, name: "note.md", type: "text/markdown", size: 18, direction: "input" },
      { id: second.id, name: "b.csv", type: "text/csv", size: 7, direction: "input" },
    ]);
    await taskEnd(scene.service, id);
    expect(asked(scene.provider.callsOf(title)[0])).toBe(
      [
        `Task Title: ${title}`,
        "Task Description:\nSum up.",
        "Attached Files:",
        '<file name="note.md" type="text/markdown">\nRemember the milk.\n</file>',
        '<file name="b.csv" type="text/csv">\na,b\n1,2\n</file>',
      ].join("\n\n"),
    );
    expect(fieldsOf(await askFiles(scene.service, `/${first.id}`))).toMatchObject({ task_id: id, run_id: null });
    expect(listOf(await askFiles(scene.service, `?task_id=${id}`)).map((file) => file["id"])).toEqual([
      second.id,
      first.id,
    ]);
    const back = await scene.api.patch(`/api-tasks?id=${id}`, {
      ...fieldsOf(await scene.api.get(`/api-tasks?id=${id}`)),
      status: "dispatched",
    });
    expect(back.status).toBe(200);
    await taskEnd(scene.service, id);
    expect(asked(scene.provider.callsOf(title)[1])).toBe(asked(scene.provider.callsOf(title)[0]));
  },
);

verifies("attachments.task.refused", "an unknown or already used file creates no task", async () => {
  const used = await uploadTo(scene.service, NOTE);
  const task = await createTask(scene.api, { attachments: [used.id] });
  const free = await uploadTo(scene.service, NOTE);
  const before = listOf(await scene.api.get("/api-tasks")).length;
  for (const [attachments, paths] of [
    [[newId()], ["attachments.0"]],
    [[free.id, used.id], ["attachments.1"]],
    [[free.id, free.id], ["attachments"]],
    [["x"], ["attachments.0"]],
    [Array.from({ length: 21 }, () => newId()), ["attachments"]],
  ] as const) {
    expect(refusal(await scene.api.post("/api-tasks", { title: "No", attachments }))).toMatchObject({
      status: 400,
      paths,
    });
  }
  expect(
    refusal(
      await scene.api.post("/api-runs", {
        team_id: (await createTeam(scene.api)).id,
        input_task: "No",
        attachments: [used.id],
      }),
    ),
  ).toMatchObject({ status: 400 });
  expect(listOf(await scene.api.get("/api-tasks"))).toHaveLength(before);
  expect(fieldsOf(await askFiles(scene.service, `/${free.id}`))["task_id"]).toBeNull();
  const races = await Promise.all(
    [1, 2, 3].map(() => scene.api.post("/api-tasks", { title: "Race", attachments: [free.id] })),
  );
  expect(races.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(fieldsOf(await scene.api.get(`/api-tasks?id=${task.id}`))["attachments"]).toHaveLength(1);
});

verifies("attachments.forks", "a fork has copies of the run's files", async () => {
  const note = await uploadTo(scene.service, NOTE);
  const config = { steps: [{ agent_id: agentId }, { agent_id: agentId }] };
  const team = await createTeam(scene.api, { config });
  const title = newId();
  const task = await createTask(scene.api, { title, assigned_team_id: team.id, attachments: [note.id] });
  const done = await taskIn(scene.api, task.id, "completed");
  const path = `/runs/${String(done["team_run_id"])}/fork`;
  const forked = fieldsOf(await consoleOf(scene.service, scene.service.keys.api).post(path, { from_step: 1 }));
  const [copy] = z.array(z.looseObject({ id: z.uuid() })).parse(forked["attachments"]);
  expect(copy).toMatchObject({ name: "note.md", direction: "input" });
  expect(copy?.id).not.toBe(note.id);
  await runIn(scene.api, String(forked["id"]), "completed");
  expect(asked(scene.provider.callsOf(title)[2])).toContain("Remember the milk.");
  await scene.api.delete(`/api-tasks?id=${task.id}`);
  const { url } = fieldsOf(await askFiles(scene.service, `/${copy?.id}`));
  expect(await (await fetch(String(url))).text()).toBe("Remember the milk.");
});

verifies("attachments.removed", "files are deleted with their task, and kept while it is in progress", async () => {
  const file = await uploadTo(scene.service, NOTE);
  const agent = await createAgent(scene.api);
  const task = await createTask(scene.api, {
    assigned_agent_id: agent.id,
    description: '[[tool:wait {"seconds":60}]]',
    attachments: [file.id],
  });
  await taskIn(scene.api, task.id, "running");
  const busy = refusal(await askFiles(scene.service, `/${file.id}`, "DELETE"));
  expect(busy).toMatchObject({ status: 409, message: expect.stringContaining("running") });
  expect((await scene.api.delete(`/api-tasks?id=${task.id}`)).status).toBe(204);
  expect((await askFiles(scene.service, `/${file.id}`)).status).toBe(404);
  await eventually("the content is gone", async () => (await fetch(file.url)).status === 404);
});
