/** This execution no longer owns its job: the job was cancelled, or another execution took it over. */
export class OwnershipLostError extends Error {
  override readonly name: string = "OwnershipLostError";
}

/** This execution ends because a model call must wait for its provider's rate limit; its job is queued for later. */
export class HeldError extends OwnershipLostError {
  override readonly name = "HeldError";
  readonly waitMs: number;

  /** @param waitMs from now, in milliseconds */
  constructor(waitMs: number) {
    super("A model call waits for its provider's rate limit.");
    this.waitMs = waitMs;
  }
}

/** This execution ends because its process closes; its job is released. */
export class HandedOverError extends OwnershipLostError {
  override readonly name = "HandedOverError";

  constructor() {
    super("The process is closing; another one continues with the job.");
  }
}
