/** How deep a page may be nested for Readability, whose time grows with the third power; those of people stay below a hundred. */
export const READABLE_LEVELS = 250;

/** How deep markup may be nested for the parser, which would take minutes for more. */
export const PARSABLE_LEVELS = 5_000;

/** Elements whose end is left out, or that have none: they tell nothing of how deep a text is nested. */
const UNENDED = new Set(
  `area base body br col colgroup dd dt embed head hr html img input li link meta optgroup option p param source tbody
  td tfoot th thead tr track wbr`.split(/\s+/),
);
const TAG = /<(\/?)([a-z][a-z0-9:-]*)(?![a-z0-9:-])[^<>]*>/gi;

/**
 * Whether markup is nested more than so many levels deep, told from its tags: the parser's time grows with the square
 * of that. Some nesting is not seen, and markup that people write never counts as deeper than it is by much.
 */
export function isMarkedDeeperThan(levels: number, html: string): boolean {
  let depth = 0;
  for (const [tag, slash, name = ""] of html.matchAll(TAG)) {
    if (UNENDED.has(name.toLowerCase()) || tag.endsWith("/>")) continue;
    depth = Math.max(0, depth + (slash === "" ? 1 : -1));
    if (depth > levels) return true;
  }
  return false;
}

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
