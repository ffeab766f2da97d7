import { UsageError } from "../errors/cli-error.ts";
import type { KnowledgeApi } from "../service/knowledge-api.ts";
import { resolveName } from "./resolve-name.ts";

/** What the first base is called when nobody has named one. */
const FIRST = "Knowledge";

/**
 * The id of the knowledge base that a user named by its id or its exact name.
 * @throws UsageError when none or several have the name.
 */
export function resolveKnowledgeBase(api: KnowledgeApi, idOrName: string): Promise<string> {
  return resolveName(idOrName, {
    what: "knowledge base",
    list: async () => (await api.listBases(Infinity)).items,
    detail: ({ documents }) => `${documents} documents`,
    none: "There is no knowledge base yet. Make one: muster knowledge create Handbook",
  });
}

/**
 * The base to add to: the named one, else the only one there is; the first is made.
 * @throws UsageError when there are several and none was named.
 */
export async function baseToAddTo(api: KnowledgeApi, idOrName: string | undefined): Promise<string> {
  if (idOrName !== undefined) return resolveKnowledgeBase(api, idOrName);
  const [base, ...others] = (await api.listBases(Infinity)).items;
  if (base === undefined) return (await api.createBase({ name: FIRST })).id;
  if (others.length > 0) throw new UsageError("There are several knowledge bases. Name one with --base.");
  return base.id;
}
