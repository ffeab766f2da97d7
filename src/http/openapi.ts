import type { Api } from "./envelope/route.ts";

const DESCRIPTION = `
Agents, tasks and who you are. Without \`X-API-Version\` answers are bare data; with
\`X-API-Version: 2\` they are \`{data, meta}\`, and lists \`{items, next_cursor, has_more}\` in \`data\`.
The schemas show bare data. Errors have the same form in both versions.`.trim();

/** The OpenAPI 3.1 document of the REST surfaces at this address, made from the same schemas that check requests. */
export function openApiDocument({ app }: Api, url: string) {
  return app.getOpenAPI31Document({
    openapi: "3.1.0",
    info: {
      title: "Muster",
      version: "1",
      description: DESCRIPTION,
      license: { name: "Apache-2.0", url: "https://www.apache.org/licenses/LICENSE-2.0" },
    },
    servers: [{ url }],
  });
}
