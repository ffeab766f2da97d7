/** A delivery failed. The message is written to the delivery log with its secrets masked. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  /** True when a retry would repeat something that was already done. */
  readonly isFinal: boolean;
  /** The receiver's rate limit rejected it: the wait that it asks for, in milliseconds. */
  readonly waitMs: number | null;

  constructor(message: string, options: ErrorOptions & { readonly isFinal?: boolean; readonly waitMs?: number } = {}) {
    super(message, options);
    this.isFinal = options.isFinal ?? false;
    this.waitMs = options.waitMs ?? null;
  }
}
