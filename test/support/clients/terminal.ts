import { spawn } from "@lydell/node-pty";
import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { eventually } from "../eventually.ts";
import { NODE_ENVIRONMENT } from "../hosts/node-environment.ts";

const CLI = join(import.meta.dirname, "../../../src/cli/main.ts");
const DEADLINE_MS = 60_000;

/** A program that runs in a terminal. */
export interface Terminal {
  /** What it has written so far, without escape sequences. */
  text(): string;
  /** What it has written so far. */
  raw(): string;
  /** Waits until it has written this. */
  shows(pattern: RegExp): Promise<string>;
  type(keys: string): void;
  readonly ended: Promise<number>;
}

/** How to run a program in a terminal. */
export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly columns?: number;
}

/** Runs the command line client in a terminal. */
export function musterInTerminal(args: readonly string[], options: TerminalOptions = {}): Terminal {
  return nodeInTerminal([CLI, ...args], options);
}

/** Runs Node in a terminal. */
export function nodeInTerminal(args: readonly string[], { env, cwd, columns = 80 }: TerminalOptions = {}): Terminal {
  const program = spawn(process.execPath, [...args], {
    name: "xterm-256color",
    cols: columns,
    rows: 30,
    cwd: cwd ?? process.cwd(),
    env: { ...NODE_ENVIRONMENT, ...env },
  });
  let written = "";
  program.onData((data) => (written += data));
  const text = () => stripVTControlCharacters(written).replaceAll("\r", "");
  return {
    text,
    raw: () => written,
    shows: async (pattern) => {
      await eventually(`the terminal shows ${pattern.source}`, () => pattern.test(text()), DEADLINE_MS).catch(() => {
        throw new Error(`Never shown: ${pattern.source}\n${text()}`);
      });
      return text();
    },
    type: (keys) => program.write(keys),
    ended: new Promise((resolve) => void program.onExit(({ exitCode }) => resolve(exitCode))),
  };
}
