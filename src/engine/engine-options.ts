import type { Logger } from "pino";
import type { Database } from "#db/database.ts";
import type { JobKindName } from "#domain/tasks/job.ts";
import type { Observe } from "#domain/observation.ts";
import type { ModelCatalogue } from "#domain/models/model-catalogue.ts";
import type { TraceNewRun } from "#domain/traces/sampler.ts";
import type { PriceList } from "#domain/models/prices.ts";
import type { Reach } from "#lib/safe-fetch/check-url.ts";
import type { Proxies } from "#lib/safe-fetch/proxies.ts";
import type { SafeFetch } from "#lib/safe-fetch/safe-fetch.ts";
import type { SecretRing } from "#lib/security/secret-ring.ts";
import type { BlobStore } from "#lib/blobs/blob-store.ts";
import type { ExtractionLimits } from "#lib/extraction/limits.ts";
import type { SchemaChecker } from "#lib/json-schema/schema-checker.ts";
import type { AnswerLimits, Provider, ProviderConnection } from "#providers/define-provider.ts";
import type { Tool, ToolSettings } from "#tools/define-tool.ts";
import type { DeliveryServices } from "./destinations/delivery-services.ts";
import type { LeaseTimes } from "./queue/membership.ts";
import type { StartQuarantine } from "./queue/quarantine.ts";
import type { QuarantineGroup } from "./queue/quarantine-groups.ts";
import type { Concurrency } from "./queue/slots.ts";
import type { TraceSettings } from "./traces/trace-exporter.ts";
import type { RecordingSettings, RunLimits } from "./run/run-context.ts";
import type { BlobSweeper, EventBus } from "#operations/ports.ts";

/** Dependencies of the engine. */
export interface EngineOptions {
  readonly db: Database;
  readonly events: EventBus;
  readonly secrets: SecretRing;
  /** The rule for URLs given by workspaces and models, and the fetch that enforces it. */
  readonly reach: Reach;
  readonly fetch: SafeFetch;
  /** The fetch for URLs in the operator's settings. */
  readonly fetchAnywhere: SafeFetch;
  /** The way out to model providers. */
  readonly proxies: Proxies;
  readonly blobs: BlobStore;
  /** Checks workspaces' JSON Schemas in a worker. */
  readonly schemas: SchemaChecker;
  readonly sweeper: BlobSweeper;
  readonly providers: readonly Provider[];
  readonly tools: readonly Tool[];
  readonly toolSettings: ToolSettings;
  /** The instance's provider connections, by provider id. */
  readonly instance: Readonly<Record<string, ProviderConnection>>;
  /** The maximum size of a provider's response. */
  readonly answerLimits: AnswerLimits;
  readonly catalogue: ModelCatalogue;
  readonly prices: PriceList;
  readonly limits: RunLimits;
  readonly recording: RecordingSettings;
  /** The number of jobs of each kind that a process runs concurrently. */
  readonly concurrency: Readonly<Record<JobKindName, Concurrency>>;
  readonly lease: LeaseTimes;
  readonly knowledge: KnowledgeSettings;
  readonly deliveries: Omit<DeliveryServices, "db" | "secrets">;
  /** How long the events and recorded steps of closed runs are kept. */
  readonly retentionDays: number;
  /** Days that ended runs are kept; undefined: until they are deleted. */
  readonly retentionTasksDays: number | undefined;
  /** Decides whether a new run is traced. */
  readonly traceNewRun: TraceNewRun;
  /** How traces are exported; undefined: they are not. */
  readonly traces: TraceSettings | undefined;
  /** How this process runs suspects: in processes that it starts, or as one of these. */
  readonly suspects: StartQuarantine | QuarantineMember;
  readonly log: Logger;
  readonly observe: Observe;
}

/** A quarantine process: it runs the suspects of one group, and nothing else. */
export interface QuarantineMember {
  readonly executorId: string;
  readonly parentId: string;
  readonly group: QuarantineGroup;
  /** Called when it has nothing left to do. */
  readonly onIdle: () => void;
}

/** How documents are read. */
export interface KnowledgeSettings {
  readonly extraction: ExtractionLimits;
  /** The instance's embedding model: `provider/model`, or `none`; undefined: the first provider with a key. */
  readonly embeddingModel: string | undefined;
}
