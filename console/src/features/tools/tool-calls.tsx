import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { duration } from "../../lib/format.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { PagedList } from "../../ui/paged-list.tsx";
import { StateChip } from "../../ui/state.tsx";
import { Time } from "../../ui/time.tsx";
import { useToolCalls } from "./queries.ts";
import type { CustomTool, CustomToolCall } from "./records.ts";

/** The log of a tool's calls, newest first. */
export function ToolCalls({ tool }: { readonly tool: CustomTool }) {
  const pages = useToolCalls(tool.id);
  return (
    <section aria-labelledby="tool-calls" className="flex flex-col border-t border-line pt-5">
      <h3 id="tool-calls" className="pb-1 text-h3 font-semibold">
        Calls
      </h3>
      <PagedList pages={pages} empty={<p className="py-2 text-ink-2">No calls yet.</p>}>
        {(calls) => (
          <ul>
            {calls.map((call) => (
              <Call key={call.id} call={call} />
            ))}
          </ul>
        )}
      </PagedList>
    </section>
  );
}

function Call({ call }: { readonly call: CustomToolCall }) {
  const { slug } = useWorkspace();
  return (
    <li className="border-b border-line py-2 last:border-b-0">
      <span className="flex flex-wrap items-center gap-x-3">
        {call.status === "success" ? (
          <StateChip state="completed">Succeeded</StateChip>
        ) : (
          <StateChip state="failed">Failed</StateChip>
        )}
        {call.http_status !== null && <span className="text-ink-2">HTTP {call.http_status}</span>}
        <span className="text-ink-3">{duration(call.duration_ms)}</span>
        <span className="ms-auto flex items-center gap-3 text-small text-ink-3">
          {call.task_id === null ? (
            "Test"
          ) : (
            <Link
              to="/w/$workspace/runs/$id"
              params={{ workspace: slug, id: call.task_id }}
              className="text-accent hover:underline"
            >
              Run
            </Link>
          )}
          <Time at={call.created_at} />
        </span>
      </span>
      {call.error !== null && (
        <span dir="auto" className="block pt-1 text-small break-words text-ink-2">
          {visibleText(call.error)}
        </span>
      )}
    </li>
  );
}
