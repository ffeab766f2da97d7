import { z } from "zod";
import { RemoteAgentError } from "./remote-card.ts";

/** The maximum length of a remote agent's answer, in characters, and the maximum number of its artifacts. */
const MAX_ANSWER = 1_000_000;
const MAX_ARTIFACTS = 1_000;

const optional = z.string().nullish().catch(undefined);

const part = z.looseObject({
  text: z.string().optional(),
  data: z.unknown().optional(),
  url: z.string().optional(),
  filename: z.string().optional(),
  file: z.looseObject({ uri: z.string().optional(), name: z.string().optional() }).optional().catch(undefined),
});
const parts = z.array(part).catch([]);
/** An answer without a task: a message is known by its parts. */
const message = z.looseObject({ parts: z.array(part), taskId: optional, contextId: optional });
const status = z.looseObject({
  state: z.string(),
  timestamp: optional,
  message: z.looseObject({ parts, messageId: optional }).nullish().catch(undefined),
});
const artifact = z.looseObject({ artifactId: z.string().catch(""), parts });
const ids = { taskId: z.string(), contextId: optional };

const task = z.looseObject({
  id: z.string().min(1).max(1_000),
  contextId: optional,
  status,
  artifacts: z.array(artifact).nullish().catch(undefined),
});
const statusUpdate = z.looseObject({ ...ids, status });
const artifactUpdate = z.looseObject({ ...ids, artifact, append: z.boolean().catch(false) });

/** The results of methods and streams of both versions, distinguished by their fields. */
const result = z.union([
  z.looseObject({ task }).transform((given) => ({ task: given.task })),
  z.looseObject({ statusUpdate }).transform((given) => ({ statusUpdate: given.statusUpdate })),
  z.looseObject({ artifactUpdate }).transform((given) => ({ artifactUpdate: given.artifactUpdate })),
  z.looseObject({ message }).transform((given) => ({ message: given.message })),
  task.transform((given) => ({ task: given })),
  artifactUpdate.transform((given) => ({ artifactUpdate: given })),
  statusUpdate.transform((given) => ({ statusUpdate: given })),
  message.transform((given) => ({ message: given })),
]);

/** The state of a remote agent's work so far. Reading its text joins all artifacts. */
export interface RemoteProgress {
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  /** A state by its 0.3 name; `completed` for an answer without a task. */
  readonly state: string | undefined;
  /** The text of its artifacts, or its answer. */
  readonly text: string;
  /** The text of its status: a question, or why it failed. */
  readonly statusText: string;
  /** Differs between two questions, even with the same text, as far as the agent tells them apart. */
  readonly statusKey: string;
}

/** The work has ended, or waits for another message. */
const PAUSED_STATES: ReadonlySet<string> = new Set([
  "completed",
  "failed",
  "canceled",
  "rejected",
  "input-required",
  "auth-required",
]);

/** Whether nothing more arrives without another message. */
export function isPaused({ state }: RemoteProgress): boolean {
  return state !== undefined && PAUSED_STATES.has(state);
}

/** Combines the results that a remote agent sends for one task. */
export interface ProgressCollector {
  readonly progress: RemoteProgress;
  /** Adds the next result. @throws RemoteAgentError for an unknown shape, another task, or too much of an answer */
  add(given: unknown): void;
}

/** Creates an empty collector. @param taskId the task of the message, if it has one already */
export function createProgressCollector(taskId?: string): ProgressCollector {
  const texts = new Map<string, string>();
  let known: Omit<RemoteProgress, "text"> = {
    taskId,
    contextId: undefined,
    state: undefined,
    statusText: "",
    statusKey: "",
  };
  let reply = "";
  let size = 0;

  function setArtifact(id: string, text: string): void {
    size += text.length - (texts.get(id) ?? "").length;
    texts.set(id, text);
    if (size > MAX_ANSWER) {
      throw new RemoteAgentError(`The remote agent's answer has more than ${MAX_ANSWER} characters.`);
    }
    if (texts.size > MAX_ARTIFACTS) {
      throw new RemoteAgentError(`The remote agent's answer has more than ${MAX_ARTIFACTS} artifacts.`);
    }
  }

  /** A message belongs to one task: an agent that names another could have any task of the token read or cancelled. */
  function setTask(given: string): void {
    if (known.taskId !== undefined && known.taskId !== given) {
      throw new RemoteAgentError("The remote agent answers for another task than that of the message.");
    }
    known = { ...known, taskId: given };
  }

  function setStatus(given: z.output<typeof status>): void {
    const statusText = textOf(given.message?.parts ?? []);
    const statusKey = JSON.stringify([given.message?.messageId, given.timestamp, statusText]);
    known = { ...known, state: stateNamed(given.state), statusText, statusKey };
  }

  return {
    get progress() {
      return {
        ...known,
        get text() {
          return texts.size === 0 ? reply : [...texts.values()].filter((one) => one !== "").join("\n\n");
        },
      };
    },
    add(given) {
      const parsed = result.safeParse(given);
      if (!parsed.success) throw new RemoteAgentError("The remote agent answers with something that is not of A2A.");
      const { data } = parsed;
      if ("task" in data) {
        setTask(data.task.id);
        known = { ...known, contextId: data.task.contextId ?? undefined };
        for (const one of data.task.artifacts ?? []) setArtifact(one.artifactId, textOf(one.parts));
        setStatus(data.task.status);
      } else if ("statusUpdate" in data) {
        setTask(data.statusUpdate.taskId);
        setStatus(data.statusUpdate.status);
      } else if ("artifactUpdate" in data) {
        const { artifact: one, append } = data.artifactUpdate;
        setTask(data.artifactUpdate.taskId);
        setArtifact(one.artifactId, (append ? (texts.get(one.artifactId) ?? "") : "") + textOf(one.parts));
      } else {
        reply = textOf(data.message.parts).slice(0, MAX_ANSWER);
        known = { ...known, state: "completed", contextId: data.message.contextId ?? undefined };
      }
    },
  };
}

function stateNamed(state: string): string {
  const name = state
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
  return name === "cancelled" ? "canceled" : name;
}

function textOf(given: z.output<typeof parts>): string {
  return given.map(partText).join("");
}

function partText({ text, data, url, filename, file }: z.output<typeof part>): string {
  if (text !== undefined) return text;
  const link = url ?? file?.uri;
  if (link !== undefined) return `[${filename ?? file?.name ?? "file"}](${link})`;
  return data === undefined ? "" : JSON.stringify(data);
}
