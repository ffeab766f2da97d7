/** A tool that this program has. */
export interface BuiltInTool {
  readonly name: string;
  /** What the model is told of it. */
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Why no agent can use it on this service, naming the setting that is missing; undefined when it can be used. */
  readonly obstacle: string | undefined;
}
