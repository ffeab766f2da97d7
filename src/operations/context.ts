import type { Database } from "#db/database.ts";
import type { PlacedJob } from "#db/queries/queue/job-owner.ts";
import type { MailRelays } from "#domain/destinations/mail-relay.ts";
import type { DestinationForm } from "#domain/destinations/destination-form.ts";
import type { GroupRule } from "#domain/accounts/group-rules.ts";
import type { JobKindName } from "#domain/tasks/job.ts";
import type { TraceNewRun } from "#domain/traces/sampler.ts";
import type { ModelCatalogue } from "#domain/models/model-catalogue.ts";
import type { PriceList } from "#domain/models/prices.ts";
import type { SchemaChecker } from "#lib/json-schema/schema-checker.ts";
import type { OpenIdProvider } from "#protocols/oidc/openid-provider.ts";
import type { FairLimiter } from "#lib/async/fair-limiter.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import type { BlobStore } from "#lib/blobs/blob-store.ts";
import type { SecretBox } from "#lib/security/secret-box.ts";
import type { ModelProviders } from "#domain/models/model-providers.ts";
import type { BuiltInTool } from "#domain/tools/built-in-tool.ts";
import type { KeyRing, VendorHttp, GoogleOAuth, BlobSweeper, FileLinks, EventBus, QuestionEmbedder } from "./ports.ts";

/** A slot of this process, reserved for a job that a transaction creates or resumes. */
export interface ReservedSlot {
  /** This process, which the transaction records as the owner of the job. */
  readonly executorId: string;
  /** Starts the job; call it after the commit. */
  begin(job: PlacedJob): void;
  /** Frees the slot, unless the job was started. */
  release(): void;
}

/** The job queue of this process, for operations; `changeWorkspace` does all of this. */
export interface WorkQueue {
  /** Reserves a slot for a job, until it is started or released; undefined when none is free. */
  reserve(job: { readonly id: string; readonly kind: JobKindName; readonly lane: string }): ReservedSlot | undefined;
  /**
   * Call after the commit of a transaction that queued a job.
   * @param lane of a run, as {@link laneOf} returns it; for deliveries, the receiver's part of the queue
   */
  wake(lane: string, kind: JobKindName): void;
}

/** The services that operations use; created once at start. */
export interface Services {
  readonly db: Database;
  readonly queue: WorkQueue;
  readonly traceNewRun: TraceNewRun;
  readonly events: EventBus;
  /** Shares database reads of event logs fairly among workspaces. */
  readonly logReads: FairLimiter;
  /** Checks JSON Schemas of workspaces outside the main thread. */
  readonly schemas: SchemaChecker;
  readonly secrets: SecretBox;
  readonly keys: KeyRing;
  /** The contents of files; see `storeBlob` for how orphaned contents are prevented. */
  readonly blobs: BlobStore;
  readonly sweeper: Pick<BlobSweeper, "soon">;
  /** Signed URLs of files, for readers without a key. */
  readonly links: FileLinks;
  /** The size limit of an upload, in bytes. */
  readonly maxFileBytes: number;
  /** Days that the instance keeps ended runs; undefined: until they are deleted. */
  readonly retentionTasksDays: number | undefined;
  readonly embedder: QuestionEmbedder;
  /** Whether anyone may sign up, or only invited people. */
  readonly signUps: "open" | "closed";
  /** The bytes of a prompt that count as one token where the provider reported none. */
  readonly bytesPerToken: number;
  /** The minimum interval between two fires of a schedule, in seconds. */
  readonly scheduleMinSeconds: number;
  /** The number of workspaces that one person may own. */
  readonly workspacesPerPerson: number;
  /** The plan of new workspaces. */
  readonly defaultPlan: string;
  /** The providers that this version can call, and their models. */
  readonly catalogue: ModelCatalogue;
  /** The providers, and whether a workspace can call them. */
  readonly providers: ModelProviders;
  /** The prices of models on this instance. */
  readonly prices: PriceList;
  /** The names of the built-in tools. */
  readonly toolNames: readonly string[];
  /** The built-in tools with descriptions, and whether this instance can use them. */
  readonly builtInTools: readonly BuiltInTool[];
  /** The OAuth client for Google accounts, if the instance has one. */
  readonly google: GoogleOAuth | undefined;
  /** Where people sign in, if the instance has a provider. */
  readonly openId: OpenIdProvider | undefined;
  /** Whether this instance sends mails to people. */
  readonly sendsMail: boolean;
  /** Whether people may sign in with a password; off: at the provider only. */
  readonly passwordSignIn: "on" | "off";
  /** Which roles a provider's groups give in which workspaces. */
  readonly groupRules: readonly GroupRule[];
  /** How long a session that began at the provider lasts, in seconds. */
  readonly providerSessionSeconds: number;
  /** Trello's API, to read cards. */
  readonly trello: VendorHttp;
  /** Slack's API, for what only the person who presses a button sees, and to read files. */
  readonly slack: VendorHttp;
  /** Telegram's API, to read a bot's name and files. */
  readonly telegram: VendorHttp;
  /** The destination types of this version. */
  readonly destinations: readonly DestinationForm[];
  /** Fetches URLs of workspaces, without access to private networks. */
  readonly fetch: SafeFetch;
  /** Whether URLs may be private or without TLS. */
  readonly allowPrivateUrls: boolean;
  /** Mail servers that routes may use without user and password. */
  readonly mailRelays: MailRelays;
}
