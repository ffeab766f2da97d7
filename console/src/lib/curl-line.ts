import { shellQuoted } from "./shell-quoted.ts";

/** The request that creates the first record of a list, as a command; the key is read from the environment. */
export function curlLine(path: string, body: object, method: "POST" | "PUT" = "POST"): string {
  return [
    `curl -s ${location.origin}${path}`,
    `  -H "X-API-Key: $MUSTER_API_KEY"`,
    ...(method === "PUT" ? ["  -X PUT"] : []),
    `  -d ${shellQuoted(JSON.stringify(body))}`,
  ].join(" \\\n");
}
