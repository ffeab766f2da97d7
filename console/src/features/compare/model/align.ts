import type { StepRow } from "../../records/run-head.ts";
import { nameOf } from "../../run/model/names.ts";
import { buildTree } from "../../run/model/tree.ts";
import type { StepNode } from "../../run/model/tree.ts";

/** Two steps that correspond, or one without a counterpart. */
export interface Pair {
  /** Names the pair in URLs: the key of its first step, with the side. */
  readonly key: string;
  readonly a: StepNode | undefined;
  readonly b: StepNode | undefined;
  readonly parts: readonly Pair[];
  /** Whether both did the same, with all their parts. */
  readonly isEqual: boolean;
}

/**
 * Aligns the steps of two attempts: by kind and name within the same parent, the first of a name with the first. They
 * are in the order of the first attempt; steps of only the second keep their position in it.
 */
export function alignSteps(a: readonly StepRow[], b: readonly StepRow[]): readonly Pair[] {
  return align(buildTree(a), buildTree(b));
}

type Nodes = readonly StepNode[];

function align(a: Nodes, b: Nodes): readonly Pair[] {
  const left = named(a);
  const right = named(b);
  return mergedOrder([...left.keys()], [...right.keys()]).map((name) => pairOf(left.get(name), right.get(name)));
}

function pairOf(a: Pair["a"], b: Pair["b"]): Pair {
  const parts = isReused(a) || isReused(b) ? [] : align(a?.parts ?? [], b?.parts ?? []);
  const key = a === undefined ? `b:${b?.row.key ?? ""}` : `a:${a.row.key}`;
  const isEqual = a !== undefined && b !== undefined && isSame(a.row, b.row) && parts.every((part) => part.isEqual);
  return { key, a, b, parts, isEqual };
}

/** Whether a fork has taken a group over as a whole: its calls are in the other run only, which is no difference. */
function isReused(node: StepNode | undefined): boolean {
  return node?.row.taken_over === true && node.parts.length === 0;
}

/** The steps of a group by kind, name, and which of that name it is. */
function named(nodes: Nodes): ReadonlyMap<string, StepNode> {
  const seen = new Map<string, number>();
  return new Map(
    nodes.map((node) => {
      const name = `${node.row.kind} ${nameOf(node.row)}`;
      const nth = seen.get(name) ?? 0;
      seen.set(name, nth + 1);
      return [`${name} ${nth}`, node];
    }),
  );
}

/** All names of two lists: each of the second only comes after what comes before it there. */
function mergedOrder(a: readonly string[], b: readonly string[]): readonly string[] {
  const own = new Set(a);
  const merged = [...a];
  let at = 0;
  for (const name of b) {
    if (own.has(name)) at = merged.indexOf(name) + 1;
    else merged.splice(at++, 0, name);
  }
  return merged;
}

/** What a fork has taken from another run is the same; otherwise what was sent and what came of it decide. */
function isSame(a: StepRow, b: StepRow): boolean {
  if (a.status !== b.status || a.error_code !== b.error_code || a.model !== b.model) return false;
  return a.taken_over === true || b.taken_over === true || a.digest === b.digest;
}

/** A pair as a row of the list, or a run of equal pairs that are folded into one row. */
export type ComparedLine =
  | { readonly kind: "pair"; readonly pair: Pair; readonly level: number }
  | { readonly kind: "equal"; readonly key: string; readonly count: number; readonly level: number };

/** The rows of the list. @param showsEqual whether equal pairs are shown one by one */
export function linesOf(pairs: readonly Pair[], showsEqual: boolean, level = 1): readonly ComparedLine[] {
  const lines: ComparedLine[] = [];
  for (const pair of pairs) {
    const last = lines.at(-1);
    if (!pair.isEqual || showsEqual) {
      lines.push({ kind: "pair", pair, level }, ...linesOf(pair.parts, showsEqual, level + 1));
    } else if (last?.kind === "equal" && last.level === level) {
      lines[lines.length - 1] = { ...last, count: last.count + 1 };
    } else {
      lines.push({ kind: "equal", key: pair.key, count: 1, level });
    }
  }
  return lines;
}
