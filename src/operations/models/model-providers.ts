/** A vendor of models that this program can call. */
export interface ModelProvider {
  readonly id: string;
  /** The name shown to people. */
  readonly label: string;
  /** Why the workspace cannot call it, and which key or base URL to add; undefined when it can. */
  readonly obstacle: string | undefined;
}

/** A call that is to prove a connection to a vendor. */
export interface ConnectionTest {
  readonly provider: string;
  /** The key and address to try; absent: those that the workspace's runs use. */
  readonly given?: { readonly apiKey?: string | undefined; readonly baseUrl?: string | undefined } | undefined;
  /** The model to call; absent: a cheap one of the vendor. */
  readonly model?: string | undefined;
  readonly signal: AbortSignal;
}

/** What came of it. */
export interface ConnectionTestResult {
  readonly ok: boolean;
  readonly latencyMs: number;
  /** What the vendor said, or what is missing; secrets are cut. */
  readonly message: string;
}

/** The vendors of models, as a workspace reaches them. */
export interface ModelProviders {
  /** Calls a model of a vendor once, for some tokens. Never throws for what the vendor does. */
  test(workspaceId: string, test: ConnectionTest): Promise<ConnectionTestResult>;
  /** All vendors of this program, in the order of their ids. */
  list(workspaceId: string): Promise<readonly ModelProvider[]>;
}
