/** How deep a page may be nested for Readability, whose time grows with the third power; those of people stay below a hundred. */
export const READABLE_LEVELS = 250;

/** As much of a node of the DOM as is looked at. */
export interface NestedNode {
  readonly childNodes: Iterable<NestedNode>;
}

/** Whether nodes are nested in a node more than so many levels deep; takes no stack, however deep they are. */
export function nestsDeeperThan(levels: number, node: NestedNode): boolean {
  let level: NestedNode[] = [node];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap(({ childNodes }) => [...childNodes]);
    if (level.length === 0) return false;
  }
  return true;
}
