/**
 * The limit that a request exceeded. `nesting`: it is nested too deeply to be sent. `queue`: it waited too long for its
 * turn or for CPU time.
 */
export type SandboxLimit = "time" | "memory" | "nesting" | "queue";

/** A request to a sandbox was not completed because it exceeded a limit. */
export class SandboxLimitError extends Error {
  override readonly name = "SandboxLimitError";
  readonly limit: SandboxLimit;

  constructor(limit: SandboxLimit, options?: ErrorOptions) {
    super(`The request exceeded the sandbox's limit: ${limit}.`, options);
    this.limit = limit;
  }
}
