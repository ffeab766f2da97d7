import type { AgentDraft } from "./draft.ts";

/** What a part of the form works with. */
export interface PartProps {
  readonly draft: AgentDraft;
  readonly set: (change: Partial<AgentDraft>) => void;
  /** The server's issue with a field, or with one below it. */
  readonly errorOf: (path: string) => string | undefined;
}
