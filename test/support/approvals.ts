import { z } from "zod";
import type { Role } from "#domain/access/role.ts";
import { apiOf, consoleOf } from "./api.ts";
import type { Answer, Api } from "./api.ts";
import { eventually } from "./eventually.ts";
import { callOf } from "./interactions.ts";
import { useSharedService } from "./shared-service.ts";
import type { SharedService } from "./shared-service.ts";
import { createAgent, createTask } from "./work.ts";
import type { AgentFields } from "./work.ts";
import { addMember, sql } from "./workspace.ts";

/** A person in the workspace, with an envelope key. */
export interface Person {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly key: string;
  readonly api: Api;
  readonly desk: Api;
  /** Votes on the open question of a task. */
  vote(task: string, approved: boolean, interactionId: string): Promise<Answer>;
}

const vote = z.looseObject({
  by: z.looseObject({ id: z.string(), name: z.string() }),
  approved: z.boolean(),
  via: z.string(),
});

/** A question as lists show it, with the fields that tests read. */
const questionRecord = z.looseObject({
  id: z.string(),
  state: z.string(),
  request: z.looseObject({ description: z.string(), approval: z.looseObject({}).optional() }),
  votes: z.array(vote),
  may_answer: z.array(z.looseObject({ name: z.string() })).nullable(),
  problem: z.string().nullable(),
  answered_via: z.string().nullable(),
  answer: z.looseObject({}).nullable(),
});

/** A question. */
export type QuestionRecord = z.output<typeof questionRecord>;

const page = z.object({ items: z.array(questionRecord) });

/** The input that the demo model gives to the tool of {@link ApprovalScene.start}. */
export const OSLO = { time_zone: "Europe/Oslo" };

/** A workspace whose owner starts runs, and its people. */
export interface ApprovalScene {
  readonly service: SharedService;
  /** The owner's, who starts the runs. */
  readonly api: Api;
  readonly desk: Api;
  readonly owner: Person;
  /** Makes a person with a role. */
  join(name: string, role: Role): Promise<Person>;
  /** An agent with rules, whose `ask` defaults to the role admin. Keys count as their people. */
  agentWith(rules: readonly object[], fields?: object): Promise<AgentFields>;
  /** Starts a task whose agent calls current_time. */
  start(agentId: string, input?: object): Promise<string>;
  /** Waits for the open question of a task. */
  question(task: string): Promise<QuestionRecord>;
  /** The questions of a task in a state. */
  questions(task: string, state: string): Promise<readonly QuestionRecord[]>;
}

/** Opens the scene in the shared service, or in the workspace of another. */
export async function openApprovals(given?: SharedService): Promise<ApprovalScene> {
  const service = given ?? (await useSharedService());
  const api = apiOf(service, service.keys.api);
  const desk = consoleOf(service, service.keys.api);
  const questions = async (task: string, state: string) =>
    page.parse((await desk.get(`/questions?run_id=${task}&state=${state}`)).body).items;
  return {
    service,
    api,
    desk,
    owner: personOf(service, { id: service.ownerId, name: "Another owner", key: service.keys.api }),
    async join(name, role) {
      const { userId, key } = await addMember(service.databaseUrl, service.workspaceId, role);
      await sql(service.databaseUrl, "update users set name = $2 where id = $1", [userId, name]);
      return personOf(service, { id: userId, name, key });
    },
    agentWith: (rules, fields = {}) =>
      createAgent(api, {
        config: { approvals: rules.map((rule) => ({ when: {}, ask: { role: "admin" }, keys: true, ...rule })) },
        ...fields,
      }),
    async start(agentId, input = OSLO) {
      const task = { description: callOf("current_time", input), assigned_agent_id: agentId };
      return (await createTask(api, task)).id;
    },
    question: (task) => eventually(`the task ${task} asks`, async () => (await questions(task, "open"))[0]),
    questions,
  };
}

function personOf(
  service: SharedService,
  { id, name, key }: { readonly id: string; readonly name: string; readonly key: string },
): Person {
  const desk = consoleOf(service, key);
  return {
    id,
    name,
    key,
    email: `${id}@localhost.localdomain`,
    api: apiOf(service, key),
    desk,
    vote: (task, approved, interactionId) => desk.post(`/tasks/${task}/answer`, { interactionId, approved }),
  };
}
