import { openQuestion } from "#domain/tasks/answer-text.ts";
import { taskPrompt } from "#domain/tasks/task-prompt.ts";
import { TASK_STATUSES } from "#domain/tasks/task-status.ts";
import type { TaskStatus } from "#domain/tasks/task-status.ts";
import type { ConversationTask, TaskFile } from "#domain/tasks/conversation-task.ts";

/** The A2A states that tasks of this service have. */
export type State = "submitted" | "working" | "input-required" | "completed" | "failed" | "canceled";

/** The A2A state of each status. */
export const STATE_OF: Readonly<Record<TaskStatus, State>> = {
  pending: "submitted",
  dispatched: "submitted",
  running: "working",
  waiting_for_input: "input-required",
  completed: "completed",
  failed: "failed",
  cancelled: "canceled",
};

const UNSPECIFIED = "unspecified";
/** A2A states that tasks of this service never have. */
const OTHER_STATES = new Set(["rejected", "auth-required", "unknown"]);

/**
 * Returns the statuses shown as a state, by its name in either version; "all" for an unspecified state, undefined for
 * an unknown one.
 */
export function statusesShownAs(name: string): readonly TaskStatus[] | "all" | undefined {
  const state = name
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
  if (state === UNSPECIFIED || state === "") return "all";
  const statuses = TASK_STATUSES.filter((status) => STATE_OF[status] === state);
  return statuses.length > 0 || OTHER_STATES.has(state) ? statuses : undefined;
}

/** The final states. */
export const TERMINAL: ReadonlySet<State> = new Set(["completed", "failed", "canceled"]);

/** A part of a message or an artifact, independent of the version. */
export type Part =
  | { readonly text: string }
  | { readonly data: unknown }
  | { readonly url: string; readonly filename: string; readonly mediaType: string };

/** A message of a conversation. */
export interface Message {
  readonly messageId: string;
  readonly role: "user" | "agent";
  readonly parts: readonly Part[];
}

/** The state of a task, and its time. */
export interface Status {
  readonly state: State;
  /** ISO 8601 in UTC with milliseconds. */
  readonly timestamp: string;
  readonly message?: Message | undefined;
}

/** An output of a task. */
export interface Artifact {
  readonly artifactId: string;
  readonly name: string;
  readonly parts: readonly Part[];
}

/** The ids of a task. */
export interface TaskIds {
  readonly taskId: string;
  readonly contextId: string;
}

/** A task, independent of the version. */
export interface Task extends TaskIds {
  readonly status: Status;
  /** Undefined: omitted. */
  readonly artifacts: readonly Artifact[] | undefined;
  /** Undefined: omitted. */
  readonly history: readonly Message[] | undefined;
}

/** How much of a task to show. */
export interface ViewOptions {
  /** The number of messages of the history, the newest; absent or 0 for none. */
  readonly historyLength?: number | undefined;
  readonly artifacts: "shown" | "hidden";
  /** Returns a URL that gives access to a file without a key. */
  readonly fileUrl: (fileId: string) => string;
}

/** The name of the artifact that holds the result. */
export const RESULT = "result";

/** Returns a task as clients see it. */
export function viewTask(task: ConversationTask, { historyLength = 0, artifacts, fileUrl }: ViewOptions): Task {
  return {
    taskId: task.id,
    contextId: task.context_id,
    status: statusOf(task),
    artifacts: artifacts === "shown" ? artifactsOf(task, fileUrl) : undefined,
    history: historyLength === 0 ? undefined : historyOf(task, fileUrl).slice(-historyLength),
  };
}

/** Returns the state of a task, with the error or the open question as its message. */
export function statusOf({ id, status, attempt, error, interaction, status_at }: ConversationTask): Status {
  const state = STATE_OF[status];
  const timestamp = new Date(status_at).toISOString();
  if (state === "input-required" && interaction !== null) {
    return { state, timestamp, message: questionMessage(interaction) };
  }
  return { state, timestamp, message: error === null ? undefined : agentMessage(`${id}.${attempt}.${state}`, error) };
}

/** Returns a text message of the agent. */
export function agentMessage(messageId: string, text: string): Message {
  return { messageId, role: "agent", parts: [{ text }] };
}

/** Returns a question as text for people, and as data for programs. Its id differs from that of any other question. */
export function questionMessage(interaction: Readonly<Record<string, unknown>>): Message {
  const { interactionId, wizardStepId, title, description, choices } = openQuestion.parse(interaction);
  const messageId = wizardStepId === undefined ? interactionId : `${interactionId}.${wizardStepId}`;
  const options = choices.map(({ id, label }) => `- ${id}: ${label}`);
  const text = [title, description, options.join("\n")].filter((piece) => piece !== "").join("\n\n");
  return { messageId, role: "agent", parts: [{ text }, { data: interaction }] };
}

/** Returns a task's outputs: the text of its result, and files. */
export function artifactsOf({ result, files }: ConversationTask, fileUrl: ViewOptions["fileUrl"]): Artifact[] {
  const text = result === null ? [] : [{ artifactId: RESULT, name: RESULT, parts: [{ text: result }] }];
  const made = files.filter(({ direction }) => direction === "output");
  return [...text, ...made.map((file) => fileArtifact(file, fileUrl))];
}

/** Returns a task's output file as an artifact. */
export function fileArtifact(file: TaskFile, fileUrl: ViewOptions["fileUrl"]): Artifact {
  return { artifactId: file.id, name: file.name, parts: [filePart(file, fileUrl)] };
}

function filePart({ id, name, type }: TaskFile, fileUrl: ViewOptions["fileUrl"]): Part {
  return { url: fileUrl(id), filename: name, mediaType: type };
}

function historyOf(task: ConversationTask, fileUrl: ViewOptions["fileUrl"]): Message[] {
  const said = task.conversation ?? [{ role: "user", content: taskPrompt(task) } as const];
  return said.map(({ id, role, content, attachments = [] }, index) => {
    const files = task.files.filter((file) => attachments.includes(file.id));
    const text = content === "" ? [] : [{ text: content }];
    return {
      messageId: id ?? `${task.id}.${index}`,
      role: role === "user" ? "user" : "agent",
      parts: [...text, ...files.map((file) => filePart(file, fileUrl))],
    };
  });
}
