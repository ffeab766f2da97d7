import type { AgentDraft } from "./draft.ts";

/** What a part of the form works with. */
export interface PartProps {
  readonly draft: AgentDraft;
  readonly set: (change: Partial<AgentDraft>) => void;
}
