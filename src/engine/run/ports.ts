import type { BillingTarget } from "#domain/models/billing-target.ts";
import type { EmbeddingModel, EmbeddingRequest, Embeddings } from "#domain/models/embedding.ts";
import type { BillingModel, ModelClient } from "#domain/models/model-call.ts";
import type { GivenConnection } from "#domain/models/model-providers.ts";
import type { OutputFile } from "#domain/files/output-files.ts";
import type {
  BudgetCall,
  BudgetStanding,
  BudgetVerdict,
  InterruptedUsage,
  LostCall,
} from "#db/queries/budgets/budget-reservations.ts";
import type { JobKey, JobOwner } from "#db/queries/queue/job-owner.ts";
import type { GateCall, GateVerdict } from "#db/queries/queue/model-gates.ts";
import type { QuestionEmbedder } from "#operations/ports.ts";
import type { Provider } from "#providers/define-provider.ts";
import type { Tool } from "#tools/define-tool.ts";

/** A model and the client that calls it. */
export interface ModelRoute {
  readonly provider: string;
  readonly model: string;
  readonly client: ModelClient;
  readonly billing: BillingModel;
  /** Identifies the connection and the model, whose rate limits are shared; undefined without a connection. */
  readonly gate: string | undefined;
}

/** A provider, and a connection that is not stored. */
export interface ConnectionChoice {
  readonly provider: string;
  readonly given?: GivenConnection | undefined;
}

/** Resolves a workspace's models to provider clients. */
export interface ProviderDirectory {
  /**
   * The client for a model, with the workspace's key or else the instance's. A model in the catalogue uses its own
   * provider; other models use the given one.
   * @throws RunFailure `PROVIDER_NOT_CONFIGURED`, which says which key to add and where
   */
  route(workspaceId: string, choice: { readonly provider: string; readonly model: string }): Promise<ModelRoute>;
  /**
   * A client for a provider: with the given key and base URL as if they were stored, else as runs use it. A given
   * base URL is restricted like a stored one.
   * @throws RunFailure `PROVIDER_NOT_CONFIGURED`
   */
  connect(workspaceId: string, choice: ConnectionChoice): Promise<ModelClient>;
  /** Why a workspace cannot call a provider, and which key or base URL to add; undefined when it can. */
  findObstacle(workspaceId: string, provider: Provider): Promise<string | undefined>;
  /** Drops a workspace's cached connections after a change. */
  invalidate(workspaceId: string): void;
}

/** A call that was let through. */
export interface Passed {
  readonly kind: "passed";
  /** Whether it waited before. */
  readonly hasWaited: boolean;
  /** How often the provider rejected this call before because of its limits. */
  readonly rejections: number;
  /** Call it with the headers of the response when they arrive, of a rejection too. */
  answered(headers: Readonly<Record<string, string>>): void;
  /** Call it when the call has ended, with its error. */
  ended(error?: unknown): Promise<void>;
}

/** A call that must wait. */
export interface MustWait extends Pick<GateVerdict, "ahead" | "aMinute"> {
  readonly kind: "wait";
  /** When it may ask again, by the database's clock. */
  readonly until: Date;
  readonly waitMs: number;
  readonly reason: "closed" | "limit";
}

/** The gates of all connections and models. */
export interface ModelGates {
  /** Lets a call pass, or says how long it must wait. @param tokens the tokens that it may use */
  acquire(call: Omit<GateCall, "tokens">, tokens: () => number, signal: AbortSignal): Promise<Passed | MustWait>;
  /** Whether a provider failed so often that the next model should be called. */
  isBroken(gate: string | undefined): boolean;
  /** Another process has calls waiting at a gate. */
  share(gate: string): void;
  /** In another process, a model failed so often that the next one should be called. */
  open(gate: string): void;
}

/** Embeds passages and queries, within budgets; each call has a usage record. */
export interface Embedder extends QuestionEmbedder {
  /**
   * The model for new passages of a workspace; undefined when embeddings are off.
   * @param chosen `provider/model`, or `none`; null uses the instance's choice
   */
  modelFor(workspaceId: string, chosen: string | null): Promise<EmbeddingModel | undefined>;
  /**
   * Embeds passages, without retries.
   * @throws ModelError when the provider rejects the call or cannot be reached
   * @throws RunFailure `PROVIDER_NOT_CONFIGURED`, `BUDGET_EXCEEDED`
   */
  embedPassages(payer: BillingTarget, passages: TextsToEmbed): Promise<Embeddings>;
}

/** Texts, and the model to embed them with. */
export type TextsToEmbed = Pick<EmbeddingRequest, "texts" | "signal"> & { readonly model: EmbeddingModel };

/** The budgets of all workspaces, as used by the runs of this process. */
export interface Budgets {
  /** Whether any budget may apply to a call with this billing target. Usually answered from memory. */
  mayApply(workspaceId: string, targets: readonly string[]): Promise<boolean>;
  /** Reserves a call's worst case in all budgets that apply, or returns the budget that it would exceed. */
  reserve(call: BudgetCall): Promise<BudgetVerdict>;
  /** Notes a call that no budget applies to, so that it is recorded if this process dies. @returns whether it is noted */
  note(owner: JobOwner, call: BudgetCall): Promise<boolean>;
  /** Ends the reservation of a call that cost nothing. */
  free(id: string): Promise<void>;
  /** Records an interrupted call, and charges its reservation. */
  interrupt(usage: InterruptedUsage): Promise<void>;
  /** Records the call that was open when a process died, unless it was reserved or noted. */
  recordLost(run: JobKey, lost: LostCall): Promise<void>;
  /** Charges the full reservations of earlier executions of an attempt. */
  chargeOf(run: JobKey): Promise<void>;
  /** Charges the reservations of runs that no process owns. */
  chargeRemaining(): Promise<void>;
  /** Raises a budget by the amount that a person approved, once per answer. */
  extend(standing: BudgetStanding, approved: { readonly call: BudgetCall; readonly answer: string }): Promise<void>;
  /** Drops a workspace's cached scopes after a change of its budgets. */
  invalidate(workspaceId: string): void;
}

/** The tools available to agents. */
export interface ToolRegistry {
  /**
   * The tools of an agent with these names, in order. Unknown names are ignored, and of several tools with the same
   * name for the model the first one wins.
   */
  offered(run: ToolUser, names: readonly string[]): Promise<readonly Tool[]>;
}

/** A run whose agent uses tools, in its workspace. */
export interface ToolUser {
  readonly workspaceId: string;
  readonly subjectId: string;
}

/** The files of a result, or a message that says why the search failed. */
export type FoundOutputs =
  | { readonly files: readonly OutputFile[] }
  | { readonly files: readonly []; readonly skipped: string; readonly cause?: unknown };

/** Finds files in results in a worker, limited in size, memory and time. */
export interface OutputFinder {
  /** Never throws: a failed search must not lose the result. */
  find(workspaceId: string, result: string): Promise<FoundOutputs>;
  close(): Promise<void>;
}
