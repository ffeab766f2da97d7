import { execFile } from "node:child_process";
import { chmod, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect } from "vitest";
import { apiOf } from "../../support/api.ts";
import { eventually } from "../../support/eventually.ts";
import { environmentOf, runMuster } from "../../support/muster.ts";
import { NODE_ENVIRONMENT } from "../../support/hosts/node-environment.ts";
import { useSharedService } from "../../support/shared-service.ts";
import type { SharedService } from "../../support/shared-service.ts";
import { hasProgram } from "../../support/clients/has-program.ts";
import { verifies } from "../../support/verifies.ts";
import { createAgent } from "../../support/work.ts";

const CLI = join(import.meta.dirname, "../../../src/cli/main.ts");
/** Names that a shell would obey if it evaluated them. */
const HOSTILE = [
  "x two words",
  "x it's",
  'x "quoted"',
  "x $(touch pwned)",
  "x `touch pwned`",
  "x; touch pwned",
  "x | touch pwned",
  "x & touch pwned",
  "x > pwned",
  "x back\\slash",
  "x * ? [a-z]",
  "x $HOME ~ {a,b} #!",
  "x %s %n",
  "x äöü 字",
];
/** A control character would break the list of words, which has one to a line. */
const LEFT_OUT = "x\u001B[31m red";

let service: SharedService;
let folder: string;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  [service, folder] = await Promise.all([useSharedService(), mkdtemp(join(tmpdir(), "muster-completion-"))]);
  const command = join(folder, "muster");
  await writeFile(command, `#!/bin/sh\nexec '${process.execPath}' '${CLI}' "$@"\n`);
  await chmod(command, 0o755);
  env = {
    ...NODE_ENVIRONMENT,
    ...environmentOf(service),
    HOME: folder,
    LC_ALL: "C.UTF-8",
    PATH: `${folder}:${process.env["PATH"]}`,
  };
  for (const name of [...HOSTILE, LEFT_OUT]) await createAgent(apiOf(service, service.keys.api), { name });
});
afterAll(async () => {
  await rm(folder, { recursive: true });
});

/** What bash completes, each word read back as the shell reads it on the command line. */
async function completedByBash(...words: readonly string[]): Promise<readonly string[]> {
  const { stdout: script } = await runMuster(["completion", "bash"]);
  const program = `${script}
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_muster
for word in "\${COMPREPLY[@]}"; do eval "set -- $word"; printf '%s\\0' "$*"; done`;
  const args = ["-c", program, "bash", "muster", ...words];
  const { stdout } = await promisify(execFile)("bash", args, { cwd: folder, env });
  return stdout.split("\0").slice(0, -1);
}

verifies(
  "cli.completion.hostile",
  "other people's names are completed as text; the shell evaluates none",
  async () => {
    const before = await readdir(folder);
    // Nothing is completed when the service does not answer in time, as on a busy machine.
    const completed = await eventually("names", async () => {
      const words = await completedByBash("agents", "get", "x");
      return words.length > 0 ? words : undefined;
    });
    expect(completed.toSorted()).toEqual(HOSTILE.toSorted());
    expect((await readdir(folder)).filter((name) => !before.includes(name))).toEqual([]);
  },
  { skip: !hasProgram("bash") },
);

verifies("cli.completion.hostile", "the typed text may have quotes and backslashes", async () => {
  for (const [typed, name] of [
    ['"x two', "x two words"],
    ["'x two", "x two words"],
    ["x\\ two", "x two words"],
    ["x\\ \\$\\(touch", "x $(touch pwned)"],
  ] as const) {
    const found = await eventually(typed, async () => {
      const { stdout } = await runMuster(["complete", "agents", "get", typed], { env: environmentOf(service) });
      return stdout === "" ? undefined : stdout;
    });
    expect([typed, found]).toEqual([typed, `${name}\n`]);
  }
});
