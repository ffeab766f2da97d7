import { createHash } from "node:crypto";
import type { Hash } from "node:crypto";
import type { Manifest } from "./format.ts";

const NEWLINE = 10;

/** Counts and hashes what a backup holds, while it is written or read. */
export interface Tally {
  /** Notes a part of a table. */
  rows(table: string, part: Buffer): void;
  /** Notes a content. */
  file(key: string, content: Buffer): void;
  /** Notes a content that the store has lost. */
  missing(): void;
  /** Ends all digests. */
  end(): Pick<Manifest, "tables" | "files">;
}

interface Counted {
  readonly hash: Hash;
  count: number;
  bytes: number;
}

/** Creates the tally of one pass over a backup. @param tables the names of its tables */
export function createTally(tables: readonly string[]): Tally {
  const byTable = new Map<string, Counted>(tables.map((name) => [name, start()]));
  const files = start();
  let missing = 0;
  return {
    rows(table, part) {
      const counted = byTable.get(table) ?? start();
      byTable.set(table, counted);
      add(counted, part, countLines(part));
    },
    file(key, content) {
      files.hash.update(`${key}\n${content.length}\n`);
      add(files, content, 1);
    },
    missing: () => void missing++,
    end: () => ({
      tables: Object.fromEntries([...byTable].map(([name, of]) => [name, tableOf(of)])),
      files: { count: files.count, bytes: files.bytes, sha256: files.hash.digest("hex"), missing },
    }),
  };
}

/** The digest of a text or bytes. */
export function sha256(content: string | Buffer): string {
  return createHash("sha256").update(content).digest("hex");
}

function start(): Counted {
  return { hash: createHash("sha256"), count: 0, bytes: 0 };
}

function add(counted: Counted, content: Buffer, count: number): void {
  counted.hash.update(content);
  counted.count += count;
  counted.bytes += content.length;
}

function tableOf({ hash, count, bytes }: Counted) {
  return { rows: count, bytes, sha256: hash.digest("hex") };
}

/** COPY writes a row a line; line ends in values are escaped. */
function countLines(part: Buffer): number {
  let lines = 0;
  for (let at = part.indexOf(NEWLINE); at !== -1; at = part.indexOf(NEWLINE, at + 1)) lines++;
  return lines;
}
