import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";

const COMMIT = /^[0-9a-f]{40,64}$/;

/**
 * Returns the id of the commit that is checked out in `folder` (40 or 64 hexadecimal digits), or undefined when the
 * folder is no checkout. Reads Git's own files, so that no `git` has to be installed; gitrepository-layout(5) describes
 * them.
 */
export function gitCommit(folder: string): string | undefined {
  const git = gitFolder(join(folder, ".git"));
  const head = git && firstLine(join(git, "HEAD"));
  if (head === undefined) return undefined;
  if (!head.startsWith("ref: ")) return commitIn(head);
  // Branches of a linked worktree stand in the folder that it shares with the others.
  const shared = resolve(git ?? "", firstLine(join(git ?? "", "commondir")) ?? ".");
  const branch = head.slice("ref: ".length);
  return commitIn(firstLine(join(shared, branch))) ?? packedCommit(shared, branch);
}

/** A linked worktree has a file that names its folder. */
function gitFolder(path: string): string | undefined {
  const text = firstLine(path);
  if (text === undefined) return path;
  return text.startsWith("gitdir: ") ? resolve(path, "..", text.slice("gitdir: ".length)) : undefined;
}

function packedCommit(shared: string, branch: string): string | undefined {
  const line = contentOf(join(shared, "packed-refs"))
    ?.split("\n")
    .find((each) => each.endsWith(` ${branch}`));
  return commitIn(line?.split(" ")[0]);
}

function commitIn(text: string | undefined): string | undefined {
  return text !== undefined && COMMIT.test(text) ? text : undefined;
}

function firstLine(path: string): string | undefined {
  return contentOf(path)?.split("\n")[0];
}

function contentOf(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined;
  }
}
