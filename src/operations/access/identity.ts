import { orNotFound } from "#domain/errors.ts";
import { readIdentity } from "#db/queries/access/identity.ts";
import type { Identity } from "#db/queries/access/identity.ts";
import type { Workspace } from "../workspace.ts";

/** Returns the user of the credential, in the credential's workspace. @throws AppError `not_found`. */
export async function whoAmI(workspace: Workspace): Promise<Identity> {
  return orNotFound("User")(await readIdentity(workspace));
}
