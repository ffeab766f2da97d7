import { beforeAll, describe, expect } from "vitest";
import { z } from "zod";
import { bearer, postAuth, sessionOf } from "../../support/accounts.ts";
import { fieldsOf, refusal, send } from "../../support/api.ts";
import { OSLO, openApprovals } from "../../support/approvals.ts";
import type { ApprovalScene } from "../../support/approvals.ts";
import { eventually } from "../../support/eventually.ts";
import { callOf } from "../../support/interactions.ts";
import { connectApp, openAppPerson } from "../../support/mcp/app-client.ts";
import type { AppPerson } from "../../support/mcp/app-client.ts";
import { MCP_CLIENTS } from "../../support/mcp/clients.ts";
import type { ElicitForm } from "../../support/mcp/clients.ts";
import { sendModern } from "../../support/mcp/modern.ts";
import { verifies } from "../../support/verifies.ts";
import { taskIn } from "../../support/work.ts";

let scene: ApprovalScene;
let ada: AppPerson;
let ben: AppPerson;
/** The token of Ada's app. */
let app: string;

/** Two of the admins approve, signed in; the one who started the run may be one of them. */
const TWO = { need: 2, starter: true, keys: false };
const message = callOf("current_time", OSLO);

beforeAll(async () => {
  scene = await openApprovals();
  [ada, ben] = [await inviteAdmin("Ada"), await inviteAdmin("Ben")];
  app = (await connectApp(scene.service, ada)).tokens.access_token;
});

async function inviteAdmin(name: string): Promise<AppPerson> {
  const { service, desk } = scene;
  const person = { email: `${name.toLowerCase()}-${scene.service.workspaceId}@example.org`, password: "a password" };
  const { token } = fieldsOf(await desk.post("/invitations", { email: person.email, role: "admin" }));
  await postAuth(service, "invitations/accept", { token, password: person.password, name });
  const session = sessionOf(await postAuth(service, "sign-in", { ...person, workspace_id: service.workspaceId }));
  return { ...(await openAppPerson(service, person)), session };
}

/** A published agent whose only tool a rule guards; returns the tool by which clients call it. */
async function publish(rule: object): Promise<string> {
  const name = `Guarded ${crypto.randomUUID()}`;
  await scene.agentWith([rule], { name, is_mcp_published: true });
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_");
}

/** Votes as a person who is signed in to the console. */
function voteSignedIn({ session }: AppPerson, taskId: string, interactionId: string) {
  const headers = bearer(session.access_token);
  const body = { interactionId, approved: true };
  return send("POST", `${scene.service.url}/console/api/tasks/${taskId}/answer`, { headers, body });
}

const openPage = z.object({ items: z.array(z.object({ id: z.string(), subject: z.object({ id: z.string() }) })) });

function openQuestions() {
  return eventually("a question", async () => {
    const { items } = openPage.parse((await scene.desk.get("/questions")).body);
    return items.length > 0 && items;
  });
}

const task = z.looseObject({ taskId: z.string(), status: z.string(), statusMessage: z.string().optional() });
const rpc = z.looseObject({ result: z.unknown().optional(), error: z.looseObject({ message: z.string() }).optional() });

/** The tasks of a client of 2026-07-28. */
function tasksOf(key: string) {
  const request = async (method: string, params: Readonly<Record<string, unknown>>) =>
    rpc.parse((await sendModern({ url: scene.service.url, key }, { method, params })).body);
  const answerTo = (taskId: string, id: string, action: string) =>
    request("tasks/update", { taskId, inputResponses: { [id]: { action } } });
  return {
    /** Calls a tool, and waits until its task asks; also the id of the question. */
    async start(name: string) {
      const { taskId } = task.parse((await request("tools/call", { name, arguments: { message } })).result);
      const { id } = await scene.question(taskId);
      return { id, ...task.parse((await request("tasks/get", { taskId })).result) };
    },
    get: async (taskId: string) => task.parse((await request("tasks/get", { taskId })).result),
    answerTo,
  };
}

describe.each(MCP_CLIENTS)("%s", (_name, connect) => {
  verifies("mcp.server.elicitation.votes", "a form is the vote of the person who connected the app", async () => {
    const name = await publish(TWO);
    const forms: ElicitForm[] = [];
    const progress: string[] = [];
    const elicit = async (form: ElicitForm) => {
      forms.push(form);
      return { action: "accept", content: {} } as const;
    };
    const client = await connect({ url: scene.service.url, key: app }, { elicit });
    const result = client.callTool(name, { message }, { onProgress: (text) => progress.push(text) });
    const half = "1 of 2 approved: Ada. 1 more approval is needed.";
    await eventually("the vote is told", () => progress.some((text) => text.includes(half)));
    expect(forms.map((form) => form.message)).toEqual([
      expect.stringMatching(/asks.*\n\n0 of 2 approved\. 2 more approvals are needed\. Your answer is your vote\.$/s),
    ]);
    const [asked = expect.unreachable()] = await openQuestions();
    expect((await voteSignedIn(ben, asked.subject.id, asked.id)).status).toBe(200);
    expect((await result).text).toContain("Europe/Oslo");
    await client.close();
    const [closed] = await scene.questions(asked.subject.id, "answered");
    expect(closed?.votes.map(({ by, approved, via }) => [by.name, approved, via])).toEqual([
      ["Ada", true, "mcp"],
      ["Ben", true, "console"],
    ]);
  });
});

verifies(
  "mcp.server.elicitation.votes",
  "a task takes one vote of its person, and says how many are missing",
  async () => {
    const { start, get, answerTo } = tasksOf(app);
    const { taskId, id, status, statusMessage } = await start(await publish(TWO));
    expect([status, statusMessage]).toEqual([
      "input_required",
      expect.stringContaining("2 more approvals are needed."),
    ]);
    for (const action of ["accept", "accept", "decline"])
      expect((await answerTo(taskId, id, action)).error).toBeUndefined();
    expect(await get(taskId)).toMatchObject({
      status: "working",
      statusMessage: expect.stringContaining("1 of 2 approved: Ada. 1 more approval is needed."),
    });
    expect((await scene.question(taskId)).votes).toMatchObject([{ by: { name: "Ada" }, approved: true, via: "mcp" }]);
    await voteSignedIn(ben, taskId, id);
    await taskIn(scene.api, taskId, "completed");
  },
);

verifies("mcp.server.elicitation.votes", "a denial by the form denies", async () => {
  const { start, answerTo } = tasksOf(app);
  const { taskId, id } = await start(await publish(TWO));
  await answerTo(taskId, id, "decline");
  expect((await taskIn(scene.api, taskId, "completed")).result).toContain("did not approve");
});

verifies(
  ["mcp.server.elicitation.votes", "approvals.who", "approvals.starter"],
  "who may not vote is not asked, is told why, and changes nothing",
  async () => {
    const refused = [
      { key: scene.service.keys.mcp, rule: TWO, reason: "signed in to Muster or by an app that they connected" },
      { key: app, rule: { ...TWO, starter: false }, reason: "You started this run" },
      { key: app, rule: { ask: { people: [ben.session.user.id] }, starter: true }, reason: "does not ask you" },
    ];
    for (const { key, rule, reason } of refused) {
      const { start, answerTo } = tasksOf(key);
      const { taskId, id, status, statusMessage } = await start(await publish(rule));
      expect([status, statusMessage]).toEqual(["working", expect.stringContaining(reason)]);
      expect((await answerTo(taskId, id, "accept")).error?.message).toContain(reason);
      // As a client of an earlier revision answers.
      const body = { jsonrpc: "2.0", id: `question ${taskId} ${id}`, result: { action: "accept", content: {} } };
      const answered = refusal(await send("POST", `${scene.service.url}/mcp`, { headers: bearer(key), body }));
      expect([answered.status, answered.message]).toEqual([403, expect.stringContaining(reason)]);
      expect((await scene.question(taskId)).votes).toEqual([]);
    }
  },
);

verifies("mcp.server.elicitation.votes", "with keys: true a key votes as its person", async () => {
  const { start, get, answerTo } = tasksOf(scene.service.keys.mcp);
  const { taskId, id, status } = await start(await publish({ ...TWO, keys: true }));
  expect(status).toBe("input_required");
  await answerTo(taskId, id, "accept");
  expect((await get(taskId)).statusMessage).toContain("1 of 2 approved");
});

verifies("mcp.server.elicitation.votes", "an app that is limited to the agent votes, too", async () => {
  const name = `Guarded ${crypto.randomUUID()}`;
  const { id: agentId } = await scene.agentWith([TWO], { name, is_mcp_published: true });
  const { tokens } = await connectApp(scene.service, ada, { agents: [agentId] });
  const { start, get, answerTo } = tasksOf(tokens.access_token);
  const { taskId, id, status } = await start(name.toLowerCase().replaceAll(/[^a-z0-9]+/g, "_"));
  expect(status).toBe("input_required");
  expect((await answerTo(taskId, id, "accept")).error).toBeUndefined();
  expect((await get(taskId)).statusMessage).toContain("1 of 2 approved: Ada.");
  await voteSignedIn(ben, taskId, id);
  await taskIn(scene.api, taskId, "completed");
});
