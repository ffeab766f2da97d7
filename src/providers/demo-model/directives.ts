import { z } from "zod";

const OPENING = /\[\[(tool|say|fail|slow|words):/g;
const HEADING = /^#{1,6} /;
const CLOSING = "]]";
const TOOL = /^\s*([\w:/.-]+)\s*([\s\S]*)$/;
const TOOL_NAME = /\s*[\w:/.-]+\s*/y;
const BLANKS = /\s*/y;
/** What decides how deep JSON is nested: brackets, and strings, whose brackets do not count. */
const JSON_SIGN = /[{}[\]]|"(?:[^"\\]|\\.)*"?/g;
const OPENS_JSON = /^[{[]$/;
const CLOSES_JSON = /^[}\]]$/;
const MAX_WORDS = 100_000;
const MAX_PAUSE_MS = 60_000;

/** A tool call that a directive asks for; `arguments` is JSON text as it was written. */
export interface DirectedCall {
  readonly name: string;
  readonly arguments: string;
}

/** What one turn of the demo model does: it fails, or says something and calls tools. */
export interface Turn {
  readonly calls: readonly DirectedCall[];
  readonly text: string | undefined;
  readonly failure: string | undefined;
}

/** A message read for directives. */
export interface Script {
  /** The turns asked for, one per line with `tool`, `fail` or `say`, in order. */
  readonly turns: readonly Turn[];
  /** Pause before each word in milliseconds, if asked for. */
  readonly pauseMs: number | undefined;
  /** Length of the last answer in words, if asked for. */
  readonly words: number | undefined;
  /** The first line of the message that is no heading and not empty without its directives; "" when there is none. */
  readonly title: string;
}

interface Directive {
  readonly name: string;
  readonly value: string;
}

interface Line {
  readonly directives: readonly Directive[];
  readonly rest: string;
}

/** Reads the directives of a user message; whatever is no directive counts as ordinary text. */
export function parseScript(message: string): Script {
  const lines = message.split("\n").map(parseLine);
  const all = lines.flatMap((line) => line.directives);
  return {
    turns: lines.map(toTurn).filter((turn) => turn !== undefined),
    pauseMs: toNumber(all, "slow", MAX_PAUSE_MS),
    words: toNumber(all, "words", MAX_WORDS),
    title:
      lines
        .map((line) => line.rest.trim())
        .find((rest) => rest !== "" && !HEADING.test(rest))
        ?.replace(/^Task Title: /, "") ?? "",
  };
}

function parseLine(line: string): Line {
  const findEnd = createEndFinder(line);
  const directives: Directive[] = [];
  let rest = "";
  let position = 0;
  for (const { 0: opening, 1: name = "", index } of line.matchAll(OPENING)) {
    if (index < position) continue;
    const start = index + opening.length;
    const end = findEnd(start, name);
    if (end === -1) break;
    directives.push({ name, value: line.slice(start, end) });
    rest += line.slice(position, index);
    position = end + CLOSING.length;
  }
  return { directives, rest: rest + line.slice(position) };
}

/**
 * Finds where the value of a directive ends, -1 when nowhere. JSON arguments may hold `]]` themselves. After arguments
 * that are not closed, the first `]]` counts for all that follow: so no part of a line is scanned twice.
 */
function createEndFinder(line: string): (start: number, name: string) => number {
  let isBroken = false;
  return (start, name) => {
    const first = line.indexOf(CLOSING, start);
    if (name !== "tool" || first === -1 || isBroken) return first;
    const argumentsAt = endOf(TOOL_NAME, line, start);
    if (argumentsAt >= first || !OPENS_JSON.test(line.charAt(argumentsAt))) return first;
    const end = endOf(BLANKS, line, jsonEnd(line, argumentsAt));
    isBroken = !line.startsWith(CLOSING, end);
    return isBroken ? first : end;
  };
}

/** Where an expression that is matched at a position ends; the position itself when it does not match. */
function endOf(sticky: RegExp, line: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.test(line) ? sticky.lastIndex : at;
}

/** The position after the JSON object or array that begins at `start`; the end of the line when it is not closed. */
function jsonEnd(line: string, start: number): number {
  let depth = 0;
  JSON_SIGN.lastIndex = start;
  for (let found = JSON_SIGN.exec(line); found !== null; found = JSON_SIGN.exec(line)) {
    const [sign] = found;
    if (OPENS_JSON.test(sign)) depth += 1;
    else if (CLOSES_JSON.test(sign)) depth -= 1;
    if (depth === 0) return JSON_SIGN.lastIndex;
  }
  return line.length;
}

function toTurn({ directives }: Line): Turn | undefined {
  const valueOf = (name: string) => directives.find((one) => one.name === name)?.value;
  const calls = directives.filter((one) => one.name === "tool").map(toCall);
  const text = valueOf("say");
  const failure = valueOf("fail");
  const isTurn = calls.length > 0 || text !== undefined || failure !== undefined;
  return isTurn ? { calls, text, failure } : undefined;
}

function toCall({ value }: Directive): DirectedCall {
  const [, name = value.trim(), json = ""] = TOOL.exec(value) ?? [];
  return { name, arguments: json.trim() === "" ? "{}" : json.trim() };
}

function toNumber(directives: readonly Directive[], name: string, max: number): number | undefined {
  const value = directives.find((directive) => directive.name === name)?.value;
  return z.coerce.number().int().min(0).max(max).optional().catch(undefined).parse(value);
}
