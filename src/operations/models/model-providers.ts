/** A vendor of models that this program can call. */
export interface ModelProvider {
  readonly id: string;
  /** The name shown to people. */
  readonly label: string;
  /** Why the workspace cannot call it, and which key or base URL to add; undefined when it can. */
  readonly obstacle: string | undefined;
}

/** The vendors of models, as a workspace reaches them. */
export interface ModelProviders {
  /** All vendors of this program, in the order of their ids. */
  list(workspaceId: string): Promise<readonly ModelProvider[]>;
}
