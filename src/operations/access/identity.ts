import { orNotFound } from "#domain/errors.ts";
import type { Principal } from "#domain/access/principal.ts";
import { readIdentity } from "#db/queries/access/identity.ts";
import type { Identity } from "#db/queries/access/identity.ts";
import type { Services } from "../context.ts";

/** Returns the user of the credential, in the credential's workspace. @throws AppError `not_found`. */
export async function whoAmI(services: Services, who: Principal): Promise<Identity> {
  return orNotFound("User")(await readIdentity(services.db, who));
}
