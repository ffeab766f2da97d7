import type { Database } from "#db/database.ts";
import type { ClaimedJob } from "#db/queries/queue/job-owner.ts";
import type { DestinationForm } from "#domain/destinations/destination-form.ts";
import type { JobKindName } from "#domain/tasks/job.ts";
import type { ModelCatalogue } from "#domain/models/model-catalogue.ts";
import type { PriceList } from "#domain/models/prices.ts";
import type { SchemaChecker } from "#lib/json-schema/schema-checker.ts";
import type { FairLimiter } from "#lib/async/fair-limiter.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import type { BlobStore } from "#lib/blobs/blob-store.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import type { GoogleOAuth } from "./destinations/google-oauth.ts";
import type { KeyRing } from "./access/authenticate.ts";
import type { BlobSweeper } from "./files/blobs.ts";
import type { FileLinks } from "./files/file-links.ts";
import type { EventBus } from "./streams/event-bus.ts";
import type { QuestionEmbedder } from "./knowledge/rank-passages.ts";
import type { BuiltInTool } from "#domain/tools/built-in-tool.ts";
import type { ModelProviders } from "./models/model-providers.ts";

/** A slot of this process, kept for a job that a transaction is about to create or resume. */
export interface ReservedSlot {
  /** The process, which the transaction makes the owner of the job. */
  readonly executorId: string;
  /** Runs the job; call it after the commit. */
  begin(job: ClaimedJob<never>): void;
  /** Frees the slot, unless the job has begun. */
  release(): void;
}

/** The jobs of this process, for operations; see `withJobs`, which does all of it. */
export interface WorkQueue {
  /** Keeps a slot for a job, until it is begun or released; undefined when none is free for it. */
  reserve(job: { readonly id: string; readonly kind: JobKindName; readonly lane: string }): ReservedSlot | undefined;
  /**
   * Call after the commit of a transaction that has queued a job.
   * @param lane the workspace's id; of deliveries, the part of their queue
   */
  wake(lane: string, kind: JobKindName): void;
}

/** What operations work with; built once at start. */
export interface Services {
  readonly db: Database;
  readonly queue: WorkQueue;
  readonly events: EventBus;
  /** Shares the database fairly among the readers of event logs, by workspace. */
  readonly logReads: FairLimiter;
  /** Checks JSON Schemas of workspaces outside of the main thread. */
  readonly schemas: SchemaChecker;
  readonly secrets: SecretBox;
  readonly keys: KeyRing;
  /** The contents of files; see `storeBlob` for how they are kept from being lost or left behind. */
  readonly blobs: BlobStore;
  readonly sweeper: Pick<BlobSweeper, "soon">;
  /** Addresses of files for who has no key. */
  readonly links: FileLinks;
  /** Longest file that can be uploaded, in bytes. */
  readonly maxFileBytes: number;
  readonly embedder: QuestionEmbedder;
  /** Whether anybody may make an account, or only people who are invited. */
  readonly signUps: "open" | "closed";
  /** Seconds that are at least between two times of a schedule. */
  readonly scheduleMinSeconds: number;
  /** How many workspaces one person may own. */
  readonly workspacesPerPerson: number;
  /** The plan of workspaces that are made. */
  readonly defaultPlan: string;
  /** The vendors that this program can call, and their models. */
  readonly catalogue: ModelCatalogue;
  /** The vendors themselves, and whether a workspace can call them. */
  readonly providers: ModelProviders;
  /** What models cost on this instance. */
  readonly prices: PriceList;
  /** The names of the tools that this program has. */
  readonly toolNames: readonly string[];
  /** The same, described, with whether this service can use them. */
  readonly builtInTools: readonly BuiltInTool[];
  /** The OAuth client for Google accounts, if the instance has one. */
  readonly google: GoogleOAuth | undefined;
  /** The kinds of receivers that this program has. */
  readonly destinations: readonly DestinationForm[];
  /** Fetches what a workspace names, without reaching what only this machine should. */
  readonly fetch: SafeFetch;
  /** Whether addresses may be on this machine itself and without TLS. */
  readonly allowPrivateUrls: boolean;
}
