import { isRecord } from "#lib/is-record.ts";

const POINTER = /^(\/([^~/]|~[01])*)+$/;

/** Whether a text is a JSON pointer (RFC 6901) to something in a document. */
export function isPointer(text: string): boolean {
  return POINTER.test(text);
}

/** The parts of a JSON pointer. */
export function pointerParts(pointer: string): readonly string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
}

/** The value at a JSON pointer; undefined when there is none. */
export function readPointer(value: unknown, pointer: string): unknown {
  return pointerParts(pointer).reduce((at: unknown, part) => {
    if (Array.isArray(at)) return /^(0|[1-9]\d*)$/.test(part) ? at[Number(part)] : undefined;
    return isRecord(at) && Object.hasOwn(at, part) ? at[part] : undefined;
  }, value);
}

/**
 * Returns the names that a JSON Schema allows where a pointer leaves it; undefined when the pointer may exist. A schema
 * that does not list its properties allows any.
 */
export function strayNames(schema: unknown, pointer: string): readonly string[] | undefined {
  let at = schema;
  for (const part of pointerParts(pointer)) {
    if (!isRecord(at)) return undefined;
    if (isRecord(at["items"])) {
      at = at["items"];
      continue;
    }
    const { properties, additionalProperties: more, patternProperties } = at;
    const isOpen = patternProperties !== undefined || more === true || isRecord(more);
    if (!isRecord(properties)) return undefined;
    if (!Object.hasOwn(properties, part)) return isOpen ? undefined : Object.keys(properties);
    at = properties[part];
  }
  return undefined;
}
