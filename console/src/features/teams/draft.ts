import { useRef, useState } from "react";
import { asProblem } from "../../api/problem.ts";
import type { Problem } from "../../api/problem.ts";
import { readDraft, storeDraft } from "../../forms/drafts.ts";
import type { Fields } from "./config/fields.ts";
import { afterEdit, NO_HISTORY, redone, undone } from "./history.ts";
import type { History } from "./history.ts";
import type { TeamMode } from "../used-by/team-mode.ts";
import { useTeamActions } from "./queries.ts";
import type { Team } from "./queries.ts";

/** What a person changes of a team. */
export interface TeamDesign {
  readonly name: string;
  readonly description: string;
  readonly mode: TeamMode;
  readonly config: Fields;
  /** null: every active route. */
  readonly output_route_ids: readonly string[] | null;
  readonly is_marketplace: boolean;
}

/** A team being edited; what is not saved survives a reload. */
export interface TeamDraft {
  readonly design: TeamDesign;
  readonly isDirty: boolean;
  /** The team has been changed by another person since the editing began. */
  readonly isOutdated: boolean;
  readonly isSaving: boolean;
  readonly problem: Problem | undefined;
  /** Why it cannot be saved as it is typed; see {@link setFault}. */
  readonly fault: string | undefined;
  readonly setFault: (fault: string | undefined) => void;
  readonly change: (change: Partial<TeamDesign>) => void;
  /** Saves it, unless the team has been changed since it was read: then it {@link isOutdated}, and a second call saves. */
  readonly save: () => Promise<void>;
  /**
   * Back to what is saved. Returns what undoes that, also after the page was left; undefined if something is lost, such
   * as a text with a {@link fault}.
   */
  readonly discard: () => (() => void) | undefined;
  /** How often that was done: a text that cannot be read is dropped with it. */
  readonly discards: number;
  /** Takes the last edit back; undefined when there is none since the page was opened. */
  readonly undo: (() => void) | undefined;
  /** Makes the edit again that was undone last. */
  readonly redo: (() => void) | undefined;
}

interface Stored {
  /** The `updated_at` of the team from which the editing began. */
  readonly from: string;
  readonly design: TeamDesign;
}

/** Edits a team. */
export function useTeamDraft(team: Team): TeamDraft {
  const { save, reread } = useTeamActions();
  const [stored, setStored] = useState(() => readDraft<Stored | undefined>(nameOf(team.id), undefined));
  /** The newest of it, for a save that takes a while. */
  const newest = useRef(stored);
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [fault, setFault] = useState<string>();
  const [history, setHistory] = useState<History<Stored>>(NO_HISTORY);
  const [discards, setDiscards] = useState(0);
  const saved = designOf(team);
  const design = stored?.design ?? saved;
  const present: Stored = stored ?? { from: team.updated_at, design };

  function keep(next: Stored | undefined): void {
    newest.current = next;
    setStored(next);
    storeDraft(nameOf(team.id), next);
  }

  function show(next: Stored): void {
    keep(JSON.stringify(next.design) === JSON.stringify(saved) ? undefined : next);
  }

  /** A step in the history, as something to press. */
  function going(to: ReturnType<typeof undone<Stored>>): (() => void) | undefined {
    if (to === undefined || fault !== undefined) return undefined;
    return () => {
      setHistory(to.history);
      show(to.state);
    };
  }

  return {
    design,
    isDirty: stored !== undefined,
    isOutdated: stored !== undefined && stored.from !== team.updated_at,
    isSaving,
    problem,
    fault,
    setFault,
    change(change) {
      const next = { from: present.from, design: { ...design, ...change } };
      setHistory(afterEdit(history, present, next));
      show(next);
    },
    async save() {
      setSaving(true);
      setProblem(undefined);
      try {
        // What another person has saved in the meantime is shown first; saving again replaces it.
        const { updated_at: present } = await reread(team.id);
        if (present !== team.updated_at) return;
        const { updated_at: from } = await save(team.id, design);
        // What was typed while it was saved is a new change.
        const later = newest.current;
        keep(later === undefined || later.design === design ? undefined : { ...later, from });
        setHistory(({ past, future }) => ({
          past: past.map(since(from)),
          future: future.map(since(from)),
          typed: undefined,
        }));
      } catch (error) {
        setProblem(asProblem(error));
      } finally {
        setSaving(false);
      }
    },
    undo: going(undone(history, present)),
    redo: going(redone(history, present)),
    discards,
    discard() {
      setDiscards(discards + 1);
      if (stored !== undefined) setHistory(afterEdit(history, stored, { from: team.updated_at, design: saved }));
      keep(undefined);
      setFault(undefined);
      setProblem(undefined);
      if (fault !== undefined) return undefined;
      return () => {
        setHistory(history);
        keep(stored);
      };
    },
  };
}

/** Bases a draft on the team as it is saved now. */
function since(from: string): (stored: Stored) => Stored {
  return (stored) => ({ ...stored, from });
}

function designOf({ name, description, mode, config, output_route_ids, is_marketplace }: Team): TeamDesign {
  return { name, description, mode, config, output_route_ids, is_marketplace };
}

function nameOf(teamId: string): string {
  return `team.${teamId}`;
}
