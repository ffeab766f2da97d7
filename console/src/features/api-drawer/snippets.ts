import { shellQuoted } from "../../lib/shell-quoted.ts";
import type { ApiCall } from "../../lib/api-calls.ts";

/** The languages of the drawer. */
export const LANGUAGES = ["curl", "TypeScript", "Python", "CLI"] as const;

/** One of {@link LANGUAGES}. */
export type Language = (typeof LANGUAGES)[number];

/** A request as a program would make it; the key stays in a variable. Undefined where there is no such command. */
export function snippet(call: ApiCall, language: Language, origin: string): string | undefined {
  switch (language) {
    case "curl":
      return curl(call, origin);
    case "TypeScript":
      return typeScript(call, origin);
    case "Python":
      return python(call, origin);
    case "CLI":
      return call.command === undefined ? undefined : `muster --url ${origin} ${call.command}`;
  }
}

function curl({ method, path, body }: ApiCall, origin: string): string {
  const verb = method === "GET" ? "" : ` -X ${method}`;
  const lines = [`curl -s${verb} "${origin}${path}"`, `  -H "X-API-Key: $MUSTER_API_KEY"`];
  if (body !== undefined) {
    lines.push(`  -H "Content-Type: application/json"`, `  -d ${shellQuoted(JSON.stringify(body))}`);
  }
  return lines.join(" \\\n");
}

function typeScript({ method, path, body }: ApiCall, origin: string): string {
  const headers = [`"X-API-Key": process.env.MUSTER_API_KEY`, ...(body ? [`"Content-Type": "application/json"`] : [])];
  const options = [
    ...(method === "GET" ? [] : [`  method: "${method}",`]),
    `  headers: { ${headers.join(", ")} },`,
    ...(body === undefined ? [] : [`  body: JSON.stringify(${JSON.stringify(body)}),`]),
  ];
  return [
    `const response = await fetch("${origin}${path}", {`,
    ...options,
    `});`,
    `const data = await response.json();`,
  ].join("\n");
}

function python({ method, path, body }: ApiCall, origin: string): string {
  const lines = [
    `import json, os, urllib.request`,
    ``,
    `request = urllib.request.Request(`,
    `    "${origin}${path}",`,
    `    method="${method}",`,
    `    headers={"X-API-Key": os.environ["MUSTER_API_KEY"], "Content-Type": "application/json"},`,
  ];
  if (body !== undefined) lines.push(`    data=${JSON.stringify(JSON.stringify(body))}.encode(),`);
  return [...lines, `)`, `data = json.load(urllib.request.urlopen(request))`].join("\n");
}
