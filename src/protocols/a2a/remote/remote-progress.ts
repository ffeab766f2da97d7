import { RemoteAgentError } from "./remote-card.ts";
import { filesOf, sayingOf, textOf } from "./remote-parts.ts";
import type { RemoteFile } from "./remote-parts.ts";
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
  /** The files of its artifacts, its answer and its status, in this order. */
  readonly files: readonly RemoteFile[];
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
  const artifacts = createArtifacts();
  let reply: readonly RemotePart[] = [];
  let saying: readonly RemotePart[] = [];
  let known: Omit<RemoteProgress, "text" | "files"> = {
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
    saying = message?.parts ?? [];
    const statusText = sayingOf(saying);
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
        artifacts.set(artifactId || `#${index}`, contentOf(parts));
      }
      setStatus(status);
      reply = isPaused(known) && known.statusText === "" ? newestOf(history ?? []) : [];
    } else if ("statusUpdate" in result) {
      setTask(result.statusUpdate.taskId);
      setStatus(result.statusUpdate.status);
    } else if ("artifactUpdate" in result) {
      const { taskId: id, append, artifact } = result.artifactUpdate;
      setTask(id);
      const before = append ? artifacts.get(artifact.artifactId) : EMPTY;
      artifacts.set(artifact.artifactId, joined(before, contentOf(artifact.parts)));
    } else {
      reply = result.message.parts;
      known = { ...known, state: "completed", contextId: result.message.contextId ?? undefined };
    }
  }

  return {
    get progress() {
      return {
        ...known,
        get text() {
          return artifacts.text() ?? textOf(reply).slice(0, MAX_ANSWER);
        },
        get files() {
          return [...artifacts.files(), ...filesOf(reply), ...filesOf(saying)];
        },
      };
    },
    add: (given) => addResult(parseResult(given)),
  };
}

/** What an artifact contains so far. */
interface ArtifactContent {
  readonly text: string;
  readonly files: readonly RemoteFile[];
}

const EMPTY: ArtifactContent = { text: "", files: [] };

function contentOf(parts: readonly RemotePart[]): ArtifactContent {
  return { text: textOf(parts), files: filesOf(parts) };
}

function joined(before: ArtifactContent, more: ArtifactContent): ArtifactContent {
  return { text: before.text + more.text, files: [...before.files, ...more.files] };
}

/** The artifacts of a task by their ids, within the limits. */
function createArtifacts() {
  const contents = new Map<string, ArtifactContent>();
  let size = 0;
  const get = (id: string) => contents.get(id) ?? EMPTY;
  return {
    get,
    set(id: string, content: ArtifactContent): void {
      size += content.text.length - get(id).text.length;
      contents.set(id, content);
      if (size > MAX_ANSWER) {
        throw new RemoteAgentError(`The remote agent's answer has more than ${MAX_ANSWER} characters.`);
      }
      if (contents.size > MAX_ARTIFACTS) {
        throw new RemoteAgentError(`The remote agent's answer has more than ${MAX_ARTIFACTS} artifacts.`);
      }
    },
    /** The text of all artifacts; undefined when there is none. */
    text(): string | undefined {
      if (contents.size === 0) return undefined;
      const texts = [...contents.values()].map(({ text }) => text);
      return texts.filter((text) => text !== "").join("\n\n");
    },
    files: () => [...contents.values()].flatMap(({ files }) => files),
  };
}

function stateNamed(state: string): string {
  const name = state
    .replace(/^TASK_STATE_/, "")
    .toLowerCase()
    .replaceAll("_", "-");
  return name === "cancelled" ? "canceled" : name;
}

/** The parts of the agent's newest message, if it is the last of all. */
function newestOf(history: readonly HistoryMessage[]): readonly RemotePart[] {
  const newest = history.at(-1);
  return newest !== undefined && AGENT_ROLE.test(newest.role) ? newest.parts : [];
}
