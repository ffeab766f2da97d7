import type { z } from "zod";
import type { Answer } from "#domain/tasks/answer.ts";
import type { Question } from "#domain/tasks/interaction.ts";
import type { SearchResult } from "#domain/knowledge/knowledge.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";

/** The operator's settings of all tools, by tool name; each as its tool's `settings` parse them. */
export type ToolSettings = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/** A file returned by a tool. */
export interface FileOfTool {
  /** Derived from its type when absent. */
  readonly name?: string | undefined;
  /** The type declared by its source. */
  readonly mediaType: string;
  readonly data: Uint8Array;
}

/** The same file, stored as a file of the task or team run. */
export interface StoredToolFile {
  readonly id: string;
  readonly name: string;
  /** The media type detected from its content. */
  readonly type: string;
  readonly blobKey: string;
}

/** The services available to a tool. */
export interface ToolContext<Settings = Readonly<Record<string, unknown>>> {
  readonly workspaceId: string;
  /** The id of the task or team run that makes the call. */
  readonly subjectId: string;
  /** The call's id: unique in the run or turn, and the same after a crash. */
  readonly callId: string;
  /** Aborts when the task is cancelled or the tool's time limit has passed. */
  readonly signal: AbortSignal;
  /** Fetches addresses given by the model or the workspace; see `fetchWhole` for limits. */
  readonly fetch: SafeFetch;
  /** Fetches addresses that the operator's settings name, also in private networks. */
  readonly fetchAnywhere: SafeFetch;
  /** The operator's settings of this tool. */
  readonly settings: Settings;
  /** The same for every execution of this call, even after a crash: send it as `Idempotency-Key`. */
  readonly idempotencyKey: string;
  /** Goes with calls to other agents, which reject it when agents delegate in a circle. */
  readonly delegationMetadata: Readonly<Record<string, unknown>>;
  /** The position of the call in the run's trace, for services that the workspace has connected; see docs/traces.md. */
  readonly traceparent: string | undefined;
  /** Shows the call's progress in the task's stream; the model does not see it. */
  progress(text: string): Promise<void>;
  /** Stores a file returned by the call. @throws AppError for a type that is not allowed; BlobStoreError */
  storeFile(file: FileOfTool): Promise<StoredToolFile>;
  /** The answers to the questions that earlier executions of this call returned as a {@link Pause}, in order. */
  readonly answers: readonly Answer[];
  /** The signed-in person who has approved this call; undefined when nobody has. */
  approver(): Promise<string | undefined>;
  /** Searches the knowledge bases available to the agent. */
  searchKnowledge(question: string, limit: number): Promise<SearchResult>;
}

/** A question in the middle of a call: the tool is executed again with the answer. */
export interface Pause {
  readonly pauseFor: Question;
}

/** A tool's result if it is more than text. */
export interface ToolOutput {
  /** The text for the model. */
  readonly output: string;
  /** Stored images for models with vision. */
  readonly images: readonly StoredToolFile[];
}

/** A tool that agents can list in `tools`: one file in this folder, with the tool as its default export. */
export interface Tool<Input extends z.ZodType = z.ZodType, Settings extends z.ZodObject = z.ZodObject> {
  readonly name: string;
  /** What it does and when to use it, for the model. */
  readonly description: string;
  readonly input: Input;
  /** The JSON Schema for the model, if it cannot be derived from `input`. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** The name in an agent's `tools`, if the model calls it by another one. */
  readonly listedAs?: string;
  /**
   * The operator's settings: environment variables with their defaults and descriptions. The configuration,
   * `.env.example` and the reference of settings follow from them.
   */
  readonly settings?: Settings;
  /** Why no agent can use it on this service, with the missing setting; undefined when it can be used. */
  findObstacle?(settings: z.output<Settings>): string | undefined;
  /** The time limit of a call in milliseconds, if the tool has its own; by default that of all tools. */
  readonly timeoutMs?: number;
  /** True if its success ends the agent's work: its result is the agent's answer. */
  readonly endsWork?: true;
  /**
   * True if it only passes its arguments on: an integer that a number cannot hold is then an opaque value of
   * `JSON.rawJSON`, which keeps its digits in JSON. Its `input` transforms nothing.
   */
  readonly passesArguments?: true;
  /**
   * Executes the call and returns text for the model; or a question to a person, whose answer the model gets as JSON,
   * however long it takes; or a {@link Pause}; or a {@link ToolOutput}. A thrown error is returned to the model as a
   * tool error; the run continues.
   */
  execute(
    input: z.output<Input>,
    context: ToolContext<z.output<Settings>>,
  ): Promise<string | Question | Pause | ToolOutput>;
}

/** Defines a tool; the generated registry imports it from its file. */
export function defineTool<Input extends z.ZodType, Settings extends z.ZodObject = z.ZodObject>(
  tool: Tool<Input, Settings>,
): Tool<Input, Settings> {
  return tool;
}
