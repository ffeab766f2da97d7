/** A built-in tool. */
export interface BuiltInTool {
  readonly name: string;
  /** The description for the model. */
  readonly description: string;
  /** JSON Schema of its arguments. */
  readonly inputSchema: Readonly<Record<string, unknown>>;
  /** Why no agent can use it on this instance, naming the missing setting; undefined when it can be used. */
  readonly obstacle: string | undefined;
}
