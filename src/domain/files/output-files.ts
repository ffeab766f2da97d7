import { extensionOf, kindOfType, typeOfName } from "./media-type.ts";
import { isProgram, safeName } from "./file.ts";

/** A file in an agent's result. */
export interface OutputFile {
  /** Unique among the files of the result. */
  readonly name: string;
  readonly type: string;
  readonly text: string;
}

/** The maximum number of files of one result; further blocks remain text. */
export const MAX_OUTPUTS = 20;

/** The line that opens a fenced code block: its indentation, its fence, and the info string. */
const OPENING = /^( {0,3})(`{3,}|~{3,})([^]*)$/;
/** `title="report.csv"`, with or without quotes. */
const NAMED = /(?:^|\s)(?:title|filename|file)=(?:"([^"]+)"|'([^']+)'|(\S+))/i;
const ENDING = /^[a-z\d]{1,10}$/;

/**
 * Finds the fenced code blocks of a result that have a file name. The name follows the language (```` ```csv report.csv
 * ````, ```` ```csv:report.csv ````) or is in `title=`, `filename=` or `file=`. Empty and unclosed blocks are ignored,
 * and so are names of programs. Repeated names are numbered.
 */
export function findOutputFiles(result: string): readonly OutputFile[] {
  const taken = new Set<string>();
  return fencedBlocks(result)
    .flatMap(({ info, text }) => {
      const name = nameIn(info);
      return name === undefined || text === "" ? [] : [{ name, text }];
    })
    .slice(0, MAX_OUTPUTS)
    .map(({ name, text }) => ({ name: numbered(name, taken), type: textTypeOf(name), text }));
}

interface Block {
  readonly info: string;
  readonly text: string;
}

function fencedBlocks(result: string): Block[] {
  const lines = result.split(/\r?\n/);
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; at++) {
    const [, indent = "", fence, info = ""] = OPENING.exec(lines[at] ?? "") ?? [];
    // The info string of a backtick fence contains no backtick (https://spec.commonmark.org/0.31.2/#info-string).
    if (fence === undefined || (fence.startsWith("`") && info.includes("`"))) continue;
    const closing = new RegExp(`^ {0,3}${fence[0]}{${fence.length},}[ \\t]*$`);
    let end = at + 1;
    while (end < lines.length && !closing.test(lines[end] ?? "")) end++;
    // Unclosed: the rest may be truncated.
    if (end === lines.length) break;
    const indentation = new RegExp(`^ {0,${indent.length}}`);
    const body = lines.slice(at + 1, end).map((line) => line.replace(indentation, ""));
    blocks.push({ info: info.trim(), text: body.map((line) => `${line}\n`).join("") });
    at = end;
  }
  return blocks;
}

function nameIn(info: string): string | undefined {
  const [, quoted, single, bare] = NAMED.exec(info) ?? [];
  const [first = "", second = ""] = info.split(/\s+/);
  const given = [quoted, single, bare, second, first.split(":")[1]].find((name) => isName(name ?? ""));
  const name = given === undefined ? undefined : safeName(given);
  return name === undefined || isProgram(name) ? undefined : name;
}

function isName(text: string): boolean {
  return !text.includes("=") && /[^./\\]\.[^./\\]+$/.test(text) && ENDING.test(extensionOf(text));
}

function numbered(name: string, taken: Set<string>): string {
  const ending = extensionOf(name);
  const stem = name.slice(0, -ending.length - 1);
  let unique = name;
  for (let copy = 2; taken.has(unique.toLowerCase()); copy++) unique = `${stem}-${copy}.${ending}`;
  taken.add(unique.toLowerCase());
  return unique;
}

/** A block is text, whatever its name says. */
function textTypeOf(name: string): string {
  const type = typeOfName(name);
  return type !== undefined && kindOfType(type) === "text" ? type : "text/plain";
}
