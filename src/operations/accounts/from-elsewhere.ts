import { AppError } from "#domain/errors.ts";

/** The error for a credential that may not be used from the address of the request. */
export function fromElsewhere(address: string): AppError {
  return new AppError("forbidden", `This credential may not be used from ${address}: it is limited to other networks.`);
}
