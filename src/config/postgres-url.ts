import { accessSync, constants } from "node:fs";
import { codeOf } from "#lib/error-code.ts";

const SCHEME = /^postgres(?:ql)?:\/\//;
const FORM =
  "is a URL such as postgresql://user:password@host:5432/muster, " +
  "or postgresql://user:password@localhost/muster?host=/var/run/postgresql for a socket in that folder";
const ONE_HOST =
  "has several hosts, and only one is possible: a name that always leads to the primary, " +
  "such as that of a proxy (docs/high-availability.md)";
/** Files that the driver reads when it connects. */
const FILES = ["sslrootcert", "sslcert", "sslkey"] as const;

/** Returns what is wrong with the URL of a PostgreSQL server, without its password; undefined when it can be used. */
export function findUrlProblem(text: string): string | undefined {
  if (hostsIn(text).includes(",")) return ONE_HOST;
  const url = SCHEME.test(text) && URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined) return FORM;
  if (url.searchParams.get("host")?.includes(",") === true) return ONE_HOST;
  return FILES.map((name) => fileProblem(name, url.searchParams.get(name))).find((problem) => problem !== undefined);
}

/** What stands between the password and the path. */
function hostsIn(text: string): string {
  const [authority = ""] = text.replace(SCHEME, "").split(/[/?#]/, 1);
  return authority.slice(authority.lastIndexOf("@") + 1);
}

function fileProblem(name: string, path: string | null): string | undefined {
  if (path === null) return undefined;
  try {
    accessSync(path, constants.R_OK);
    return undefined;
  } catch (error) {
    return `has ${name}=${path}, a file that cannot be read (${codeOf(error)})`;
  }
}
