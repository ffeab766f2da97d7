/** The maximum nesting for Readability, whose time grows with the third power; real pages stay below a hundred. */
export const READABLE_LEVELS = 250;

/** The maximum nesting for the parser, which would take minutes for more. */
export const PARSABLE_LEVELS = 5_000;

/** Elements without an end tag, or with an optional one, which do not indicate nesting. */
const UNENDED = new Set(
  `area base body br col colgroup dd dt embed head hr html img input li link meta optgroup option p param source tbody
  td tfoot th thead tr track wbr`.split(/\s+/),
);
/** What follows the name begins with another character than a name has, so that no text is searched twice. */
const TAG = /<(\/?)([a-z][a-z0-9:-]*)(?:[^<>a-z0-9:-][^<>]*)?>/gi;

/**
 * Whether markup is nested more than this many levels, judged by its tags, because the parser's time grows with the
 * square of the depth. Some nesting is missed; real markup is never judged much deeper than it is.
 */
export function isMarkupDeeperThan(levels: number, html: string): boolean {
  let depth = 0;
  for (const [tag, slash, name = ""] of html.matchAll(TAG)) {
    if (UNENDED.has(name.toLowerCase()) || tag.endsWith("/>")) continue;
    depth = Math.max(0, depth + (slash === "" ? 1 : -1));
    if (depth > levels) return true;
  }
  return false;
}

/** The used part of a DOM node. */
export interface NestedNode {
  readonly childNodes: Iterable<NestedNode>;
}

/** Whether a DOM tree is deeper than this many levels; uses no call stack. */
export function nestsDeeperThan(levels: number, node: NestedNode): boolean {
  let level: NestedNode[] = [node];
  for (let depth = 0; depth <= levels; depth++) {
    level = level.flatMap(({ childNodes }) => [...childNodes]);
    if (level.length === 0) return false;
  }
  return true;
}
