/** The most differing lines that are told apart one by one; beyond, everything between counts as replaced. */
const MAX_EDITS = 500;

/** A line of two texts: in both, only in the first, or only in the second. */
export interface DiffLine {
  readonly change: "kept" | "removed" | "added";
  readonly line: string;
}

/**
 * Compares two texts line by line: the fewest removed and added lines that make the second out of the first
 * (Myers 1986, the greedy algorithm), in the order in which one reads them. Texts that differ in more than
 * {@link MAX_EDITS} lines are told apart only at their common beginning and end.
 */
export function diffLines(before: string, after: string): readonly DiffLine[] {
  const a = before.split("\n");
  const b = after.split("\n");
  const start = commonLength(a, b, (list, index) => list[index]);
  const rest = [a.slice(start), b.slice(start)] as const;
  const end = commonLength(...rest, (list, index) => list.at(-1 - index));
  const inner = rest.map((list) => list.slice(0, list.length - end));
  const [removed = [], added = []] = inner;
  return [
    ...marked("kept", a.slice(0, start)),
    ...(editsOf(removed, added) ?? [...marked("removed", removed), ...marked("added", added)]),
    ...marked("kept", a.slice(a.length - end)),
  ];
}

function commonLength(
  a: readonly string[],
  b: readonly string[],
  at: (list: readonly string[], index: number) => string | undefined,
): number {
  const most = Math.min(a.length, b.length);
  let length = 0;
  while (length < most && at(a, length) === at(b, length)) length++;
  return length;
}

function marked(change: DiffLine["change"], lines: readonly string[]): DiffLine[] {
  return lines.map((line) => ({ change, line }));
}

/** For each number of edits, how far into `a` one comes on each diagonal (its place in `a` less that in `b`). */
type Reach = ReadonlyMap<number, number>;

function editsOf(a: readonly string[], b: readonly string[]): readonly DiffLine[] | undefined {
  const trace: Reach[] = [];
  let reach: Reach = new Map([[1, 0]]);
  for (let edits = 0; edits <= Math.min(MAX_EDITS, a.length + b.length); edits++) {
    trace.push(reach);
    const next = new Map(reach);
    for (let diagonal = -edits; diagonal <= edits; diagonal += 2) {
      let x = stepOnto(reach, diagonal, edits).x;
      while (x < a.length && x - diagonal < b.length && a[x] === b[x - diagonal]) x++;
      next.set(diagonal, x);
      if (x >= a.length && x - diagonal >= b.length) return walkBack(trace, a, b);
    }
    reach = next;
  }
  return undefined;
}

/** How a diagonal is entered by one more edit: from which one, and where in `a`. */
function stepOnto(reach: Reach, diagonal: number, edits: number): { readonly from: number; readonly x: number } {
  const below = reach.get(diagonal - 1) ?? -1;
  const above = reach.get(diagonal + 1) ?? -1;
  const adds = diagonal === -edits || (diagonal !== edits && below < above);
  return adds ? { from: diagonal + 1, x: above } : { from: diagonal - 1, x: below + 1 };
}

function walkBack(trace: readonly Reach[], a: readonly string[], b: readonly string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  let [x, y] = [a.length, b.length];
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const { from, x: entered } = stepOnto(trace[edits] ?? new Map(), x - y, edits);
    while (x > entered) {
      lines.push(...marked("kept", a.slice(x - 1, x)));
      [x, y] = [x - 1, y - 1];
    }
    if (edits === 0) break;
    const adds = from > x - y;
    lines.push(...(adds ? marked("added", b.slice(y - 1, y)) : marked("removed", a.slice(x - 1, x))));
    [x, y] = adds ? [x, y - 1] : [x - 1, y];
  }
  return lines.toReversed();
}
