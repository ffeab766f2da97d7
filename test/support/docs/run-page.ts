import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { once } from "node:events";
import { NODE_ENVIRONMENT } from "../hosts/node-environment.ts";
import { compareOutput } from "./compare-output.ts";
import { readPage } from "./read-page.ts";
import type { PageBlock, RunnableBlock } from "./read-page.ts";

const ROOT = join(import.meta.dirname, "../../..");
/** What a reader has in the folder where the page's commands are typed: the checkout, without what is written. */
const CHECKOUT = ["bin", "clients", "examples", "node_modules", "scripts", "src", "package.json"];
/** Only a page that hangs takes so long. */
const PAGE_DEADLINE_MS = 150_000;
/** An HTTP error ends the page, unless the page shows an error. */
const STRICT_CURL = 'curl() { command curl --fail-with-body "$@"; }';
/** The README's helper, which takes the id out of a response. */
const ID = "id() { node -p 'JSON.parse(fs.readFileSync(0)).id'; }";

/** Where and with what the blocks of a page are executed. */
export interface PageScene {
  readonly env: Readonly<Record<string, string>>;
  /** What a page says, and what is used in its place: URLs and keys of this run. */
  readonly replacements: readonly (readonly [string, string])[];
  /** The program that runs Python; by default python3. */
  readonly python?: string;
}

/**
 * Executes the blocks of a page in their order, in one shell, like a reader who pastes them one after another.
 * A TypeScript block without imports continues those before it.
 * @returns a description of the failure, for a person; undefined when every block ran and printed what the page shows.
 */
export async function runPage(path: string, scene: PageScene): Promise<string | undefined> {
  const folder = mkdtempSync(join(tmpdir(), "muster-docs-"));
  try {
    for (const name of CHECKOUT) {
      if (existsSync(join(ROOT, name))) symlinkSync(join(ROOT, name), join(folder, name));
    }
    const blocks = readPage(path).filter((block) => block.kind === "file" || block.notRun === undefined);
    const script = writeBlocks(folder, blocks, scene);
    const ended = await runScript(script, folder, scene.env);
    return findFailure(folder, blocks, { ended, scene });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function writeBlocks(folder: string, blocks: readonly PageBlock[], scene: PageScene): string {
  const logs = logsOf(folder);
  mkdirSync(logs);
  let typescript = "";
  const lines = blocks.map((block, index) => {
    const text = replaceAll(block.text, scene.replacements);
    if (block.kind === "file") return `cp ${save(join(logs, `${index}.file`), text)} ${block.name}`;
    if (block.lang === "ts") typescript = /^import /m.test(text) ? text : `${typescript}\n${text}`;
    // In the folder itself, where its packages are found.
    const source = block.lang === "ts" ? join(folder, `block-${index}.mts`) : join(logs, `${index}.${block.lang}`);
    save(source, block.lang === "ts" ? typescript : text);
    return `${strictness(block)}\n{ ${commandOf(block, source, scene)}; } > ${logs}/${index}.out 2>&1 < /dev/null\n: > ${logs}/${index}.ok`;
  });
  return save(join(logs, "page.sh"), ["set -euo pipefail", ID, ...lines, ""].join("\n"));
}

function strictness({ shown }: RunnableBlock): string {
  return shown?.text.includes('"error"') === true ? "unset -f curl" : STRICT_CURL;
}

function commandOf({ lang }: RunnableBlock, source: string, { python = "python3" }: PageScene): string {
  if (lang === "sh") return `. ${source}`;
  return lang === "ts" ? `node ${source}` : `${python} ${source}`;
}

async function runScript(script: string, cwd: string, env: PageScene["env"]): Promise<string> {
  const child = spawn("bash", [script], {
    cwd,
    env: { ...NODE_ENVIRONMENT, PATH: `${cwd}/bin:${process.env["PATH"]}`, HOME: cwd, NO_COLOR: "1", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: PAGE_DEADLINE_MS,
    killSignal: "SIGKILL",
  });
  let written = "";
  child.stdout.on("data", (chunk: Buffer) => (written += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (written += chunk.toString()));
  const [code, signal] = await once(child, "close");
  return `${written}The shell ended with ${String(code ?? signal)}.`;
}

function findFailure(
  folder: string,
  blocks: readonly PageBlock[],
  { ended, scene }: { readonly ended: string; readonly scene: PageScene },
): string | undefined {
  const failures = blocks.flatMap((block, index) => {
    if (block.kind === "file") return [];
    const log = join(logsOf(folder), `${index}.out`);
    if (!existsSync(log)) return [];
    const printed = restore(readFileSync(log, "utf8"), scene.replacements);
    if (!existsSync(join(logsOf(folder), `${index}.ok`))) return [`${block.text}\n\nfailed:\n${printed}\n${ended}`];
    const difference = block.shown && compareOutput(block.shown, printed);
    return difference === undefined ? [] : [`${block.text}\n\n${difference}`];
  });
  if (failures.length > 0) return failures.join("\n\n----\n\n");
  return ended.endsWith("ended with 0.") ? undefined : ended;
}

function logsOf(folder: string): string {
  return join(folder, ".logs");
}

function save(path: string, text: string): string {
  writeFileSync(path, `${text}\n`);
  return path;
}

function replaceAll(text: string, replacements: PageScene["replacements"]): string {
  return replacements.reduce((rest, [said, used]) => rest.replaceAll(said, used), text);
}

/** What was printed, in the page's words. */
function restore(text: string, replacements: PageScene["replacements"]): string {
  return replacements.reduce((rest, [said, used]) => rest.replaceAll(used, said), text);
}
