import { oneOf, textOf } from "../../lib/search.ts";

/** The states of a document. */
export const DOCUMENT_STATUSES = ["pending", "processing", "ready", "failed"] as const;
const VIEWS = ["search"] as const;
const DIALOGS = ["base", "documents"] as const;

/** The search parameters of knowledge. */
export interface KnowledgeSearch {
  /** One knowledge base; all of them when absent. */
  readonly base?: string;
  readonly view?: (typeof VIEWS)[number];
  readonly q?: string;
  readonly status?: (typeof DOCUMENT_STATUSES)[number];
  readonly tag?: string;
  /** The document that is open beside the list. */
  readonly document?: string;
  readonly add?: (typeof DIALOGS)[number];
  /** The question of the search tester. */
  readonly ask?: string;
}

/** Reads the search parameters; unknown ones are dropped. */
export function readKnowledgeSearch(search: Record<string, unknown>): KnowledgeSearch {
  const [base, q, tag] = [textOf(search["base"]), textOf(search["q"]), textOf(search["tag"])];
  const [document, ask] = [textOf(search["document"]), textOf(search["ask"])];
  const view = oneOf(search["view"], VIEWS);
  const status = oneOf(search["status"], DOCUMENT_STATUSES);
  const add = oneOf(search["add"], DIALOGS);
  return {
    ...(base !== undefined && { base }),
    ...(view && { view }),
    ...(q !== undefined && { q }),
    ...(status && { status }),
    ...(tag !== undefined && { tag }),
    ...(document !== undefined && { document }),
    ...(add && { add }),
    ...(ask !== undefined && { ask }),
  };
}

/** Whether a filter hides documents. */
export function isFiltered({ q, status, tag }: KnowledgeSearch): boolean {
  return q !== undefined || status !== undefined || tag !== undefined;
}
