import { useEffect, useState } from "react";
import { readDraft, storeDraft } from "../../../forms/drafts.ts";
import type { Agent } from "../records.ts";
import { NEW_DRAFT, changedLabels, draftOf } from "./draft.ts";
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
  /** Back to what is saved. Returns what undoes that, also after the page was left. */
  readonly discard: () => () => void;
}

interface Kept {
  readonly version: number;
  readonly change: Partial<AgentDraft>;
}

const NAME = "agent.";
const NEW_NAME = `${NAME}new`;
const NOTHING: Kept = { version: 0, change: {} };

/** The form of a new agent. */
export interface NewDraftState extends Pick<DraftState, "draft" | "set" | "changed" | "discard"> {
  /** Removes what is stored once the agent is created. The form keeps its values until the page is left. */
  readonly removeStored: () => void;
}

/** Stores the form of a new agent until it is created, across a reload of the tab and other screens. */
export function useNewDraft(): NewDraftState {
  const [change, setChange] = useState<Partial<AgentDraft>>(() => readDraft<Kept>(NEW_NAME, NOTHING).change);
  const draft = { ...NEW_DRAFT, ...change };
  const changed = changedLabels(NEW_DRAFT, draft);
  useKeeping(NEW_NAME, { version: 0, change }, changed.length > 0);
  return {
    draft,
    changed,
    set: (next) => setChange((before) => ({ ...before, ...next })),
    discard() {
      setChange({});
      return () => {
        storeDraft(NEW_NAME, { version: 0, change });
        setChange(change);
      };
    },
    removeStored: () => storeDraft(NEW_NAME, undefined),
  };
}

/** Holds the changes to an agent until they are saved; a reload of the tab, or leaving the screen, keeps them. */
export function useDraft(agent: Agent): DraftState {
  const name = NAME + agent.id;
  const [kept, setKept] = useState<Kept>(() => readDraft<Kept>(name, { version: agent.version, change: {} }));
  const stored = draftOf(agent);
  const draft = { ...stored, ...kept.change };
  const changed = changedLabels(stored, draft);
  const isChanged = changed.length > 0;
  useKeeping(name, kept, isChanged);
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
    discard() {
      setKept({ version: agent.version, change: {} });
      return () => {
        storeDraft(name, kept);
        setKept(kept);
      };
    },
  };
}

function useKeeping(name: string, { version, change }: Kept, isChanged: boolean): void {
  useEffect(() => storeDraft(name, isChanged ? { version, change } : undefined), [name, version, change, isChanged]);
}
