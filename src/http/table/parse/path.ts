import type { Scanner } from "./scanner.ts";

/** One step into a JSON value: `->` returns JSON, `->>` text; a number is an array index. */
export interface JsonStep {
  readonly key: string | number;
  readonly asText: boolean;
}

/** A column, or a path inside a JSON column. */
export interface Path {
  readonly column: string;
  readonly steps: readonly JsonStep[];
}

const INDEX = /-?\d+(?=->|::|[.,)]|$)/uy;
/** A key of a JSON object; one that contains delimiters must be quoted. */
const KEY = /(?:[^-(:.,>)"]|-(?!>))+/uy;
const LARGEST_INDEX = 2_147_483_647;

/** Parses `column->key->>key`. */
export function readPath(scanner: Scanner): Path {
  return { column: scanner.name(), steps: readSteps(scanner) };
}

/** Parses `->key->>key`, or nothing. */
export function readSteps(scanner: Scanner): readonly JsonStep[] {
  const steps: JsonStep[] = [];
  while (scanner.accept("->")) {
    const asText = scanner.accept(">");
    const index = scanner.match(INDEX);
    if (index !== undefined && Math.abs(Number(index)) > LARGEST_INDEX) scanner.fail("a smaller index");
    steps.push({ key: index === undefined ? readKey(scanner) : Number(index), asText });
  }
  return steps;
}

function readKey(scanner: Scanner): string {
  return scanner.quoted() ?? scanner.match(KEY)?.trim() ?? scanner.fail("a key");
}
