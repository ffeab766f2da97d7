import { z } from "zod";

const OPENING = /\[\[(tool|say|fail|slow|words):/g;
const HEADING = /^#{1,6} /;
const CLOSING = "]]";
const TOOL = /^\s*([\w:/.-]+)\s*([\s\S]*)$/;
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
  const directives: Directive[] = [];
  let rest = "";
  let position = 0;
  for (const { 0: opening, 1: name = "", index } of line.matchAll(OPENING)) {
    const start = index + opening.length;
    const end = index < position ? -1 : findEnd(line, start, name);
    if (end !== -1) {
      directives.push({ name, value: line.slice(start, end) });
      rest += line.slice(position, index);
      position = end + CLOSING.length;
    }
  }
  return { directives, rest: rest + line.slice(position) };
}

/** Where a directive's value ends: JSON arguments may hold `]]` themselves, so the first end that parses counts. */
function findEnd(line: string, start: number, name: string): number {
  const first = line.indexOf(CLOSING, start);
  if (name !== "tool") {
    return first;
  }
  for (let end = first; end !== -1; end = line.indexOf(CLOSING, end + 1)) {
    const json = TOOL.exec(line.slice(start, end))?.[2] ?? "";
    if (json === "" || isJson(json)) {
      return end;
    }
  }
  return first;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
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
