import { rm } from "node:fs/promises";
import { afterAll, beforeAll, expect } from "vitest";
import { z } from "zod";
import { openDatabase } from "#db/open-database.ts";
import type { FileOwner } from "#db/queries/files/files.ts";
import { serviceIn } from "#domain/access/role.ts";
import { newId } from "#lib/ids.ts";
import { createSecretBox } from "#lib/security/secret-box.ts";
import { deliveredFiles } from "#operations/files/delivered-files.ts";
import { createFileLinks } from "#operations/files/file-links.ts";
import { apiOf, consoleOf, fieldsOf, listOf, refusal, send } from "../../support/api.ts";
import type { Api } from "../../support/api.ts";
import { ENCRYPTED, pdfDocument, wordDocument } from "../../support/documents.ts";
import { eventually } from "../../support/eventually.ts";
import { PIXEL, askFiles, uploadTo } from "../../support/files.ts";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { startScriptedProvider } from "../../support/scripted-provider.ts";
import type { ScriptedProvider, ProviderCall } from "../../support/scripted-provider.ts";
import { ENCRYPTION_KEY, startService } from "../../support/service.ts";
import type { TestService } from "../../support/service.ts";
import { readToEnd } from "../../support/sse-client.ts";
import { createTeam, runIn, startRun } from "../../support/teams.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent, createTask, taskIn } from "../../support/work.ts";

const NOTE = { name: "note.md", type: "text/markdown", content: "Remember the milk." };
const PICTURE = { name: "dot.png", type: "image/png", content: PIXEL };
/** Each document is read by its own process, which is slow on a busy machine. */
const SLOW = 40_000;
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
/** Tasks that begin so are answered with a file. */
const GIVES = "give out";
/** Those that begin so are answered with a file in a result that is too long to be searched. */
const GIVES_MUCH = "give out much";
const FILLER = "x".repeat(1024 * 1024);

let provider: ScriptedProvider;
let service: TestService;
let api: Api;
let agentId: string;

beforeAll(async () => {
  provider = await startScriptedProvider(({ task, nth }, reply) => {
    if (task.startsWith(GIVES_MUCH)) for (const _ of [1, 2, 3, 4]) reply.say(`${FILLER}\n`);
    reply.say(task.startsWith(GIVES) ? `${nth}:\n\n\`\`\`csv report.csv\na,${nth}\n\`\`\`\n` : "Seen.");
    reply.finish();
  });
  service = await startService({
    env: {
      ...provider.env,
      OPENAI_COMPATIBLE_BASE_URL: provider.baseUrl,
    },
  });
  api = apiOf(service, service.keys.api);
  agentId = await openAiAgent(service);
});
afterAll(async () => {
  await service.stop();
  await provider.close();
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
      await uploadTo(service, NOTE),
      await uploadTo(service, { ...NOTE, name: "b.csv", type: "text/csv", content: "a,b\n1,2" }),
    ];
    const title = newId();
    const id = await startTask(service, agentId, { title, description: "Sum up.", attachments: [second.id, first.id] });
    const task = fieldsOf(await api.get(`/api-tasks?id=${id}`));
    expect(task["attachments"]).toEqual([
      { id: first.id, name: "note.md", type: "text/markdown", size: 18, direction: "input" },
      { id: second.id, name: "b.csv", type: "text/csv", size: 7, direction: "input" },
    ]);
    await taskEnd(service, id);
    expect(asked(provider.callsOf(title)[0])).toBe(
      [
        `Task Title: ${title}`,
        "Task Description:\nSum up.",
        "Attached Files:",
        '<file name="note.md" type="text/markdown">\nRemember the milk.\n</file>',
        '<file name="b.csv" type="text/csv">\na,b\n1,2\n</file>',
      ].join("\n\n"),
    );
    expect(fieldsOf(await askFiles(service, `/${first.id}`))).toMatchObject({ task_id: id, run_id: null });
    expect(listOf(await askFiles(service, `?task_id=${id}`)).map((file) => file["id"])).toEqual([second.id, first.id]);
    const back = await api.patch(`/api-tasks?id=${id}`, {
      ...fieldsOf(await api.get(`/api-tasks?id=${id}`)),
      status: "dispatched",
    });
    expect(back.status).toBe(200);
    await taskEnd(service, id);
    expect(asked(provider.callsOf(title)[1])).toBe(asked(provider.callsOf(title)[0]));
  },
);

verifies("attachments.task.refused", "an unknown or already used file creates no task", async () => {
  const used = await uploadTo(service, NOTE);
  const task = await createTask(api, { attachments: [used.id] });
  const free = await uploadTo(service, NOTE);
  const before = listOf(await api.get("/api-tasks")).length;
  for (const [attachments, paths] of [
    [[newId()], ["attachments.0"]],
    [[free.id, used.id], ["attachments.1"]],
    [[free.id, free.id], ["attachments"]],
    [["x"], ["attachments.0"]],
    [Array.from({ length: 21 }, () => newId()), ["attachments"]],
  ] as const) {
    expect(refusal(await api.post("/api-tasks", { title: "No", attachments }))).toMatchObject({ status: 400, paths });
  }
  expect(
    refusal(
      await api.post("/api-runs", { team_id: (await createTeam(api)).id, input_task: "No", attachments: [used.id] }),
    ),
  ).toMatchObject({ status: 400 });
  expect(listOf(await api.get("/api-tasks"))).toHaveLength(before);
  expect(fieldsOf(await askFiles(service, `/${free.id}`))["task_id"]).toBeNull();
  const races = await Promise.all(
    [1, 2, 3].map(() => api.post("/api-tasks", { title: "Race", attachments: [free.id] })),
  );
  expect(races.filter(({ status }) => status === 201)).toHaveLength(1);
  expect(fieldsOf(await api.get(`/api-tasks?id=${task.id}`))["attachments"]).toHaveLength(1);
});

verifies("attachments.prompt.images", "a model with vision gets images; for others the prompt names them", async () => {
  for (const [model, kind, config, shown] of [
    ["gpt-4o", "openai", {}, true],
    ["gpt-3.5-turbo", "openai", {}, false],
    ["house-model", "openai-compatible", {}, false],
    ["house-model", "openai-compatible", { vision: true }, true],
  ] as const) {
    const picture = await uploadTo(service, PICTURE);
    const title = newId();
    const agent = await openAiAgent(service, { model, provider: kind, config });
    await taskEnd(service, await startTask(service, agent, { title, attachments: [picture.id] }));
    const [call] = provider.callsOf(title);
    expect(call?.images).toEqual(shown ? [`data:image/png;base64,${PIXEL.toString("base64")}`] : []);
    expect(asked(call)).toContain('<file name="dot.png" type="image/png">');
    const note = `${model} cannot see images, so these were left out: dot.png.`;
    expect(asked(call).includes(note)).toBe(!shown);
  }
});

verifies(
  "attachments.prompt.documents",
  "the prompt contains the text of documents, and the name of one that cannot be read",
  async () => {
    const pdf = { name: "a.pdf", type: "application/pdf", content: pdfDocument(["Remember the milk."]) };
    const word = { name: "b.docx", type: DOCX, content: wordDocument(["First the bread.", "Then the butter."]) };
    const locked = { name: "c.pdf", type: "application/pdf", content: pdfDocument(["Secret"], ENCRYPTED) };
    const attachments: string[] = [];
    for (const file of [pdf, word, locked]) attachments.push((await uploadTo(service, file)).id);
    const title = newId();
    await startTask(service, agentId, { title, attachments });
    await eventually("the call of the model", () => provider.callsOf(title)[0], SLOW);
    const text = asked(provider.callsOf(title)[0]);
    expect(text).toContain('<file name="a.pdf" type="application/pdf">\nRemember the milk.\n</file>');
    expect(text).toContain("\nFirst the bread.\n\nThen the butter.\n</file>");
    expect(text).toMatch(/<file name="c.pdf" type="application\/pdf">Its text cannot be read\. .+<\/file>/);
    expect(text).not.toContain("Secret");
  },
  SLOW,
);

verifies("attachments.prompt.cut", "a long file is cut, and the prompt marks it", async () => {
  const long = await uploadTo(service, { ...NOTE, content: "x".repeat(100_001) });
  const title = newId();
  await taskEnd(service, await startTask(service, agentId, { title, attachments: [long.id] }));
  const text = asked(provider.callsOf(title)[0]);
  expect(text).toContain(`${"x".repeat(100_000)}\n[Cut here: this is the beginning of 100001 characters.]`);
});

verifies(
  ["attachments.runs.link", "attachments.prompt.runs"],
  "every turn of a team run gets its files, also those of its task",
  async () => {
    const [one, two] = [await openAiAgent(service), await openAiAgent(service)];
    const team = await createTeam(api, { config: { steps: [{ agent_id: one }, { agent_id: two }] } });
    const [note, picture, other] = [
      await uploadTo(service, NOTE),
      await uploadTo(service, PICTURE),
      await uploadTo(service, NOTE),
    ];
    const work = newId();
    const started = await api.post("/api-runs", {
      team_id: team.id,
      input_task: `Task Title: ${work}`,
      attachments: [note.id, picture.id],
    });
    expect(started.status).toBe(201);
    const { id } = z.looseObject({ id: z.uuid() }).parse(started.body);
    await runIn(api, id, "completed");
    const calls = provider.callsOf(work);
    expect(calls).toHaveLength(2);
    for (const call of calls) {
      expect(asked(call)).toContain("Remember the milk.");
      expect(call.images).toHaveLength(1);
    }
    expect(fieldsOf(await api.get(`/api-runs?id=${id}`))["attachments"]).toHaveLength(2);
    const title = newId();
    const task = await createTask(api, { title, assigned_team_id: team.id, attachments: [other.id] });
    const done = await taskIn(api, task.id, "completed");
    for (const call of provider.callsOf(title)) expect(asked(call)).toContain("Remember the milk.");
    const run = fieldsOf(await api.get(`/api-runs?id=${String(done["team_run_id"])}`));
    expect(run["attachments"]).toMatchObject([{ id: other.id }]);
  },
);

verifies("attachments.output.blocks", "a block with a file name is a file of the task's attempt", async () => {
  const input = await uploadTo(service, NOTE);
  const id = await startTask(service, agentId, { title: `${GIVES} ${newId()}`, attachments: [input.id] });
  const given = { name: "report.csv", type: "text/csv", size: 4, direction: "output" };
  const ended = await taskEnd(service, id);
  expect(ended["attachments"]).toMatchObject([{ id: input.id, direction: "input" }, given]);
  const [output] = listOf(await askFiles(service, `?task_id=${id}&limit=1`));
  expect(output).toMatchObject({ ...given, task_id: id, attempt: 1, created_by: null });
  const { url } = fieldsOf(await askFiles(service, `/${String(output?.["id"])}`));
  const answer = await fetch(String(url));
  expect([answer.headers.get("content-type"), await answer.text()]).toEqual(["text/csv; charset=utf-8", "a,1\n"]);
  await api.patch(`/api-tasks?id=${id}`, { status: "dispatched" });
  const again = await taskEnd(service, id);
  expect(again["attachments"]).toMatchObject([{ id: input.id }, given]);
  expect(listOf(await askFiles(service, `?task_id=${id}`)).map((file) => file["attempt"])).toEqual([2, 1, null]);
  expect(refusal(await api.post("/api-tasks", { title: "No", attachments: [output?.["id"]] })).status).toBe(400);
});

verifies("attachments.output.skipped", "a result that is too long to be searched has no files", async () => {
  const id = await startTask(service, agentId, { title: `${GIVES_MUCH} ${newId()}` });
  expect(await taskEnd(service, id)).toMatchObject({ status: "completed", attachments: [] });
  const events = await readToEnd(service, { agentId, taskId: id });
  expect(events.slice(-2).map(({ event }) => event)).toMatchObject([
    { type: "CUSTOM", name: "FILES_SKIPPED", value: { message: expect.stringContaining("4194304 characters") } },
    { type: "RUN_FINISHED" },
  ]);
});

verifies("attachments.output.runs", "files in a team's output belong to the task that the team works on", async () => {
  const team = await createTeam(api, { config: { steps: [{ agent_id: agentId }] } });
  const given = { name: "report.csv", direction: "output" };
  const run = await startRun(api, team.id, `Task Title: ${GIVES} ${newId()}`);
  expect((await runIn(api, run.id, "completed"))["attachments"]).toMatchObject([given]);
  expect(listOf(await askFiles(service, `?run_id=${run.id}`))).toMatchObject([given]);
  const task = await createTask(api, { title: `${GIVES} ${newId()}`, assigned_team_id: team.id });
  const done = await taskIn(api, task.id, "completed");
  expect(done["attachments"]).toMatchObject([given]);
  const runOfTask = fieldsOf(await api.get(`/api-runs?id=${String(done["team_run_id"])}`));
  expect(runOfTask["attachments"]).toEqual(done["attachments"]);
  expect(listOf(await askFiles(service, `?task_id=${task.id}`))).toHaveLength(1);
});

verifies("attachments.payload", "a delivery lists the files of its attempt with working URLs", async () => {
  const note = await uploadTo(service, NOTE);
  const id = await startTask(service, agentId, { title: `${GIVES} ${newId()}`, attachments: [note.id] });
  const { workspace_id: workspaceId } = await taskEnd(service, id);
  const db = openDatabase({ url: service.databaseUrl, poolSize: 1, onIdleError: () => undefined });
  const links = createFileLinks(createSecretBox(Buffer.from(ENCRYPTION_KEY, "base64")));
  const files = async (owner: FileOwner, attempt = 1) =>
    deliveredFiles({ db, links, serviceUrl: service.url }, serviceIn(String(workspaceId)), { owner, attempt });
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

verifies("attachments.forks", "a fork has copies of the run's files", async () => {
  const note = await uploadTo(service, NOTE);
  const config = { steps: [{ agent_id: agentId }, { agent_id: agentId }] };
  const team = await createTeam(api, { config });
  const title = newId();
  const task = await createTask(api, { title, assigned_team_id: team.id, attachments: [note.id] });
  const done = await taskIn(api, task.id, "completed");
  const path = `/runs/${String(done["team_run_id"])}/fork`;
  const forked = fieldsOf(await consoleOf(service, service.keys.api).post(path, { from_step: 1 }));
  const [copy] = z.array(z.looseObject({ id: z.uuid() })).parse(forked["attachments"]);
  expect(copy).toMatchObject({ name: "note.md", direction: "input" });
  expect(copy?.id).not.toBe(note.id);
  await runIn(api, String(forked["id"]), "completed");
  expect(asked(provider.callsOf(title)[2])).toContain("Remember the milk.");
  await api.delete(`/api-tasks?id=${task.id}`);
  const { url } = fieldsOf(await askFiles(service, `/${copy?.id}`));
  expect(await (await fetch(String(url))).text()).toBe("Remember the milk.");
});

verifies("attachments.ag-ui", "files in a message to an agent are attached to its task", async () => {
  const threadId = newId();
  const say = (id: string, content: readonly object[]) =>
    send("POST", `${service.url}/ag-ui/${agentId}/sse`, {
      headers: { authorization: `Bearer ${service.keys.agui}` },
      body: { threadId, runId: newId(), messages: [{ id, role: "user", content }] },
    });
  const image = { type: "data", value: PIXEL.toString("base64"), mimeType: "image/png" };
  const looking = newId();
  await say("m1", [
    { type: "text", text: `Task Title: ${looking}` },
    { type: "image", source: image },
  ]);
  const [first] = provider.callsOf(looking);
  expect([first?.images.length, asked(first)]).toEqual([1, expect.stringContaining('<file name="file.png"')]);
  const reading = newId();
  const data = Buffer.from("Remember the milk.").toString("base64");
  const note = { type: "binary", mimeType: "text/markdown", filename: "note.md", data };
  const message = [{ type: "text", text: `Task Title: ${reading}` }, note];
  await say("m2", message);
  await say("m2", message);
  const calls = provider.callsOf(reading);
  expect(calls).toHaveLength(1);
  const said = calls[0]?.body.messages.filter(({ role }) => role === "user").map(({ content }) => content ?? "");
  expect(said?.[0]).not.toContain("Remember the milk.");
  expect(said?.[1]).toContain("Remember the milk.");
  expect(fieldsOf(await api.get(`/api-tasks?id=${threadId}`))["attachments"]).toMatchObject([
    { name: "file.png", type: "image/png" },
    { name: "note.md", type: "text/markdown" },
  ]);
  for (const [part, status] of [
    [{ type: "image", source: { ...image, value: "not base64!" } }, 400],
    [{ type: "image", source: { type: "url", value: "https://localhost/a.png" } }, 400],
    [{ type: "audio", source: { type: "data", value: "AAAA", mimeType: "audio/wav" } }, 415],
    [{ type: "hologram" }, 400],
  ] as const) {
    expect([part, (await say(newId(), [part])).status]).toEqual([part, status]);
  }
});

verifies("attachments.removed", "files are deleted with their task, and kept while it is in progress", async () => {
  const file = await uploadTo(service, NOTE);
  const agent = await createAgent(api);
  const task = await createTask(api, {
    assigned_agent_id: agent.id,
    description: '[[tool:wait {"seconds":60}]]',
    attachments: [file.id],
  });
  await taskIn(api, task.id, "running");
  const busy = refusal(await askFiles(service, `/${file.id}`, "DELETE"));
  expect(busy).toMatchObject({ status: 409, message: expect.stringContaining("running") });
  expect((await api.delete(`/api-tasks?id=${task.id}`)).status).toBe(204);
  expect((await askFiles(service, `/${file.id}`)).status).toBe(404);
  await eventually("the content is gone", async () => (await fetch(file.url)).status === 404);
});

verifies("attachments.missing", "a task whose file has no content fails with the reason", async () => {
  const file = await uploadTo(service, NOTE);
  await rm(`${service.folder}/files`, { recursive: true });
  const ended = await taskEnd(service, await startTask(service, agentId, { attachments: [file.id] }));
  expect(ended).toMatchObject({
    status: "failed",
    error: expect.stringMatching(/note\.md cannot be read.*share the folder/),
  });
  expect(JSON.stringify(ended)).not.toContain(service.folder);
});

/** What the user said last in a call. */
function asked(call: ProviderCall | undefined): string {
  return call?.body.messages.findLast(({ role }) => role === "user")?.content ?? "";
}
