import { kindOfKey } from "#domain/access/api-key.ts";
import { CliError } from "../errors/cli-error.ts";
import { EXIT } from "../errors/exit-codes.ts";

const HOW_TO_GET_A_KEY = "Create a key on the machine of the service: muster keys create";

const KEY_NAMES = {
  table: "a key of the table API",
  mcp: "an MCP key",
  a2a: "an A2A key",
  "ag-ui": "an AG-UI key",
  anon: "the anon key of the table API",
} as const;

/** The prefixes of other services' keys. */
const FOREIGN_KEYS = [
  [/^sk-ant-/, "a key of Anthropic"],
  [/^sk-/, "a key of OpenAI"],
  [/^AIza/, "a key of Google"],
  [/^(ghp_|github_pat_)/, "a token of GitHub"],
  [/^eyJ/, "an access token"],
] as const;

/** Returns the key if this client can use it. @throws CliError with the reason otherwise. */
export function checkedKey(apiKey: string | undefined): string {
  if (apiKey === undefined) throw unusable('No API key. Run "muster login", or set MUSTER_API_KEY.');
  if (!/^[\x21-\x7e]+$/.test(apiKey)) {
    throw unusable("The API key contains characters that no key has. Check MUSTER_API_KEY.");
  }
  const kind = kindOfKey(apiKey);
  if (kind === "envelope") return apiKey;
  const foreign = FOREIGN_KEYS.find(([pattern]) => pattern.test(apiKey))?.[1];
  const name = kind === undefined ? foreign : KEY_NAMES[kind];
  // A key of no known kind may be one of a later version: the service decides.
  if (name === undefined) return apiKey;
  const hint =
    foreign === undefined || kind !== undefined ? "" : "\nStore a key of a model provider: muster providers set";
  throw unusable(`This is ${name}. This client needs an API key of Muster: mst_ followed by 49 characters.${hint}`);
}

function unusable(message: string): CliError {
  return new CliError(EXIT.unauthorized, `${message}\n${HOW_TO_GET_A_KEY}`);
}
