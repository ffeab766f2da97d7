import type { ClientTools } from "../tools/client-tools.ts";
import type { OutputTemplate } from "../agents/output-template.ts";
import type { VoiceProfile } from "../agents/voice.ts";

/**
 * The agent as it was when the task was dispatched: what a run needs of it.
 * The database function `agent_snapshot` builds it.
 */
export interface AgentSnapshot {
  readonly id: string;
  /** Its version; null when it was changed for this run, absent in runs dispatched before there were versions. */
  readonly version?: number | null;
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly fallback_model: string | null;
  readonly system_prompt: string;
  readonly temperature: number;
  readonly max_tokens: number | null;
  readonly tools: readonly string[];
  /** The knowledge bases that it may search; empty: all. Absent in runs dispatched before there were any. */
  readonly knowledge_base_ids?: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
  /** The saved voice that it selected, or else its own. Absent in runs dispatched before there were any. */
  readonly voice?: VoiceProfile | null;
  /** The saved output template that it selected, or else its own. Absent in such runs as well. */
  readonly template?: OutputTemplate | null;
}

/** What a person or the agent said in a conversation. */
export interface ConversationMessage {
  /** The sender's own name for it, by which it is recognised when it is sent again. */
  readonly id?: string;
  readonly role: "user" | "assistant";
  readonly content: string;
  /** The ids of the files that came with it. */
  readonly attachments?: readonly string[];
  /** Calls of a client's tools that the agent made after this, with their results. */
  readonly clientCalls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: string;
    readonly result: string;
  }[];
}

/** The input of a task's job; the database function `job_of_task` builds it. */
export interface TaskJob extends RunJob {
  /** Whether the task was given files. */
  readonly hasFiles: boolean;
  /** Whether its workspace has budgets. */
  readonly hasBudgets: boolean;
  /** Whether its journal has steps of another task from its beginning; absent in runs dispatched before there were forks. */
  readonly hasJournal?: boolean;
  /** What a person says besides before a call of the model, by its number. */
  readonly asides?: Readonly<Record<string, string>>;
}

/** What an agent is to do. */
export interface RunJob {
  readonly workspaceId: string;
  readonly taskId: string;
  readonly attempt: number;
  readonly title: string;
  readonly description: string;
  /** What was said so far, the newest last; null for a task that consists of title and description. */
  readonly conversation: readonly ConversationMessage[] | null;
  /** Tools that the client executes itself; absent in runs dispatched before there were any. */
  readonly clientTools?: ClientTools | null;
  readonly agent: AgentSnapshot;
}
