import { randomUUID } from "node:crypto";
import { bearer, signIn } from "../support/accounts.ts";
import { createAlert, readAlert } from "../support/alerts.ts";
import { consoleOf, fieldsOf, send } from "../support/api.ts";
import { createRoute } from "../support/destinations/deliveries.ts";
import { eventually } from "../support/eventually.ts";
import { CHOICES, FORM_FIELDS, callOf } from "../support/interactions.ts";
import { createTeam, runIn, startRun } from "../support/teams.ts";
import { FAILING, createAgent, createTask, taskIn } from "../support/work.ts";
import { openScene, openWorkspace } from "./scene.ts";
import type { Scene } from "./scene.ts";
import type { SweptScene } from "./sweep-screens.ts";

interface Ids {
  readonly team: string;
  readonly failed: string;
  readonly agent: string;
  readonly thread: string;
  readonly rerun: string;
  readonly questions: Readonly<Record<string, string>>;
}

const SCREENS: readonly { readonly name: string; readonly path: (of: Ids) => string; readonly shows: string }[] = [
  { name: "home-alerts", path: () => "", shows: "Drafts fail" },
  { name: "alerts-list", path: () => "/alerts", shows: "Drafts fail" },
  { name: "run-team-graph", path: ({ team }) => `/runs/${team}?view=graph`, shows: "in parallel" },
  { name: "run-team-steps", path: ({ team }) => `/runs/${team}?view=timeline`, shows: "Publish" },
  { name: "run-team-list", path: ({ team }) => `/runs/${team}?view=list`, shows: "Publish" },
  { name: "run-team-conversation", path: ({ team }) => `/runs/${team}?view=conversation`, shows: "Publish it?" },
  { name: "run-team-events", path: ({ team }) => `/runs/${team}?view=events`, shows: "RUN_STARTED" },
  { name: "run-failed", path: ({ failed }) => `/runs/${failed}`, shows: "The archive is closed." },
  { name: "run-fork", path: ({ failed }) => `/runs/${failed}?step=model%3A0&fork=model%3A0`, shows: "Fork run" },
  { name: "agent-conversations", path: ({ agent }) => `/agents/${agent}?tab=try`, shows: "Which towns" },
  {
    name: "agent-conversation",
    path: ({ agent, thread }) => `/agents/${agent}?tab=try&thread=${thread}`,
    shows: "Edit and run again",
  },
  {
    name: "agent-rerun",
    path: ({ agent, rerun }) => `/agents/${agent}?tab=try&rerun=${rerun}`,
    shows: "What was changed",
  },
  ...["confirmation", "choice", "input", "form", "wizard"].map((kind) => ({
    name: `question-${kind}`,
    path: ({ questions }: Ids) => `/runs/${questions[kind]}`,
    shows: `About the ${kind}`,
  })),
];

const DAY_MS = 86_400_000;
const QUESTIONS = {
  confirmation: { data: { amount: 84, recipient: "Lamp & Light", note: "Returned on Monday." } },
  choice: { choices: CHOICES },
  input: { placeholder: "In a few words" },
  form: { fields: FORM_FIELDS },
  wizard: {
    steps: [
      { stepId: "plan", type: "choice", title: "Which plan?", choices: CHOICES },
      { stepId: "seats", type: "text_input", title: "How many seats?" },
    ],
  },
};

const ASKED = { title: "Publish it?", description: "The **spring issue** is ready.", timeoutMs: DAY_MS };

/** Opens a workspace with runs of a team, alerts that fire, conversations, and a question of each kind. */
export async function openWorkScreens(): Promise<SweptScene> {
  const scene = await openScene();
  const ids = { ...(await fillRuns(scene)), ...(await fillConversations(scene)), questions: await ask(scene) };
  await openWorkspace(scene, "Second office");
  const { url } = scene.service;
  return {
    scene,
    mayFail: ["/auth/reset", "/auth/invitations"],
    withoutSession: [
      { name: "reset", url: `${url}/reset#token=none`, shows: "This link can't be used" },
      { name: "invite", url: `${url}/invite#token=none`, shows: "This link can't be used" },
    ],
    screens: [
      ...SCREENS.map(({ name, path, shows }) => ({ name, url: `${url}/w/my-workspace${path(ids)}`, shows })),
      { name: "home-empty", url: `${url}/w/second-office`, shows: "Create and run" },
    ],
    close: () => scene.service.stop(),
  };
}

/** A team's run that asks in its second step, and failed runs, over which an alert fires. */
async function fillRuns({ api, service }: Scene): Promise<Pick<Ids, "team" | "failed">> {
  const desk = consoleOf(service, service.keys.api);
  const { id: route } = await createRoute(desk, "https://example.com/alerts", { name: "On call" });
  const fields = { tools: ["request_approval"], output_route_ids: [] };
  const writer = (await createAgent(api, { name: "Writer", ...fields })).id;
  const editor = (await createAgent(api, { name: "Editor", ...fields })).id;
  const say = "[[slow:0]][[say:The **spring issue** has four parts: news, towns, people and dates.]]";
  const steps = [
    { agent_id: writer, step_name: "Draft", instructions: say },
    { agent_id: editor, step_name: "Approve", instructions: callOf("request_approval", ASKED) },
    { type: "fan_out", step_name: "Publish", parallel_agents: [writer, editor], instructions: say },
  ];
  const { id: teamId } = await createTeam(api, { name: "Newsroom", config: { steps } });
  const { id: team } = await startRun(api, teamId, "Write the spring issue of the newsletter");
  const description = FAILING.replace("boom", "The archive is closed.");
  const task = { title: "Find the letters of 1911", description, assigned_agent_id: writer };
  const { id: failed } = await createTask(api, task);
  await taskIn(api, failed, "failed");
  await runIn(api, team, "waiting_for_input");
  // Whatever else runs meanwhile, more than one percent have failed.
  const rule = { kind: "failure_rate", threshold: 1, window_minutes: 60, min_runs: 1, route_id: route };
  const alert = await createAlert(desk, { name: "Drafts fail", ...rule });
  await eventually("it fires", async () => (await readAlert(desk, alert)).state === "firing");
  await createAlert(desk, { name: "Costs of an hour", kind: "cost_per_hour", threshold: 20, route_id: route });
  return { team, failed };
}

/** Conversations of the owner with an agent, one of them with a reply that was run again. */
async function fillConversations({ api, service }: Scene): Promise<Pick<Ids, "agent" | "thread" | "rerun">> {
  const { id: agent } = await createAgent(api, { name: "Travel guide", system_prompt: "You know all towns." });
  const { access_token: token } = await signIn(service);
  const say = async (content: string) => {
    const thread = randomUUID();
    const body = { threadId: thread, messages: [{ id: randomUUID(), role: "user", content }] };
    await send("POST", `${service.url}/ag-ui/${agent}/sse`, { headers: bearer(token), body });
    await taskIn(api, thread, "completed");
    return thread;
  };
  await say("Which towns have a harbour? [[slow:0]][[say:Hamburg, Kiel and Emden.]]");
  const thread = await say(`What time is it in Tokyo? ${callOf("current_time", { time_zone: "Asia/Tokyo" })}`);
  const changes = { system_prompt: "You know all towns, and answer briefly." };
  const desk = consoleOf(service, service.keys.api);
  const rerun = String(fieldsOf(await desk.post(`/runs/${thread}/fork`, { from_step: 0, changes }))["id"]);
  await taskIn(api, rerun, "completed");
  return { agent, thread, rerun };
}

/** Tasks with an open question of each kind but an approval. */
async function ask({ api }: Scene): Promise<Ids["questions"]> {
  const tools = Object.keys(QUESTIONS).map((kind) => `request_${kind}`);
  const { id: agent } = await createAgent(api, { name: "Front desk", tools });
  const asked = Object.entries(QUESTIONS).map(async ([kind, own]) => {
    const question = { title: `About the ${kind}`, description: "The customer **waits**.", timeoutMs: DAY_MS, ...own };
    const description = callOf(`request_${kind}`, question);
    const { id } = await createTask(api, { title: `Serve customer ${kind}`, description, assigned_agent_id: agent });
    await taskIn(api, id, "waiting_for_input");
    return [kind, id] as const;
  });
  return Object.fromEntries(await Promise.all(asked));
}
