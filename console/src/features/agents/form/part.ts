import type { AgentDraft } from "./draft.ts";

/** What a part of the form works with. */
export interface PartProps {
  readonly draft: AgentDraft;
  readonly set: (change: Partial<AgentDraft>) => void;
  /** What the server says about a field, or one below it. */
  readonly errorOf: (path: string) => string | undefined;
}
