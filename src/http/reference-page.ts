import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { notFound } from "#domain/errors.ts";
import type { HttpContext, HttpEnv } from "./context.ts";

const FOLDER = dirname(fileURLToPath(import.meta.resolve("swagger-ui-dist/package.json")));
const ASSETS: ReadonlyMap<string, string> = new Map([
  ["swagger-ui.css", "text/css; charset=utf-8"],
  ["swagger-ui-bundle.js", "text/javascript; charset=utf-8"],
  ["favicon-32x32.png", "image/png"],
]);
const ONE_DAY = "public, max-age=86400";

/** Allows only files of this service; the bundle sets inline styles and draws icons from data URLs. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Muster API reference</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const START = `SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
});
`;

/** The API reference for people: a bundle of this service renders `/openapi.json`. */
export function referencePage(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.get("/", (c) => c.html(PAGE, 200, { "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer" }));
  app.get("/start.js", (c) => c.body(START, 200, cached("text/javascript; charset=utf-8")));
  app.get("/:file", asset);
  return app;
}

async function asset(c: HttpContext): Promise<Response> {
  const name = c.req.param("file") ?? "";
  const type = ASSETS.get(name);
  if (type === undefined) throw notFound("Page");
  return c.body(new Uint8Array(await readFile(join(FOLDER, name))), 200, cached(type));
}

function cached(type: string) {
  return { "Content-Type": type, "Cache-Control": ONE_DAY };
}
