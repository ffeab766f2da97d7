import { useEffect, useState } from "react";
import type { Agent } from "../records.ts";
import { changedLabels, draftOf } from "./draft.ts";
import type { AgentDraft } from "./draft.ts";

/** The form of an agent: its draft, and what of it is not saved. */
export interface DraftState {
  readonly stored: AgentDraft;
  readonly draft: AgentDraft;
  readonly set: (change: Partial<AgentDraft>) => void;
  /** The labels of the fields with unsaved changes. */
  readonly changed: readonly string[];
  /** The version that the changes were begun on, when a newer one has been saved since. */
  readonly basedOn: number | undefined;
  readonly discard: () => void;
}

interface Kept {
  readonly version: number;
  readonly change: Partial<AgentDraft>;
}

const KEY = "muster.draft.agent.";

/** Holds the changes to an agent until they are saved; a reload of the tab, or leaving the screen, keeps them. */
export function useDraft(agent: Agent): DraftState {
  const key = KEY + agent.id;
  const [kept, setKept] = useState<Kept>(() => readKept(key) ?? { version: agent.version, change: {} });
  const stored = draftOf(agent);
  const draft = { ...stored, ...kept.change };
  const changed = changedLabels(stored, draft);
  const isChanged = changed.length > 0;
  useEffect(() => {
    if (isChanged) sessionStorage.setItem(key, JSON.stringify(kept));
    else sessionStorage.removeItem(key);
  }, [key, kept, isChanged]);
  return {
    stored,
    draft,
    changed,
    set: (change) =>
      setKept((before) => ({
        version: isChanged ? before.version : agent.version,
        change: { ...before.change, ...change },
      })),
    basedOn: isChanged && kept.version < agent.version ? kept.version : undefined,
    discard: () => setKept({ version: agent.version, change: {} }),
  };
}

function readKept(key: string): Kept | undefined {
  const text = sessionStorage.getItem(key);
  return text === null ? undefined : JSON.parse(text);
}
