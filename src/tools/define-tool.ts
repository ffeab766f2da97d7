import type { z } from "zod";
import type { Answer } from "#domain/tasks/answer.ts";
import type { Question } from "#domain/tasks/interaction.ts";
import type { Finds } from "#domain/knowledge/knowledge.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import type { SearchEngineName } from "./web/search-engines.ts";

/** The search service that the operator has chosen. */
export interface SearchSettings {
  readonly engine: SearchEngineName;
  /** Its address, without a slash at its end. */
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Reaches the operator's own service wherever it is, unlike the fetch for addresses that others name. */
  readonly fetch: SafeFetch;
}

/** What the operator has set up for tools. */
export interface ToolSettings {
  /** Absent when no search service is set up. */
  readonly search?: SearchSettings;
}

/** A file that a tool returns. */
export interface FileOfTool {
  /** Made up from its type when absent. */
  readonly name?: string | undefined;
  /** The type that its source declares. */
  readonly mediaType: string;
  readonly data: Uint8Array;
}

/** The same as it is stored, as a file of the task or team run. */
export interface StoredToolFile {
  readonly id: string;
  readonly name: string;
  /** The media type that its content has. */
  readonly type: string;
  readonly blobKey: string;
}

/** What a tool may use while it runs. */
export interface ToolContext {
  readonly workspaceId: string;
  readonly taskId: string;
  /** The call's own id, unique in the run or turn and the same after a crash. */
  readonly callId: string;
  /** Fires when the task is cancelled or the tool's time is up. */
  readonly signal: AbortSignal;
  /** Fetches addresses that the model or the workspace names; see `fetchWhole` for bounds. */
  readonly fetch: SafeFetch;
  readonly settings: ToolSettings;
  /** The same for every execution of this very call, also after a crash: send it as `Idempotency-Key`. */
  readonly idempotencyKey: string;
  /** Shows in the task's stream what the call has come to so far; the model is not told. */
  progress(text: string): Promise<void>;
  /** Stores a file that the call returns. @throws AppError for a type that is not taken; BlobStoreError. */
  storeFile(file: FileOfTool): Promise<StoredToolFile>;
  /** The answers to the questions that earlier executions of this call have returned as a {@link Pause}, in order. */
  readonly answers: readonly Answer[];
  /** Searches the knowledge that the agent may see. */
  searchKnowledge(question: string, limit: number): Promise<Finds>;
}

/** A question in the middle of a call: the tool is executed again with the answer. */
export interface Pause {
  readonly pauseFor: Question;
}

/** What a tool returns when it is more than a text. */
export interface ToolOutput {
  /** What the model reads. */
  readonly output: string;
  /** Stored images that the model is shown, if it can see. */
  readonly images: readonly StoredToolFile[];
}

/** A tool that agents can name in `tools`: one file in this folder with this as its default export. */
export interface Tool<Input extends z.ZodType = z.ZodType> {
  readonly name: string;
  /** What it does and when to use it, written for the model. */
  readonly description: string;
  readonly input: Input;
  /** The JSON Schema that the model is told, where it cannot be made from `input`. */
  readonly inputSchema?: Readonly<Record<string, unknown>>;
  /** The name in an agent's `tools`, where the model calls it by another one. */
  readonly listedAs?: string;
  /** Why no agent can use it on this service, naming the setting that is missing; undefined when it can be used. */
  readonly findObstacle?: (settings: ToolSettings) => string | undefined;
  /** How long a call may take in milliseconds, where it bounds its time itself; that of all tools when absent. */
  readonly timeoutMs?: number;
  /** Present on a tool whose success ends the agent's work: what it returns is the agent's answer. */
  readonly endsWork?: true;
  /**
   * Does the work and returns what the model reads; or a question to a person, whose answer the
   * model gets as JSON, however long it takes; or a {@link Pause}; or a {@link ToolOutput}. A thrown error goes back to the model as a tool error; the run continues.
   */
  execute(input: z.output<Input>, context: ToolContext): Promise<string | Question | Pause | ToolOutput>;
}

/** Declares a tool; the generated registry finds it by its file. */
export function defineTool<Input extends z.ZodType>(tool: Tool<Input>): Tool<Input> {
  return tool;
}
