import { execFileSync } from "node:child_process";
import { mkdtemp, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

const ROOT = join(import.meta.dirname, "../../..");
const MIGRATIONS = "src/db/migrations";

/** An earlier version of the service, with the packages of this one. */
export interface PreviousVersion {
  readonly name: string;
  /** Its `src/main.ts`. */
  readonly main: string;
  remove(): Promise<void>;
}

/**
 * Unpacks the version before this one: the latest tag before this commit, or the commit before the newest migration, so
 * that an upgrade changes the schema. Undefined when git does not have it, as in a shallow clone, or when its databases
 * cannot be upgraded, because they begin with another migration.
 */
export async function unpackPreviousVersion(): Promise<PreviousVersion | undefined> {
  const commit = git("describe", "--tags", "--abbrev=0", "HEAD^") ?? beforeNewestMigration();
  if (commit === undefined || firstMigration(commit) !== firstMigration("HEAD")) return undefined;
  const folder = await mkdtemp(join(tmpdir(), "muster-previous-"));
  execFileSync("sh", ["-c", 'git -C "$1" archive "$2" | tar -x -C "$3"', "sh", ROOT, commit, folder]);
  await symlink(join(ROOT, "node_modules"), join(folder, "node_modules"));
  return {
    name: commit,
    main: join(folder, "src/main.ts"),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

function beforeNewestMigration(): string | undefined {
  const added = git("log", "-1", "--diff-filter=A", "--format=%h", "--", MIGRATIONS);
  return added === undefined ? undefined : git("rev-parse", "--short", "--verify", "--quiet", `${added}^`);
}

function firstMigration(commit: string): string | undefined {
  return git("ls-tree", "--name-only", `${commit}:${MIGRATIONS}`)?.split("\n")[0];
}

/** Undefined when it fails or has nothing to say. */
function git(...args: string[]): string | undefined {
  try {
    const output = execFileSync("git", ["-C", ROOT, ...args], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "ignore"],
    });
    return output.trim() || undefined;
  } catch {
    return undefined;
  }
}
