import { orNotFound } from "#domain/errors.ts";
import { locateRecord } from "#db/queries/accounts/locate.ts";
import type { Located } from "#db/queries/accounts/locate.ts";
import type { Services } from "../context.ts";
import type { SignedIn } from "./session-ring.ts";

/**
 * Finds the workspace of a record among the workspaces of a person, so that a link need not name it.
 * @param idOrSlug the record's id; or the id, the slug or a former slug of a workspace
 * @throws AppError `not_found`, also for a record of another workspace.
 */
export async function locate({ db }: Pick<Services, "db">, who: SignedIn, idOrSlug: string): Promise<Located> {
  return orNotFound("Record")(await locateRecord(db, who.userId, idOrSlug));
}
