import { useQuery } from "@tanstack/react-query";
import { getRouteSetup } from "#client/gen/operations/output-routes.ts";
import { call } from "../../api/client.ts";
import { CodeBlock } from "../../ui/code-block.tsx";
import { Markdown } from "../../ui/markdown.tsx";

/** What to do at the vendor so that people can answer a route's questions, or talk to its agent. */
export function PeopleSetup({ id }: { readonly id: string }) {
  const { data } = useQuery({ queryKey: ["routes", id, "setup"], queryFn: () => call(getRouteSetup)({ id }) });
  if (data === undefined) return undefined;
  const { request_url: url, steps } = data;
  return (
    <section aria-label="Setup" className="flex max-w-[72ch] flex-col gap-3 px-page pb-4">
      <h2 className="text-h2 font-semibold">Setup</h2>
      <Markdown text={steps} />
      {url !== null && <CodeBlock title="Request URL" text={url} />}
    </section>
  );
}
