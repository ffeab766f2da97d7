import { z } from "zod";

const SCHEME = /^[a-z][a-z0-9+.-]*:\/\//i;
const NAMES = ["HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"] as const;

/** The URL of a proxy. Its issue does not quote it, because it may hold a password. */
const proxyUrl = z
  .string()
  .transform((text) => (SCHEME.test(text) ? text : `http://${text}`))
  .pipe(
    z
      .url({
        protocol: /^https?$/,
        error: "must be an http or https URL such as http://name:password@proxy.example:3128",
      })
      .refine(hasReadableUser, "has a user name or password with a % that must be written as %25"),
  )
  .optional();

/** The way out of the network, named as for most programs. */
export const proxy = z.object({
  HTTPS_PROXY: proxyUrl.describe(
    "URL of the proxy for https requests to model providers, tools and receivers; default: HTTP_PROXY. Also in lower case, like the next two.",
  ),
  HTTP_PROXY: proxyUrl.describe("URL of the proxy for http requests; with user name and password if it wants any."),
  NO_PROXY: z
    .string()
    .optional()
    .describe(
      "Hosts reached without the proxy, separated by commas: example.org (with its subdomains), *.example.org, 10.0.0.0/8, localhost:11434, or * for all.",
    ),
});

/** The environment with these settings in upper case; one that is given in lower case wins, as for other programs. */
export function withLowerCaseProxies(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  const given = NAMES.flatMap((name) => {
    const lower = env[name.toLowerCase()];
    return lower === undefined ? [] : [[name, lower] as const];
  });
  return { ...env, ...Object.fromEntries(given) };
}

function hasReadableUser(text: string): boolean {
  try {
    const { username, password } = new URL(text);
    decodeURIComponent(username + password);
    return true;
  } catch {
    return false;
  }
}
