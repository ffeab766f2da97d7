import { createApp } from "#http/app.ts";

/** Replaces all services of the application: only its list of routes is read, no request is served. */
const anything: unknown = new Proxy(() => undefined, {
  get: (_, key) => (key === Symbol.toPrimitive ? (hint: string) => (hint === "string" ? "http://x" : 1) : anything),
  apply: () => anything,
});

/** The application with all its routes and descriptions, without services. */
export function appWithoutServices(): ReturnType<typeof createApp> {
  return createApp(JSON.parse("{}", () => anything));
}

/**
 * Every route of the application, documented or not, as in `GET /console/api/keys/{id}`, in the order of
 * the alphabet. `ANY` is the method of a path whose handler checks the method itself.
 */
export function servedRoutes(): readonly string[] {
  const routes = appWithoutServices().routes.filter(({ path }) => !path.includes("*"));
  const named = routes.filter(({ method }) => method !== "ALL");
  const paths = new Set(named.map(({ path }) => path));
  const others = routes.filter(({ path }) => !paths.has(path));
  const all = [
    ...named.map(({ method, path }) => `${method} ${documented(path)}`),
    ...others.map(({ path }) => `ANY ${documented(path)}`),
  ];
  return [...new Set(all)].toSorted();
}

/** A path as OpenAPI writes it. */
function documented(path: string): string {
  return path.replaceAll(/:(\w+)/g, "{$1}");
}
