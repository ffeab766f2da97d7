import { z } from "zod";
import { TASK_STATUSES } from "#domain/tasks/task.ts";
import { RUN_STATUSES } from "#domain/teams/team-run.ts";
import { question } from "../watch/question.ts";

// What the commands use of the service's records; the rest is kept and shown by --json.

/** A task. */
export const taskAnswer = z.looseObject({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  priority: z.string(),
  status: z.enum(TASK_STATUSES),
  assigned_agent_id: z.string().nullable(),
  result: z.string().nullable(),
  error: z.string().nullable(),
  interaction: question.nullable(),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number(), cost_usd: z.number() }).loose(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
});

/** A task as the commands see it. */
export type Task = z.output<typeof taskAnswer>;

/** What a bulk retry of tasks or of team runs has done. */
export const retriedAnswer = z.looseObject({ retried: z.int(), has_more: z.boolean() });
/** See {@link retriedAnswer}. */
export type Retried = z.output<typeof retriedAnswer>;

/** The receipt for an answer. */
export const receiptAnswer = z.looseObject({ interactionId: z.string() });

/** An agent. */
export const agentAnswer = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  model: z.string(),
  provider: z.string(),
  system_prompt: z.string(),
  tools: z.array(z.string()),
  status: z.string(),
  created_at: z.string(),
});

/** A new agent, in version 2 of the API. */
export const createdAgentAnswer = z.object({
  data: agentAnswer,
  meta: z.looseObject({ warning: z.string().optional() }),
});

/** An agent as the commands see it. */
export type Agent = z.output<typeof agentAnswer>;

/** A file in a list. */
export const listedFileAnswer = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  size: z.number(),
  direction: z.string(),
  task_id: z.string().nullable(),
  run_id: z.string().nullable(),
  created_at: z.string(),
});

/** A file in a list, as the commands see it. */
export type ListedFile = z.output<typeof listedFileAnswer>;

/** A file that was read alone. */
export const fileAnswer = listedFileAnswer.extend({ url: z.url() });

/** A file as the commands see it. */
export type File = z.output<typeof fileAnswer>;

/** A team. */
export const teamAnswer = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  mode: z.string(),
  config: z.record(z.string(), z.unknown()),
  members: z.array(z.looseObject({ agent_id: z.string(), role: z.string() })),
  created_at: z.string(),
});

/** A team as the commands see it. */
export type Team = z.output<typeof teamAnswer>;

/** A run of a team; messages are there when it was read alone. */
export const runAnswer = z.looseObject({
  id: z.string(),
  team_id: z.string().nullable(),
  status: z.enum(RUN_STATUSES),
  input_task: z.string(),
  output: z.string().nullable(),
  error: z.string().nullable(),
  interaction: question.nullable(),
  usage: z.object({ prompt_tokens: z.number(), completion_tokens: z.number(), cost_usd: z.number() }).loose(),
  created_at: z.string(),
  started_at: z.string().nullable(),
  completed_at: z.string().nullable(),
  messages: z
    .array(
      z.looseObject({
        sender_agent_id: z.string().nullable(),
        receiver_agent_id: z.string().nullable(),
        message_type: z.string(),
        content: z.string(),
        created_at: z.string(),
      }),
    )
    .optional(),
});

/** A run as the commands see it. */
export type Run = z.output<typeof runAnswer>;

/** What a team remembers of a run. */
export const memoryAnswer = z.looseObject({
  id: z.string(),
  run_id: z.string(),
  status: z.string(),
  task: z.string(),
  outcome: z.string(),
  created_at: z.string(),
});

/** What a team remembers of a run, as the commands see it. */
export type Memory = z.output<typeof memoryAnswer>;

/** The caller. */
export const identityAnswer = z.looseObject({
  email: z.string(),
  name: z.string(),
  workspace_id: z.string(),
  workspace_name: z.string(),
  plan: z.string(),
});

/** The workspace with what it uses of its plan's quotas; null is no limit. */
export const workspaceAnswer = z.looseObject({
  plan: z.string(),
  quotas: z.record(z.string(), z.object({ used: z.number(), limit: z.number().nullable() })),
});

/** A workspace's connection to a model vendor. */
export const providerKeyAnswer = z.looseObject({
  provider: z.string(),
  last4: z.string().nullable(),
  base_url: z.string().nullable(),
  updated_at: z.string(),
});

/** A key of the workspace. */
export const keyAnswer = z.looseObject({
  id: z.string(),
  prefix: z.string(),
  label: z.string(),
  kind: z.string(),
  scopes: z.array(z.string()),
  last_used_at: z.string().nullable(),
  expires_at: z.string().nullable(),
  replaced_by: z.string().nullable(),
});

/** A key with its text, as it is shown once. */
export const shownKeyAnswer = keyAnswer.extend({ key: z.string() });

/** A member of the workspace. */
export const memberAnswer = z.looseObject({
  user_id: z.string(),
  email: z.string(),
  name: z.string(),
  role: z.string(),
  created_at: z.string(),
});

/** An invitation with its link, as it is shown once. */
export const invitationAnswer = z.looseObject({
  email: z.string(),
  role: z.string(),
  link: z.string(),
  expires_at: z.string(),
});
/** The file of an agent or a team, whose fields stay in their order. */
export const exportAnswer = z.looseObject({ format: z.string(), version: z.number(), type: z.string() });

/** What an import made. */
export const importAnswer = z.looseObject({
  agents: z.array(agentAnswer),
  team: z.looseObject({ id: z.string(), name: z.string() }).nullable(),
  warnings: z.array(z.object({ path: z.string(), message: z.string() })).default([]),
});

/** An agent of the marketplace. */
export const listingAnswer = z.looseObject({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  model: z.string(),
  publisher: z.string(),
  install_count: z.number(),
});

/** An agent of the marketplace as the commands see it. */
export type Listing = z.output<typeof listingAnswer>;

/** What came of an install. */
export const installAnswer = z.looseObject({ agent_id: z.string(), install_count: z.number() });

/** A budget and how it stands. */
export const budgetAnswer = z.looseObject({
  id: z.string(),
  scope: z.string(),
  target_id: z.string(),
  target_name: z.string().nullable(),
  period: z.string(),
  max_usd: z.number().nullable(),
  max_tokens: z.number().nullable(),
  on_breach: z.string(),
  window: z
    .looseObject({
      used_usd: z.number(),
      used_tokens: z.number(),
      reserved_usd: z.number(),
      reserved_tokens: z.number(),
      cap_usd: z.number().nullable(),
      cap_tokens: z.number().nullable(),
    })
    .nullable(),
});

/** A budget as the commands see it. */
export type Budget = z.output<typeof budgetAnswer>;

const usageSum = z.looseObject({
  calls: z.number(),
  prompt_tokens: z.number(),
  completion_tokens: z.number(),
  total_tokens: z.number(),
  cost_usd: z.number(),
});

/** What a workspace used; a row has the fields by which it was asked for. */
export const usageAnswer = z.looseObject({
  from: z.string(),
  to: z.string(),
  rows: z.array(
    usageSum.extend({
      day: z.string().optional(),
      agent_id: z.string().nullable().optional(),
      agent_name: z.string().nullable().optional(),
      provider: z.string().optional(),
      model: z.string().optional(),
      team_id: z.string().nullable().optional(),
      team_name: z.string().nullable().optional(),
    }),
  ),
  total: usageSum,
});

/** What a workspace used, as the commands see it. */
export type UsageAnswer = z.output<typeof usageAnswer>;
