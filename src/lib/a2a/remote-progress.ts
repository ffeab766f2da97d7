import { RemoteAgentError } from "./remote-card.ts";
import { parseResult } from "./remote-result.ts";
import type { HistoryMessage, RemotePart, RemoteResult, RemoteStatus } from "./remote-result.ts";

/** The maximum length of a remote agent's answer, in characters, and the maximum number of its artifacts. */
const MAX_ANSWER = 1_000_000;
const MAX_ARTIFACTS = 1_000;
/** In 0.3, and in 1.0. */
const AGENT_ROLE = /^(?:agent|ROLE_AGENT)$/;

/** The state of a remote agent's work so far. Reading its text joins all artifacts. */
export interface RemoteProgress {
  readonly taskId: string | undefined;
  readonly contextId: string | undefined;
  /** A state by its 0.3 name; `completed` for an answer without a task. */
  readonly state: string | undefined;
  /** The text of its artifacts, or else its answer, or a paused task's last message in the history. */
  readonly text: string;
  /** The text of its status: a question, or why it failed. */
  readonly statusText: string;
  /** Differs between two questions, even with the same text, as far as the agent tells them apart. */
  readonly statusKey: string;
  /** The id of its status's message; undefined when the agent gives none. */
  readonly statusId: string | undefined;
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
export function isPaused({ state }: Pick<RemoteProgress, "state">): boolean {
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
  const artifacts = createArtifactTexts();
  let reply = "";
  let known: Omit<RemoteProgress, "text"> = {
    taskId,
    contextId: undefined,
    state: undefined,
    statusText: "",
    statusKey: "",
    statusId: undefined,
  };

  /** A message belongs to one task: an agent that names another could have any task of the token read or cancelled. */
  function setTask(given: string): void {
    if (known.taskId !== undefined && known.taskId !== given) {
      throw new RemoteAgentError("The remote agent answers for another task than that of the message.");
    }
    known = { ...known, taskId: given };
  }

  function setStatus({ state, timestamp, message }: RemoteStatus): void {
    const statusText = sayingOf(message?.parts ?? []);
    const statusKey = JSON.stringify([message?.messageId, timestamp, statusText]);
    const statusId = message?.messageId ?? undefined;
    known = { ...known, state: stateNamed(state), statusText, statusKey, statusId };
  }

  function addResult(result: RemoteResult): void {
    if ("task" in result) {
      const { id, contextId, artifacts: given, history, status } = result.task;
      setTask(id);
      known = { ...known, contextId: contextId ?? undefined };
      for (const [index, { artifactId, parts }] of (given ?? []).entries()) {
        artifacts.set(artifactId || `#${index}`, textOf(parts));
      }
      setStatus(status);
      reply = isPaused(known) && known.statusText === "" ? newestOf(history ?? []).slice(0, MAX_ANSWER) : "";
    } else if ("statusUpdate" in result) {
      setTask(result.statusUpdate.taskId);
      setStatus(result.statusUpdate.status);
    } else if ("artifactUpdate" in result) {
      const { taskId: id, append, artifact } = result.artifactUpdate;
      setTask(id);
      const before = append ? artifacts.get(artifact.artifactId) : "";
      artifacts.set(artifact.artifactId, before + textOf(artifact.parts));
    } else {
      reply = textOf(result.message.parts).slice(0, MAX_ANSWER);
      known = { ...known, state: "completed", contextId: result.message.contextId ?? undefined };
    }
  }

  return {
    get progress() {
      return {
        ...known,
        get text() {
          return artifacts.joined() ?? reply;
        },
      };
    },
    add: (given) => addResult(parseResult(given)),
  };
}

/** The text of each artifact of a task, by its id, within the limits. */
function createArtifactTexts() {
  const texts = new Map<string, string>();
  let size = 0;
  const get = (id: string) => texts.get(id) ?? "";
  return {
    get,
    set(id: string, text: string): void {
      size += text.length - get(id).length;
      texts.set(id, text);
      if (size > MAX_ANSWER) {
        throw new RemoteAgentError(`The remote agent's answer has more than ${MAX_ANSWER} characters.`);
      }
      if (texts.size > MAX_ARTIFACTS) {
        throw new RemoteAgentError(`The remote agent's answer has more than ${MAX_ARTIFACTS} artifacts.`);
      }
    },
    /** The text of all artifacts; undefined when there is none. */
    joined(): string | undefined {
      if (texts.size === 0) return undefined;
      return [...texts.values()].filter((text) => text !== "").join("\n\n");
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

/** What a status says to people: a remote agent may repeat its text as data for programs, which is left out. */
function sayingOf(parts: readonly RemotePart[]): string {
  const forPeople = parts.filter(({ data }) => data === undefined);
  return textOf(forPeople) || textOf(parts);
}

/** The text of the agent's newest message, if it is the last of all. */
function newestOf(history: readonly HistoryMessage[]): string {
  const newest = history.at(-1);
  return newest !== undefined && AGENT_ROLE.test(newest.role) ? textOf(newest.parts) : "";
}

/** Texts continue each other, as agents append them piece by piece; data and links are paragraphs of their own. */
function textOf(given: readonly RemotePart[]): string {
  let joined = "";
  let isParagraph = false;
  for (const part of given) {
    const piece = partText(part);
    const wasParagraph = isParagraph;
    isParagraph = part.text === undefined;
    const separator = joined !== "" && piece !== "" && (wasParagraph || isParagraph) ? "\n\n" : "";
    joined += separator + piece;
  }
  return joined;
}

function partText({ text, data, url, filename, file }: RemotePart): string {
  if (text !== undefined) return text;
  const link = url ?? file?.uri;
  if (link !== undefined) return `[${filename ?? file?.name ?? "file"}](${link})`;
  return data === undefined ? "" : JSON.stringify(data);
}
