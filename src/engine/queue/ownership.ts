/** This execution no longer owns its job: the job was cancelled, or another execution took it over. */
export class OwnershipLost extends Error {
  override readonly name: string = "OwnershipLost";
}

/** This execution ends because its process closes; its job is released. */
export class HandedOver extends OwnershipLost {
  override readonly name = "HandedOver";

  constructor() {
    super("The process is closing; another one continues with the job.");
  }
}
