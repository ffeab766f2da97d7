import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";
import type { components } from "../../api/paths.gen.ts";

/** A task or a team run, as far as both are alike. */
export interface RunHead {
  readonly kind: "task" | "run";
  readonly id: string;
  readonly title: string;
  readonly input: string;
  readonly status: string;
  readonly scheduled_for: string | null;
  readonly result: string | null;
  readonly error: string | null;
  readonly question: OpenQuestion | null;
  readonly attempt: number;
  readonly created_at: string;
  readonly started_at: string | null;
  readonly ended_at: string | null;
  readonly tokens: number;
  readonly cost_usd: number;
  readonly agent_id: string | null;
  readonly team_id: string | null;
  readonly files: components["schemas"]["Task"]["attachments"];
}

/** The question for which it waits, with its deadline. */
export type OpenQuestion = InteractionRequest & { readonly expiresAt?: string };

const TITLE_LENGTH = 120;

/** What the page shows of a task. */
export function headOfTask(task: components["schemas"]["Task"]): RunHead {
  return {
    ...task,
    kind: "task",
    input: task.description,
    question: asQuestion(task.interaction),
    ended_at: task.completed_at,
    tokens: task.usage.total_tokens,
    cost_usd: task.usage.cost_usd,
    agent_id: task.assigned_agent_id,
    team_id: task.assigned_team_id,
    files: task.attachments,
  };
}

/** What the page shows of a team run: its title is the beginning of its input. */
export function headOfRun(run: components["schemas"]["Run"]): RunHead {
  const [first = ""] = run.input_task.split("\n");
  return {
    ...run,
    kind: "run",
    title: first.length > TITLE_LENGTH ? `${first.slice(0, TITLE_LENGTH)}…` : first,
    input: run.input_task,
    scheduled_for: null,
    result: run.output,
    question: asQuestion(run.interaction),
    ended_at: run.completed_at,
    tokens: run.usage.total_tokens,
    cost_usd: run.usage.cost_usd,
    agent_id: null,
    files: run.attachments,
  };
}

/** The API gives the payload of INTERACTION_REQUEST, whose form the OpenAPI document leaves open. */
function asQuestion(interaction: unknown): OpenQuestion | null {
  return isQuestion(interaction) ? interaction : null;
}

function isQuestion(value: unknown): value is OpenQuestion {
  return typeof value === "object" && value !== null && "interactionId" in value && "interactionType" in value;
}
