import { useCallback, useMemo, useState } from "react";
import { matchingKeys } from "../model/filter.ts";
import type { StepFilter } from "../search.ts";
import { flatten, prune } from "../model/flatten.ts";
import type { FlatRow } from "../model/flatten.ts";
import { buildTree, startsOpen } from "../model/tree.ts";
import type { StepNode } from "../model/tree.ts";
import type { StepRow } from "../../records/run-head.ts";

/** What is asked of the steps. */
export interface StepQuestion {
  readonly text: string;
  readonly filter: StepFilter | undefined;
}

/** The tree of the steps as it is shown. */
export interface StepTree {
  readonly flat: readonly FlatRow[];
  readonly totalUsd: number;
  readonly question: StepQuestion;
  readonly ask: (question: StepQuestion) => void;
  readonly setOpen: (key: string, isOpen: boolean) => void;
}

/** Which steps alone are shown; the URL keeps it. */
export interface ShownSteps {
  readonly filter: StepFilter | undefined;
  readonly onFilter: (filter: StepFilter | undefined) => void;
}

/** Builds the tree, filters it, and remembers what is open. @param selected is shown, whatever group holds it */
export function useStepTree(
  rows: readonly StepRow[],
  selected: string | undefined,
  { filter, onFilter }: ShownSteps,
): StepTree {
  const [text, setText] = useState("");
  const question = useMemo(() => ({ text, filter }), [text, filter]);
  const ask = (next: StepQuestion) => {
    setText(next.text);
    if (next.filter !== filter) onFilter(next.filter);
  };
  const [chosen, setChosen] = useState<ReadonlyMap<string, boolean>>(new Map());
  const tree = useMemo(() => buildTree(rows), [rows]);
  const shown = useMemo(() => {
    const keys = matchingKeys(rows, question);
    return keys === undefined ? undefined : prune(tree, (node) => keys.has(node.row.key));
  }, [rows, tree, question]);
  const around = useMemo(() => ancestorsOf(rows, selected), [rows, selected]);
  const flat = useMemo(() => {
    const isOpen = (node: StepNode) =>
      chosen.get(node.row.key) ?? (around.has(node.row.key) || shown !== undefined || startsOpen(node, rows.length));
    return flatten(shown ?? tree, isOpen);
  }, [tree, shown, chosen, around, rows.length]);
  const setOpen = useCallback((key: string, isOpen: boolean) => {
    setChosen((before) => new Map(before).set(key, isOpen));
  }, []);
  return { flat, totalUsd: tree.reduce((sum, { sums }) => sum + sums.costUsd, 0), question, ask, setOpen };
}

function ancestorsOf(rows: readonly StepRow[], key: string | undefined): ReadonlySet<string> {
  const parents = new Map(rows.map((row) => [row.key, row.parent]));
  const found = new Set<string>();
  for (let at = key && parents.get(key); at !== undefined && at !== "" && !found.has(at); at = parents.get(at)) {
    found.add(at);
  }
  return found;
}
