import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../../api/use-session.ts";
import { cost, exactCost, tokens } from "../../../lib/format.ts";
import { tokenParts } from "../../../lib/token-parts.ts";
import { partsOf } from "../inspector/step-details.tsx";
import { nameOf } from "../model/names.ts";
import type { RunHead, StepRow } from "../../records/run-head.ts";
import type { RunSearch } from "../search.ts";

/** The model call that wrote a message: its tokens and its cost; a click selects it. */
export function MessageCall({
  head,
  row,
  search,
}: {
  readonly head: RunHead;
  readonly row: StepRow;
  readonly search: RunSearch;
}) {
  const { slug } = useWorkspace();
  const { prompt_tokens: sent, completion_tokens: received, cost_usd: usd, cached_tokens: cached = 0 } = row;
  return (
    <p className="flex flex-wrap gap-x-3 text-small text-ink-3">
      <Link
        to="/w/$workspace/runs/$id"
        params={{ workspace: slug, id: head.id }}
        search={{ ...search, step: row.key }}
        replace
        className="text-accent hover:underline"
      >
        {nameOf(row)}
      </Link>
      {sent !== undefined && received !== undefined && (
        <span title={tokenParts(partsOf(row, sent))}>
          {tokens(sent)} / {tokens(received)} tokens{cached > 0 && `, ${tokens(cached)} from the cache`}
        </span>
      )}
      {usd !== undefined && <span title={exactCost(usd)}>{cost(usd)}</span>}
    </p>
  );
}
