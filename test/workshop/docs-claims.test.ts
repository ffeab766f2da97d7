import { execFileSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { z } from "zod";
import { ERROR_STATUS } from "#domain/errors.ts";
import { SETTING_GROUPS } from "../../src/config/config.ts";
import { requirements } from "../contract/requirements/index.ts";
import { apiDocument } from "../support/checks/api-document.ts";
import { servedRoutes } from "../support/checks/served-routes.ts";
import { verifies } from "../support/verifies.ts";

const ROOT = join(import.meta.dirname, "../..");
const PAGES = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "SECURITY.md",
  ...globSync("docs/**/*.md", { cwd: ROOT }),
];
const NAME = /(?<![\w$])[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+(?!\w)/g;
const ROUTE = /\b(GET|POST|PUT|PATCH|DELETE) (\/[^\s`"'|,;)]*)/g;
const PATH = /(?<![\w.])\/(?:functions\/v1|console\/api|auth|ag-ui|hooks\/in)\/[^\s`"'|,;)\\]*/g;
/** An error status, by what precedes and follows the number. */
const STATUS =
  /(?:\bis|\breturns?|\banswers?|\bresponds?(?: with)?|\bgets?|\bstatus|[|`]) `?([45]\d\d)`?(?= *[|.,;)`]| with\b| and\b| or\b| when\b|$)/gm;
/** What pages name that is other programs'. */
const FOREIGN = new Set([
  "CAP_SYS_ADMIN",
  "MCP_TOOL_TIMEOUT",
  "MUSTER_AUTH",
  "OLLAMA_CONTEXT_LENGTH",
  "WEATHER_TOKEN",
  "GET /search",
  "POST /search",
  "GET /web/search",
]);

const texts = PAGES.map((page) => ({ page, text: read(page) }));
const openApi = z.object({
  paths: z.record(
    z.string(),
    z.record(z.string(), z.looseObject({ responses: z.record(z.string(), z.unknown()).optional() })),
  ),
});
const routes = servedRoutes().map((route) => ({ method: route.split(" ")[0] ?? "", pattern: patternOf(route) }));

verifies("docs.claims.settings", "settings and codes that a page names exist", () => {
  const settings = new Set(Object.values(SETTING_GROUPS).flatMap(({ shape }) => Object.keys(shape)));
  const code = globSync(
    "{src,scripts,test,deploy,examples,bench,console/src,.github}/**/*.{ts,mjs,py,yaml,yml,service,Dockerfile,sql}",
    {
      cwd: ROOT,
      exclude: ["**/node_modules/**", "test/workshop/docs-claims.test.ts"],
    },
  );
  const known = new Set(code.flatMap((file) => read(file).match(NAME) ?? []));
  const unknown = texts.flatMap(({ page, text }) => {
    const defined = new Set([...text.matchAll(/^(?:export )?([A-Z_]+)=/gm)].map(([, name]) => name));
    const names = new Set(text.match(NAME));
    return [...names]
      .filter((name) => ![settings, known, defined, FOREIGN].some((set) => set.has(name)))
      .map((name) => `${page}: ${name}`);
  });
  expect(unknown).toEqual([]);

  const blocks = texts.flatMap(({ page, text }) =>
    [...text.matchAll(/```ini\n([^`]*)```/g)].map(([, block]) => ({ page, block })),
  );
  const lines = blocks.flatMap(({ page, block = "" }) =>
    block
      .trim()
      .split("\n")
      .map((line) => ({ page, name: line.split("=")[0] ?? "" })),
  );
  expect(lines.length).toBeGreaterThan(5);
  expect(lines.filter(({ name }) => !settings.has(name))).toEqual([]);
});

verifies("docs.claims.paths", "paths and methods that a page names are served", () => {
  const unknown = texts.flatMap(({ page, text }) => {
    const plain = text.replaceAll(/\$?\{[^}\n]*\}/g, "{x}");
    const named = [...plain.matchAll(ROUTE)].filter(
      ([route, method = "", path = ""]) => !FOREIGN.has(route) && !isServed(path, method),
    );
    const others = [...plain.matchAll(PATH)].filter(([path]) => !isServed(path));
    return [...named, ...others].map(([claim]) => `${page}: ${claim}`);
  });
  expect(unknown).toEqual([]);
});

verifies("docs.claims.statuses", "error statuses that a page names are responded somewhere", () => {
  const document = openApi.parse(apiDocument());
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const documented = operations.flatMap(({ responses = {} }) => Object.keys(responses));
  const tableApi = globSync("src/http/table/**/*.ts", { cwd: ROOT }).flatMap(
    (file) => read(file).match(/\b\d{3}\b/g) ?? [],
  );
  const known = new Set([...documented, ...tableApi, ...Object.values(ERROR_STATUS).map(String)]);
  const unknown = texts.flatMap(({ page, text }) =>
    [...text.matchAll(STATUS)].flatMap(([claim, status = ""]) => (known.has(status) ? [] : [`${page}: ${claim}`])),
  );
  expect(unknown).toEqual([]);
});

verifies("docs.claims.guarantees", "each guarantee of durability is a requirement that a test proves", () => {
  const ids = [...read("docs/durability.md").matchAll(/^\| .* \| `([a-z.-]+)` +\|$/gm)].map(([, id = ""]) => id);
  expect(ids.length).toBeGreaterThan(15);
  expect(ids.filter((id) => requirements.get(id) === undefined || requirements.get(id)?.open !== undefined)).toEqual(
    [],
  );
});

verifies("docs.claims.links", "links between pages lead to a file and a heading that exist", () => {
  const broken = texts.flatMap(({ page, text }) =>
    linksIn(text).flatMap((link) => {
      if (/^[a-z]+:/.test(link)) return [];
      const [file = "", anchor] = link.split("#");
      const target = file === "" ? page : join(dirname(page), file);
      if (!existsSync(join(ROOT, target))) return [`${page}: ${link}`];
      return anchor === undefined || anchorsOf(target).includes(anchor) ? [] : [`${page}: ${link}`];
    }),
  );
  expect(broken).toEqual([]);
});

/** A route as a pattern: a parameter is any segment. */
function patternOf(route: string): RegExp {
  const path = route.slice(route.indexOf(" ") + 1);
  const segments = path.split("/").map((part) => part.replaceAll(/\{\w+\}/g, "[^/]+").replaceAll(".", String.raw`\.`));
  return new RegExp(`^${segments.join("/")}/?$`);
}

/** Whether a path is served, or is the start of a served path that the page has shortened. */
function isServed(given: string, method?: string): boolean {
  const bare = (given.split(/[?#]/)[0] ?? "").replace(/[.:*]+$/, "");
  const path = bare.replace(/^\/(?=api-)/, "/functions/v1/").replace(/^\/(?=rpc\/)/, "/rest/v1/");
  if (path === "" || path === "/" || path.includes("…") || path.endsWith("/")) return true;
  return routes.some((route) => {
    if (method !== undefined && route.method !== "ANY" && route.method !== method) return false;
    return route.pattern.test(path);
  });
}

function linksIn(text: string): string[] {
  const prose = text.replaceAll(/```[\s\S]*?```|`[^`\n]*`/g, "");
  return [...prose.matchAll(/\]\(([^)\s]+)\)/g)].map(([, link = ""]) => link);
}

/** The anchors of a page's headings, as GitHub makes them. */
function anchorsOf(page: string): string[] {
  const text = read(page);
  return [...text.matchAll(/^#+ (.*)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
      .trim()
      .replaceAll(/\s/g, "-"),
  );
}

function read(path: string): string {
  return readFileSync(join(ROOT, path), "utf8");
}

test("the table of what machines can do is the calculated one", () => {
  const printed = execFileSync(process.execPath, ["bench/scale.ts"], { cwd: ROOT, encoding: "utf8" });
  const cells = (text: string) => text.replaceAll(/ +|-+:?(?= *\|)/g, "");
  expect(cells(read("docs/scale.md"))).toContain(cells(printed.trim()));
});
