import type { MusterClient } from "#client/index.ts";
import { UsageError } from "../errors/cli-error.ts";
import { resolveId } from "./resolve-record.ts";

/** What the first base is called when it was not named. */
const FIRST = "Knowledge";

/**
 * The id of the base to add to: the named one, else the only one there is; the first is made.
 * @throws UsageError when there are several and none was named.
 */
export async function baseToAddTo(muster: MusterClient, idOrName: string | undefined): Promise<string> {
  if (idOrName !== undefined) return resolveId(muster, "base", idOrName);
  const [base, ...others] = (await muster.listKnowledgeBases({ limit: 2 })).items;
  if (base === undefined) return (await muster.createKnowledgeBase({ name: FIRST })).id;
  if (others.length > 0) throw new UsageError("There are several knowledge bases. Name one with --base.");
  return base.id;
}
