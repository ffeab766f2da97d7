import { z } from "zod";
import { send } from "../support/api.ts";
import { eventually } from "../support/eventually.ts";
import { callOf } from "../support/interactions.ts";
import { createAgent, createTask } from "../support/work.ts";
import { sql } from "../support/workspace.ts";
import type { Scene } from "./scene.ts";

const HOUR_MS = 3_600_000;
const waiting = z.looseObject({ interaction: z.looseObject({ interactionId: z.string() }) });

/** Another person than the owner of the scene. */
export const GRACE = { email: "grace@example.org", password: "another good password", name: "Grace" } as const;

/**
 * Creates a task whose agent asks a question, and waits until it does.
 * @returns the ids of the task, of its agent and of the question
 */
export async function askIn(
  { api }: Scene,
  title: string,
  { timeoutMs = HOUR_MS, name = "Asker", context = "", tool = "request_approval" } = {},
) {
  const agent = await createAgent(api, { name, tools: [tool] });
  const description = callOf(tool, { title, description: context, timeoutMs });
  const task = await createTask(api, { title: "Some work", description, assigned_agent_id: agent.id });
  const id = await eventually("it asks", async () => {
    const read = waiting.safeParse((await api.get(`/api-tasks?id=${task.id}`)).body);
    return read.data?.interaction.interactionId;
  });
  return { task: task.id, agent: agent.id, id };
}

/** Gives {@link GRACE}, who may have an account already, a role in the workspace. @returns the id of her account */
export async function giveGrace({ service }: Scene, role: "viewer" | "member"): Promise<string> {
  await send("POST", `${service.url}/auth/sign-up`, { body: GRACE });
  const text = `
    insert into members (workspace_id, user_id, role)
    select w.id, u.id, $2 from users u, workspaces w where u.email = $1 and w.slug = 'my-workspace'
    on conflict (workspace_id, user_id) do update set role = excluded.role returning user_id`;
  const [row] = await sql<{ user_id: string }>(service.databaseUrl, text, [GRACE.email, role]);
  // Without another workspace signing in leads to this one.
  const others =
    "delete from members where user_id = $1 and workspace_id <> (select id from workspaces where slug = 'my-workspace')";
  await sql(service.databaseUrl, others, [row?.user_id]);
  return row?.user_id ?? "";
}
