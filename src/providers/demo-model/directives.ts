import { z } from "zod";

const OPENING = /\[\[(tool|say|think|fail|slow|words):/g;
const HEADING = /^#{1,6} /;
const CLOSING = "]]";
const TOOL = /^\s*([\w:/.-]+)\s*([\s\S]*)$/;
const TOOL_NAME = /\s*[\w:/.-]+\s*/y;
const BLANKS = /\s*/y;
/** The tokens that determine JSON nesting: brackets, and strings, whose brackets do not count. */
const JSON_SIGN = /[{}[\]]|"(?:[^"\\]|\\.)*"?/g;
const OPENS_JSON = /^[{[]$/;
const CLOSES_JSON = /^[}\]]$/;
const MAX_WORDS = 100_000;
const MAX_PAUSE_MS = 60_000;

/** A tool call of a directive; `arguments` is the JSON text as written. */
export interface DirectedCall {
  readonly name: string;
  readonly arguments: string;
}

/** One turn of the demo model: it fails, or answers with text and tool calls. */
export interface Turn {
  readonly calls: readonly DirectedCall[];
  readonly text: string | undefined;
  /** What it thinks first. */
  readonly thought: string | undefined;
  readonly failure: string | undefined;
}

/** The directives of a message. */
export interface Script {
  /** The turns, one per line with `tool`, `fail` or `say`, in order. */
  readonly turns: readonly Turn[];
  /** The pause before each word in milliseconds, if given. */
  readonly pauseMs: number | undefined;
  /** The length of the last answer in words, if given. */
  readonly words: number | undefined;
  /** The first line that is not a heading and not empty after removing directives; "" without one. */
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

/** Parses the directives of a user message; everything else is ordinary text. */
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
 * The end of a directive's value, -1 if there is none. JSON arguments may contain `]]`. After unclosed arguments, the
 * first `]]` is used for all following ones, so no part of a line is scanned twice.
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

/** The end of a regular expression's match at a position; the position itself without a match. */
function endOf(sticky: RegExp, line: string, at: number): number {
  sticky.lastIndex = at;
  return sticky.test(line) ? sticky.lastIndex : at;
}

/** The position after the JSON object or array at `start`; the end of the line when it is not closed. */
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
  const thought = valueOf("think");
  const failure = valueOf("fail");
  const isTurn = calls.length > 0 || text !== undefined || failure !== undefined;
  return isTurn ? { calls, text, thought, failure } : undefined;
}

function toCall({ value }: Directive): DirectedCall {
  const [, name = value.trim(), json = ""] = TOOL.exec(value) ?? [];
  return { name, arguments: json.trim() === "" ? "{}" : json.trim() };
}

function toNumber(directives: readonly Directive[], name: string, max: number): number | undefined {
  const value = directives.find((directive) => directive.name === name)?.value;
  return z.coerce.number().int().min(0).max(max).optional().catch(undefined).parse(value);
}
