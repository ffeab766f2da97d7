import type { StepRow } from "../../records/run-head.ts";
import type { StepNode } from "./tree.ts";

/** A row of the tree as it is shown. */
export interface FlatRow {
  readonly node: StepNode;
  /** From 1. */
  readonly level: number;
  /** Its position among its parent's children, from 1, and their number. */
  readonly position: number;
  readonly count: number;
  /** Undefined for a step without parts. */
  readonly isOpen: boolean | undefined;
  /** The group that it is shown in. */
  readonly group: StepRow | undefined;
}

/** The rows of the open parts of the tree, in order. */
export function flatten(nodes: readonly StepNode[], isOpen: (node: StepNode) => boolean): readonly FlatRow[] {
  const rows: FlatRow[] = [];
  function add(parts: readonly StepNode[], level: number, group: StepRow | undefined): void {
    for (const [index, node] of parts.entries()) {
      const open = node.parts.length === 0 ? undefined : isOpen(node);
      rows.push({ node, level, position: index + 1, count: parts.length, isOpen: open, group });
      if (open === true) add(node.parts, level + 1, node.row);
    }
  }
  add(nodes, 1, undefined);
  return rows;
}

/** The matching rows of the tree, with their ancestors; a group that matches as none of its parts does, with all. */
export function prune(nodes: readonly StepNode[], isWanted: (node: StepNode) => boolean): readonly StepNode[] {
  return nodes.flatMap((node) => {
    const parts = prune(node.parts, isWanted);
    if (parts.length > 0) return [{ ...node, parts }];
    return isWanted(node) ? [node] : [];
  });
}

/** The nodes of the tree, parents before their parts. */
export function allNodes(nodes: readonly StepNode[]): readonly StepNode[] {
  return nodes.flatMap((node) => [node, ...allNodes(node.parts)]);
}
