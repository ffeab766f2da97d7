import type { RunStep } from "./run-steps.ts";

/** A line of the tree of a run's steps. */
export interface TreeLine {
  /** The branch that leads to it. */
  readonly branch: string;
  readonly name: string;
  /** Absent on a line that is only the heading of the lines below. */
  readonly step?: RunStep;
}

/** The suffix in the name of a step that is one of several branches. */
const BRANCH_END = / \((?:\d+ of \d+|merge)\)$/;
const SEPARATOR = ": ";

/** Splits the name of a branch into the common part and its own; undefined for any other step. */
function branchOf(name: string): { readonly parent: string; readonly own: string } | undefined {
  const at = name.indexOf(SEPARATOR);
  if (at === -1 || !BRANCH_END.test(name)) return undefined;
  return { parent: name.slice(0, at), own: name.slice(at + SEPARATOR.length) };
}

/** Returns the steps of a run as a tree, with concurrent branches below the name of their step. */
export function stepTree(steps: readonly RunStep[]): readonly TreeLine[] {
  const roots: { readonly name: string; readonly step?: RunStep; readonly children: RunStep[] }[] = [];
  for (const step of steps) {
    const parent = branchOf(step.name)?.parent;
    const known = roots.findLast(({ name, step: own }) => own === undefined && name === parent);
    if (parent === undefined) roots.push({ name: step.name, step, children: [] });
    else if (known === undefined) roots.push({ name: parent, children: [step] });
    else known.children.push(step);
  }
  return roots.flatMap(({ name, step, children }, index) => {
    const isLast = index === roots.length - 1;
    const below = children.map((child, place) => ({
      branch: `${isLast ? "   " : "│  "}${place === children.length - 1 ? "└─ " : "├─ "}`,
      name: branchOf(child.name)?.own ?? child.name,
      step: child,
    }));
    return [{ branch: isLast ? "└─ " : "├─ ", name, ...(step && { step }) }, ...below];
  });
}
