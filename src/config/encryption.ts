import { z } from "zod";

const optional = z.string().min(1).optional();

/** Where the encryption key is. */
export const secrets = z.object({
  ENCRYPTION_KEY: optional.describe(
    "32 bytes in base64 or hex that encrypt stored secrets. Default: a key generated in the data folder.",
  ),
  ENCRYPTION_KEY_COMMAND: optional.describe(
    "In place of ENCRYPTION_KEY: a program that prints it, such as a client of a key management service, and its arguments, split at spaces; no shell reads them.",
  ),
  NEW_ENCRYPTION_KEY: optional.describe("The key with which `muster rotate-key` replaces the encryption key."),
});

/** A key that is given twice: which of the two would count is not for us to guess. */
export function keyIssues(given: NodeJS.ProcessEnv): z.core.$ZodIssue[] {
  if (given["ENCRYPTION_KEY"] === undefined || given["ENCRYPTION_KEY_COMMAND"] === undefined) return [];
  const message = "is set as well as ENCRYPTION_KEY: set one of them";
  return [{ code: "custom", path: ["ENCRYPTION_KEY_COMMAND"], message, input: undefined }];
}
