import { readFileSync, statSync } from "node:fs";
import type { z } from "zod";
import { codeOf } from "#lib/error-code.ts";
import { editDistance, nearest } from "#lib/text/nearest.ts";
import { isOfOthers } from "./variables-of-others.ts";

const FILE = "_FILE";
const MAX_BYTES = 64 * 1024;
const WRITABLE_BY_OTHERS = 0o022;
/** What begins so is meant for this program. */
const OWN_PREFIX = "MUSTER_";
/** Shorter names may be those of other programs. */
const MIN_LETTERS = 8;

/** What an environment says of the settings. */
export interface GivenSettings {
  /** The environment with the contents of files in the place of the variables that named them. */
  readonly given: NodeJS.ProcessEnv;
  readonly issues: readonly z.core.$ZodIssue[];
}

/**
 * Reads which settings an environment gives. The value of a setting may be in a file, which a variable named after it
 * with `_FILE` leads to, as secrets of containers are. An unknown variable that begins with `MUSTER_` is an issue, and
 * so is one that is one letter away from a setting that is not there: otherwise a misspelt DATABASE_URL would silently
 * start a new database. One of another program is no issue while the setting is there, even empty.
 * @param names of all settings
 */
export function readGiven(env: NodeJS.ProcessEnv, names: readonly string[]): GivenSettings {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ""));
  const issues: z.core.$ZodIssue[] = [];
  const reject = (name: string, message: string) => {
    issues.push({ code: "custom", path: [name], message, input: undefined });
  };
  for (const name of names) {
    const variable = name + FILE;
    const path = given[variable];
    if (path === undefined) continue;
    delete given[variable];
    const problem = given[name] === undefined ? findFileProblem(path) : `is set as well as ${name}: set one of them`;
    if (problem === undefined) given[name] = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    else reject(variable, problem);
  }
  const missing = names.flatMap((name) => ((given[name] ?? env[name]) === undefined ? [name, name + FILE] : []));
  const known = new Set([...names, ...names.map((name) => name + FILE)]);
  for (const [name, value = ""] of Object.entries(given)) {
    if (known.has(name)) continue;
    const meant = missing.find((candidate) => isMisspelling(name, candidate));
    if (name.startsWith(OWN_PREFIX) && !isOfOthers(name, value)) reject(name, describeUnknown(name, [...known]));
    else if (meant !== undefined)
      reject(name, `is no setting; did you mean ${meant}? If it belongs to another program, set ${meant}= (empty).`);
  }
  return { given, issues };
}

function describeUnknown(name: string, known: readonly string[]): string {
  const bare = name.slice(OWN_PREFIX.length);
  const meant = known.includes(bare) ? bare : (nearest(name, known) ?? nearest(bare, known));
  return `is no setting${meant === undefined ? "" : `; did you mean ${meant}?`}`;
}

/** Says why a setting cannot be read from a file; never quotes what is in it. */
function findFileProblem(path: string): string | undefined {
  try {
    const { mode, size } = statSync(path);
    if (size > MAX_BYTES) return `is ${path}, which is larger than 64 KiB`;
    if ((mode & WRITABLE_BY_OTHERS) !== 0) return `is ${path}, which others may write: chmod go-w ${path}`;
    if (readFileSync(path, "utf8").trim() === "") return `is ${path}, which is empty`;
    return undefined;
  } catch (error) {
    return `is ${path}, which cannot be read (${codeOf(error) ?? String(error)})`;
  }
}

function isMisspelling(name: string, setting: string): boolean {
  if (setting.length < MIN_LETTERS || Math.abs(name.length - setting.length) > 1) return false;
  return editDistance(name, setting) === 1;
}
