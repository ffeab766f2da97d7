import { execFile, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { promisify } from "node:util";
import { watchProcess } from "../muster.ts";
import type { Ended, MusterProcess } from "../muster.ts";

const ROOT = join(import.meta.dirname, "../../..");
const PROGRAMS = ["node", "npm", "git", "sh"];

/** The variables that say how this machine reaches the npm registry. */
const WAY_TO_REGISTRY =
  /^(NODE_EXTRA_CA_CERTS|SSL_CERT_FILE|SSL_CERT_DIR|(https?|no|all)_proxy|npm_config_(registry|globalconfig|userconfig|cafile|(https_)?proxy|noproxy|strict_ssl))$/i;

/** Variables for one command, on top of those of the machine. */
export type Variables = Readonly<Record<string, string>>;

/** What git would give another person of this checkout, uncommitted changes included, on a machine with an empty home. */
export interface FreshClone {
  readonly folder: string;
  /** Starts a command in the clone. */
  start(command: readonly string[], env?: Variables): MusterProcess;
  /** Runs a command in the clone to its end. */
  run(command: readonly string[], env?: Variables): Promise<Ended>;
  /** Ends what still runs there, and removes the clone with everything it has installed. */
  remove(): Promise<void>;
}

/** Makes a copy of this checkout in a temporary folder: no packages, no data, nothing that git ignores. */
export async function makeFreshClone(): Promise<FreshClone> {
  const place = await realpath(await mkdtemp(join(tmpdir(), "muster-fresh-")));
  await chmod(place, 0o755); // As root the database runs under another account, which has to reach its folder.
  const [home, folder] = [join(place, "home"), join(place, "clone")];
  await mkdir(home);
  await copyCheckout(folder);
  const machine = machineEnvironment(home);
  const running = new Set<MusterProcess>();
  const endAll = () => {
    for (const { process: child } of running) endGroup(child.pid);
  };
  // A test that fails half-way must not leave its processes running.
  process.once("exit", endAll);

  function start([program = "", ...args]: readonly string[], env: Variables = {}): MusterProcess {
    const options = { cwd: folder, env: { ...machine, ...env }, detached: true };
    const started = watchProcess(spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] }));
    running.add(started);
    started.process.once("close", () => running.delete(started));
    return started;
  }
  return {
    folder,
    start,
    run: (command, env) => start(command, env).ended,
    async remove() {
      endAll();
      await Promise.all([...running].map(({ ended }) => ended));
      process.off("exit", endAll);
      await rm(place, { recursive: true, force: true });
    },
  };
}

async function copyCheckout(folder: string): Promise<void> {
  const list = ["ls-files", "--cached", "--others", "--exclude-standard", "-z"];
  const { stdout } = await promisify(execFile)("git", list, { cwd: ROOT });
  for (const file of stdout.split("\0").filter((name) => name !== "" && existsSync(join(ROOT, name)))) {
    await cp(join(ROOT, file), join(folder, file), { verbatimSymlinks: true });
  }
}

/** What a login on this machine has, without anything of this checkout or of the npm that may have started the test. */
function machineEnvironment(home: string): NodeJS.ProcessEnv {
  const registry = Object.entries(process.env).filter(([name]) => WAY_TO_REGISTRY.test(name));
  return {
    npm_config_userconfig: join(homedir(), ".npmrc"),
    ...Object.fromEntries(registry),
    HOME: home,
    PATH: machinePath(),
  };
}

/** The folders of this machine's own programs, in their order. */
function machinePath(): string {
  const all = (process.env["PATH"] ?? "").split(delimiter);
  const foreign = all.filter((folder) => folder !== "" && !folder.startsWith(join(ROOT, "/")));
  const needed = new Set(PROGRAMS.map((program) => foreign.find((folder) => existsSync(join(folder, program)))));
  return foreign.filter((folder) => needed.has(folder)).join(delimiter);
}

/** The whole process group: should npm be gone already, what it started is not. */
function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGTERM");
  } catch {
    // It ended this moment.
  }
}
