import type { ConnectionField, ConnectionFields } from "./connection-fields.ts";
import type { FieldIssue } from "../errors.ts";

/** A field of connections to a provider, besides key and base URL. */
export interface ProviderField {
  readonly name: ConnectionField;
  /** What it is, in a sentence. */
  readonly help: string;
}

/** A provider that this version can call. */
export interface ModelProvider {
  readonly id: string;
  /** The display name. */
  readonly label: string;
  /** What its key is; absent: an API key. */
  readonly keyHelp?: string | undefined;
  readonly fields: readonly ProviderField[];
  /** Why the workspace cannot call it, and which key or base URL to add; undefined when it can. */
  readonly obstacle: string | undefined;
}

/** What a workspace gives of a connection. */
export interface GivenConnection extends ConnectionFields {
  readonly apiKey?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** A call that tests a connection to a provider. */
export interface ConnectionTest {
  readonly provider: string;
  /** The connection to test; absent: the one that the workspace's runs use. */
  readonly given?: GivenConnection | undefined;
  /** The model to call; absent: a cheap one of the provider. */
  readonly model?: string | undefined;
  readonly signal: AbortSignal;
}

/** The result of a test. */
export interface ConnectionTestResult {
  readonly ok: boolean;
  readonly latencyMs: number;
  /** The provider's message, or what is missing; secrets are redacted. */
  readonly message: string;
}

/** The providers, as a workspace reaches them. */
export interface ModelProviders {
  /** Calls a model of a provider once, for a few tokens. Never throws for errors of the provider. */
  test(workspaceId: string, test: ConnectionTest): Promise<ConnectionTestResult>;
  /** Returns what of a connection its provider does not accept, by the fields of a request. */
  check(provider: string, given: GivenConnection): readonly FieldIssue[];
  /** All providers of this version, ordered by id. */
  list(workspaceId: string): Promise<readonly ModelProvider[]>;
  /** Drops what this process has cached of a workspace's keys: its next run uses the changed ones. */
  invalidate(workspaceId: string): void;
}
