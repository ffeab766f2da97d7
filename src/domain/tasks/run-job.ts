import type { ClientTools } from "../tools/client-tools.ts";
import type { AgentReasoning } from "../agents/agent.ts";
import type { GoldenCheck } from "../golden/golden-check.ts";
import type { RecordedTool } from "../golden/recorded-tools.ts";
import type { ReasoningSummary } from "../models/model-catalogue.ts";
import type { OutputTemplate } from "../agents/output-template.ts";
import type { VoiceProfile } from "../agents/voice.ts";

/** The agent at dispatch, with the fields that a run needs. The database function `agent_snapshot` builds it. */
export interface AgentSnapshot {
  readonly id: string;
  /** Its version; null when it was changed for this run, absent in runs from before versions existed. */
  readonly version?: number | null;
  readonly name: string;
  readonly provider: string;
  readonly model: string;
  readonly fallback_model: string | null;
  /** The models to call in this order when the model fails. Absent in runs from before there were several. */
  readonly fallback_models?: readonly string[];
  readonly system_prompt: string;
  /** Null: none is sent. */
  readonly temperature: number | null;
  readonly max_tokens: number | null;
  /** How its models reason, and the summary that a client asked for. Absent in runs from before it could be set. */
  readonly reasoning?: AgentReasoning & { readonly summary?: ReasoningSummary };
  /** The JSON Schema that its result satisfies, if any. Absent in the same runs. */
  readonly output_schema?: Readonly<Record<string, unknown>> | null;
  /** Whether providers may cache its prompts. Absent in the same runs. */
  readonly prompt_caching?: boolean;
  readonly tools: readonly string[];
  /** The knowledge bases that it may search; empty for all. Absent in runs from before they existed. */
  readonly knowledge_base_ids?: readonly string[];
  readonly config: Readonly<Record<string, unknown>>;
  /** The workspace's rules on approvals. Absent in runs from before they existed. */
  readonly workspace_approvals?: unknown;
  /** The saved voice that it selected, or else its own. Absent in runs from before they existed. */
  readonly voice?: VoiceProfile | null;
  /** The saved output template that it selected, or else its own. Absent in the same runs. */
  readonly template?: OutputTemplate | null;
}

/** An attempt of a task. */
export interface AttemptOf {
  readonly runId: string;
  readonly attempt: number;
}

/** A message of a person or the agent in a conversation. */
export interface ConversationMessage {
  /** The sender's id of the message, by which a repeated one is recognised. */
  readonly id?: string;
  readonly role: "user" | "assistant";
  readonly content: string;
  /** The attempt whose result this is: its recorded steps have all that the agent thought, called and said for it. */
  readonly of?: AttemptOf;
  /** What the sender's client adds for the model, as a section of its own; absent if it is as at the message before. */
  readonly clientSection?: string;
  /** The ids of its files. */
  readonly attachments?: readonly string[];
  /** How many delegations from agent to agent led to it; absent when no agent sent it. */
  readonly delegationDepth?: number;
  /** Client tool calls that the agent made after this message, with their results. */
  readonly clientCalls?: readonly {
    readonly id: string;
    readonly name: string;
    readonly arguments: string;
    readonly result: string;
  }[];
}

/** The case that a golden run tries: its tools answer from the record, and its result is checked. */
export interface GoldenInput {
  readonly tools: readonly RecordedTool[];
  readonly expected: string;
  readonly checks: readonly GoldenCheck[];
  /** The agents that judge, by id. */
  readonly judges: Readonly<Record<string, AgentSnapshot>>;
}

/** The input of a task's job; the database function `job_of_task` builds it. */
export interface TaskJob extends RunJob {
  readonly taskId: string;
  /** Whether the task has input files. */
  readonly hasFiles: boolean;
  /** Whether its workspace has budgets. */
  readonly hasBudgets: boolean;
  /** Whether its journal starts with steps of another task; absent in runs from before forks existed. */
  readonly hasJournal?: boolean;
  /** A person's additional instructions before a model call, by its number. */
  readonly asides?: Readonly<Record<string, string>>;
}

/** An agent's work: a task, or its turn in a team run. */
export interface RunJob {
  readonly workspaceId: string;
  /** The page whose visitor started it, if any; absent in runs from before pages existed. */
  readonly pageId?: string | null;
  readonly attempt: number;
  readonly title: string;
  readonly description: string;
  /** The messages so far, newest last; null for a task that consists of title and description. */
  readonly conversation: readonly ConversationMessage[] | null;
  /** Tools that the client executes itself; absent in runs from before they existed. */
  readonly clientTools?: ClientTools | null;
  readonly agent: AgentSnapshot;
  /** Null or absent for work that is no case of a golden run. */
  readonly golden?: GoldenInput | null;
  /** As `readStoredTrace` reads it; null when the run is not traced, absent in runs from before traces existed. */
  readonly trace?: string | null;
}
