import { queryOptions } from "@tanstack/react-query";
import { listTemplates } from "#client/gen/operations/templates.ts";
import { call } from "../../api/client.ts";
import type { components } from "#client/gen/schema.ts";

/** An agent or a team to begin with. */
export type Template = components["schemas"]["Template"];

/** All templates, which stay the same while the page is open. */
export const templatesQuery = queryOptions({
  queryKey: ["templates"],
  queryFn: () => call(listTemplates)(),
  staleTime: Infinity,
});

/** The example to give to what a template makes: only the demo model reads the directives that show the tools. */
export function exampleOf({ task, demo_task: demo }: Template, model: string): string {
  return model === "demo" ? demo : task;
}
