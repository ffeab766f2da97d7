import { readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { orNotFound } from "#domain/errors.ts";
import type { HttpContext, HttpEnv } from "./context.ts";

const FOLDER = dirname(fileURLToPath(import.meta.resolve("#swagger-ui/swagger-ui.css")));
const ASSETS: ReadonlyMap<string, string> = new Map([
  ["swagger-ui.css", "text/css; charset=utf-8"],
  ["swagger-ui-bundle.js", "text/javascript; charset=utf-8"],
  ["favicon-32x32.png", "image/png"],
]);
const ONE_DAY = "public, max-age=86400";

/** Allows only files of this service; the bundle sets inline styles and draws icons from data URLs. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The bundle's own styles leave a column of one letter for a description on a phone, and make the page wider than it. */
const STYLE = `
body { margin: 0; }
@media (max-width: 640px) {
  .swagger-ui .wrapper, .swagger-ui .scheme-container .schemes { padding: 0 16px; }
  .swagger-ui .information-container.wrapper { padding: 0 16px; }
  .swagger-ui .info { margin: 24px 0 16px; }
  .swagger-ui .scheme-container { margin: 0; padding: 16px 0; }
  .swagger-ui .filter .operation-filter-input { width: 100%; max-width: none; margin: 16px 0 8px; }
  .swagger-ui .opblock-tag { display: grid; grid-template-columns: minmax(0, 1fr) auto; gap: 0 8px; padding: 12px 0; font-size: 18px; }
  .swagger-ui .opblock-tag small { grid-row: 2; grid-column: 1; padding: 0; }
  .swagger-ui .opblock .opblock-summary-method { min-width: 64px; padding: 6px 0; }
  .swagger-ui .opblock-body :is(.parameters-col_name, .parameters-col_description, .response-col_status) { display: block; width: auto; padding-inline: 0; }
  .swagger-ui .opblock-body :is(table, thead, tbody, tr) { display: block; }
  .swagger-ui .opblock-body thead, .swagger-ui .response-col_links { display: none; }
  .swagger-ui .opblock-body .response-col_description { display: block; width: auto; padding-inline: 0; }
  .swagger-ui :is(input[type=text], select) { width: 100%; max-width: none; }
}
`;

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Muster API reference</title>
    <link rel="stylesheet" href="/docs/swagger-ui.css">
    <link rel="icon" type="image/png" href="/docs/favicon-32x32.png">
    <style>${STYLE}</style>
  </head>
  <body>
    <div id="reference"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`;

const START = `document.documentElement.classList.toggle("dark-mode", matchMedia("(prefers-color-scheme: dark)").matches);
SwaggerUIBundle({
  url: "/openapi.json",
  dom_id: "#reference",
  deepLinking: true,
  docExpansion: "none",
  filter: true,
  persistAuthorization: false,
  validatorUrl: null,
});
// The bundle's dialog of keys focuses its last field; most requests take the first key.
addEventListener("click", ({ target }) => {
  if (target.closest(".authorize, .authorization__btn") === null) return;
  requestAnimationFrame(() => document.querySelector(".dialog-ux input")?.focus());
});
`;

/** The API reference for people: a bundle of this service renders `/openapi.json`. */
export function referencePage(): Hono<HttpEnv> {
  const app = new Hono<HttpEnv>();
  app.use(compress());
  app.get("/", (c) => c.html(PAGE, 200, { "Content-Security-Policy": POLICY, "Referrer-Policy": "no-referrer" }));
  app.get("/start.js", (c) => c.body(START, 200, cached("text/javascript; charset=utf-8")));
  app.get("/:file", asset);
  return app;
}

async function asset(c: HttpContext): Promise<Response> {
  const name = c.req.param("file") ?? "";
  const type = orNotFound("Page")(ASSETS.get(name));
  return c.body(new Uint8Array(await readFile(join(FOLDER, name))), 200, cached(type));
}

function cached(type: string) {
  return { "Content-Type": type, "Cache-Control": ONE_DAY };
}
