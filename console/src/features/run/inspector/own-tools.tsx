import { ExternalLink } from "../../../ui/external-link.tsx";
import type { RunHead } from "../../records/run-head.ts";
import { FactRow } from "../../../ui/fact-list.tsx";

/** Links to the run in the operator's own tools. */
export function OwnTools({ links: { log, trace } }: { readonly links: RunHead["links"] }) {
  return (
    <>
      <FactRow name="Log">{log !== null && <OwnTool href={log} />}</FactRow>
      <FactRow name="Trace">{trace !== null && <OwnTool href={trace} />}</FactRow>
    </>
  );
}

/** A link to a tool of the operator, named by its host. */
function OwnTool({ href }: { readonly href: string }) {
  return (
    <span className="prose">
      <ExternalLink href={href}>{URL.parse(href)?.host ?? href}</ExternalLink>
    </span>
  );
}
