import { beforeAll, expect } from "vitest";
import { z } from "zod";
import { newId } from "#lib/ids.ts";
import { fieldsOf, send } from "../../support/api.ts";
import { ENCRYPTED, pdfDocument, wordDocument } from "../../support/documents.ts";
import { eventually } from "../../support/eventually.ts";
import { PIXEL, uploadTo } from "../../support/files.ts";
import { useScriptedService } from "../../support/providers/scripted-agents.ts";
import type { ScriptedWorkspace } from "../../support/providers/scripted-agents.ts";
import { openAiAgent, startTask, taskEnd } from "../../support/runs.ts";
import { createTeam, runIn } from "../../support/teams.ts";
import { asked } from "../../support/scripted-provider.ts";
import { verifies } from "../../support/verifies.ts";
import { createTask, taskIn } from "../../support/work.ts";

const NOTE = { name: "note.md", type: "text/markdown", content: "Remember the milk." };
const PICTURE = { name: "dot.png", type: "image/png", content: PIXEL };
/** Each document is read by its own process, which is slow on a busy machine. */
const SLOW = 40_000;
const DOCX = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

let scene: ScriptedWorkspace;
let agentId: string;

beforeAll(async () => {
  scene = await useScriptedService();
  agentId = await openAiAgent(scene.service);
});

verifies("attachments.prompt.images", "a model with vision gets images; for others the prompt names them", async () => {
  for (const [model, kind, config, shown] of [
    ["gpt-4o", "openai", {}, true],
    ["gpt-3.5-turbo", "openai", {}, false],
    ["house-model", "openai-compatible", {}, false],
    ["house-model", "openai-compatible", { vision: true }, true],
  ] as const) {
    const picture = await uploadTo(scene.service, PICTURE);
    const title = newId();
    const agent = await openAiAgent(scene.service, { model, provider: kind, config });
    await taskEnd(scene.service, await startTask(scene.service, agent, { title, attachments: [picture.id] }));
    const [call] = scene.provider.callsOf(title);
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
    for (const file of [pdf, word, locked]) attachments.push((await uploadTo(scene.service, file)).id);
    const title = newId();
    await startTask(scene.service, agentId, { title, attachments });
    await eventually("the call of the model", () => scene.provider.callsOf(title)[0], SLOW);
    const text = asked(scene.provider.callsOf(title)[0]);
    expect(text).toContain('<file name="a.pdf" type="application/pdf">\nRemember the milk.\n</file>');
    expect(text).toContain("\nFirst the bread.\n\nThen the butter.\n</file>");
    expect(text).toMatch(/<file name="c.pdf" type="application\/pdf">Its text cannot be read\. .+<\/file>/);
    expect(text).not.toContain("Secret");
  },
  { tags: "slow" },
);

verifies("attachments.prompt.cut", "a long file is cut, and the prompt marks it", async () => {
  const long = await uploadTo(scene.service, { ...NOTE, content: "x".repeat(100_001) });
  const title = newId();
  await taskEnd(scene.service, await startTask(scene.service, agentId, { title, attachments: [long.id] }));
  const text = asked(scene.provider.callsOf(title)[0]);
  expect(text).toContain(`${"x".repeat(100_000)}\n[Cut here: this is the beginning of 100001 characters.]`);
});

verifies(
  ["attachments.runs.link", "attachments.prompt.runs"],
  "every turn of a team run gets its files, also those of its task",
  async () => {
    const [one, two] = [await openAiAgent(scene.service), await openAiAgent(scene.service)];
    const team = await createTeam(scene.api, { config: { steps: [{ agent_id: one }, { agent_id: two }] } });
    const [note, picture, other] = [
      await uploadTo(scene.service, NOTE),
      await uploadTo(scene.service, PICTURE),
      await uploadTo(scene.service, NOTE),
    ];
    const work = newId();
    const started = await scene.api.post("/api-runs", {
      team_id: team.id,
      input_task: `Task Title: ${work}`,
      attachments: [note.id, picture.id],
    });
    expect(started.status).toBe(201);
    const { id } = z.looseObject({ id: z.uuid() }).parse(started.body);
    await runIn(scene.api, id, "completed");
    const calls = scene.provider.callsOf(work);
    expect(calls).toHaveLength(2);
    for (const call of calls) {
      expect(asked(call)).toContain("Remember the milk.");
      expect(call.images).toHaveLength(1);
    }
    expect(fieldsOf(await scene.api.get(`/api-runs?id=${id}`))["attachments"]).toHaveLength(2);
    const title = newId();
    const task = await createTask(scene.api, { title, assigned_team_id: team.id, attachments: [other.id] });
    const done = await taskIn(scene.api, task.id, "completed");
    for (const call of scene.provider.callsOf(title)) expect(asked(call)).toContain("Remember the milk.");
    const run = fieldsOf(await scene.api.get(`/api-runs?id=${String(done["team_run_id"])}`));
    expect(run["attachments"]).toMatchObject([{ id: other.id }]);
  },
);

verifies("attachments.ag-ui", "files in a message to an agent are attached to its task", async () => {
  const threadId = newId();
  const say = (id: string, content: readonly object[]) =>
    send("POST", `${scene.service.url}/ag-ui/${agentId}/sse`, {
      headers: { authorization: `Bearer ${scene.service.keys.agui}` },
      body: { threadId, runId: newId(), messages: [{ id, role: "user", content }] },
    });
  const image = { type: "data", value: PIXEL.toString("base64"), mimeType: "image/png" };
  const looking = newId();
  await say("m1", [
    { type: "text", text: `Task Title: ${looking}` },
    { type: "image", source: image },
  ]);
  const [first] = scene.provider.callsOf(looking);
  expect([first?.images.length, asked(first)]).toEqual([1, expect.stringContaining('<file name="file.png"')]);
  const reading = newId();
  const data = Buffer.from("Remember the milk.").toString("base64");
  const note = { type: "binary", mimeType: "text/markdown", filename: "note.md", data };
  const message = [{ type: "text", text: `Task Title: ${reading}` }, note];
  await say("m2", message);
  await say("m2", message);
  const calls = scene.provider.callsOf(reading);
  expect(calls).toHaveLength(1);
  const said = calls[0]?.body.messages.filter(({ role }) => role === "user").map(({ content }) => content ?? "");
  expect(said?.[0]).not.toContain("Remember the milk.");
  expect(said?.[1]).toContain("Remember the milk.");
  expect(fieldsOf(await scene.api.get(`/api-tasks?id=${threadId}`))["attachments"]).toMatchObject([
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
