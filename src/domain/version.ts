import { join } from "node:path";
import { gitCommit } from "#lib/git-commit.ts";
import manifest from "../../package.json" with { type: "json" };

/** How many digits of a commit are shown, as Git does. */
const SHOWN = 7;

/** The version of the release in package.json, such as `0.1.0`. */
export const RELEASE: string = manifest.version;

/**
 * The release and the commit that it was made from, as build metadata of Semantic Versioning: `0.1.0+abc1234`. A package
 * and an image have their commit in package.json, as `gitHead`; a clone in `.git`. Without either it is the release.
 */
export const VERSION: string = versionOf(
  RELEASE,
  packagedCommit(manifest) ?? gitCommit(join(import.meta.dirname, "../..")),
);

/** Returns a release with its commit, when that is known. */
export function versionOf(release: string, commit: string | undefined): string {
  return commit === undefined ? release : `${release}+${commit.slice(0, SHOWN)}`;
}

function packagedCommit(file: object): string | undefined {
  return "gitHead" in file && typeof file.gitHead === "string" ? file.gitHead : undefined;
}
