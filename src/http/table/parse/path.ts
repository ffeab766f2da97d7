import type { Scanner } from "./scanner.ts";

/** One step into a JSON value: `->` gives JSON, `->>` text; a number counts elements of an array. */
export interface JsonStep {
  readonly key: string | number;
  readonly asText: boolean;
}

/** A column, or a place inside of a JSON column. */
export interface Path {
  readonly column: string;
  readonly steps: readonly JsonStep[];
}

const INDEX = /-?\d+(?=->|::|[.,)]|$)/uy;
/** A key of a JSON object: anything but the signs that end one; a key that holds those is written in quotes. */
const KEY = /(?:[^-(:.,>)"]|-(?!>))+/uy;
const LARGEST_INDEX = 2_147_483_647;

/** Reads `column->key->>key`. */
export function readPath(scanner: Scanner): Path {
  return { column: scanner.name(), steps: readSteps(scanner) };
}

/** Reads `->key->>key`, or nothing. */
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
