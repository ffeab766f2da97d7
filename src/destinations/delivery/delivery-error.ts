/** A delivery failed. The message is written to the delivery log with its secrets masked. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  /** True when a retry would repeat something that was already done. */
  readonly isFinal: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isFinal?: boolean } = {}) {
    super(message, options);
    this.isFinal = options.isFinal ?? false;
  }
}
