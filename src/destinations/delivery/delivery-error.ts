/** A delivery failed. The message goes into the log of deliveries and is cleaned of secrets there. */
export class DeliveryError extends Error {
  override readonly name = "DeliveryError";
  /** True where another attempt would repeat what has been done already. */
  readonly isFinal: boolean;

  constructor(message: string, options: ErrorOptions & { readonly isFinal?: boolean } = {}) {
    super(message, options);
    this.isFinal = options.isFinal ?? false;
  }
}
