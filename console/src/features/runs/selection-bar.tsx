import { Link } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { count, plural } from "../../lib/format.ts";
import { hasEnded, stateOf } from "../../lib/run-state.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { Button, IconButton, buttonClass } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { RetryIcon } from "../../ui/icon.tsx";
import { CloseIcon, CompareIcon, StopIcon } from "../../ui/icons.ts";
import { comparisonOf } from "../records/comparison-search.ts";
import { useBulkChange } from "./change-runs.ts";
import type { AskedChange } from "./change-runs.ts";
import { useMatchingRuns } from "./matching.ts";
import { isFiltered } from "./search.ts";
import type { RunsSearch } from "./search.ts";
import type { Selection } from "./selection.ts";

/** What can be done to the rows that are selected. */
export default function SelectionBar({
  selection,
  search,
  hasOthers,
}: {
  readonly selection: Selection;
  /** The filters of the list. */
  readonly search: RunsSearch;
  /** Whether there are rows that are not loaded. */
  readonly hasOthers: boolean;
}) {
  const blockedBy = useBlockedBy("member");
  const { rows, clear } = selection;
  const { asked, ask, close, change } = useBulkChange(clear);
  const open = rows.filter((row) => !hasEnded(stateOf(row)));
  const ended = rows.filter((row) => hasEnded(stateOf(row)));
  useShortcuts({ Escape: clear });
  return (
    <div
      role="region"
      aria-label="Selected runs"
      className="sticky top-14 short:top-0 z-10 bar min-h-11 flex-wrap border-b bg-accent-soft py-1.5"
    >
      <span className="me-2 font-medium">{plural(rows.length, "run")} selected</span>
      {hasOthers && selection.hasAllLoaded && <SelectMatching selection={selection} search={search} />}
      <CompareLink rows={rows} />
      <Button
        size="small"
        icon={StopIcon}
        blockedBy={blockedBy ?? (open.length === 0 ? "All of these have ended." : undefined)}
        onClick={() => ask("cancel", open)}
      >
        Cancel runs
      </Button>
      <Button
        size="small"
        icon={RetryIcon}
        blockedBy={blockedBy ?? (ended.length === 0 ? "None of these has ended." : undefined)}
        onClick={() => ask("rerun", ended.toReversed())}
      >
        Run again
      </Button>
      <span className="ms-auto">
        <IconButton label="Clear selection (Esc)" icon={CloseIcon} onClick={clear} />
      </span>
      {asked !== undefined && <ConfirmChange asked={asked} onConfirm={() => change(asked)} onClose={close} />}
    </div>
  );
}

/** Compares two runs, the older one first; nothing for another number of them. */
function CompareLink({ rows }: Pick<Selection, "rows">) {
  const { slug } = useWorkspace();
  const [a, b] = rows.toReversed();
  if (rows.length !== 2 || a === undefined || b === undefined) return null;
  return (
    <Link
      to="/w/$workspace/runs/compare"
      params={{ workspace: slug }}
      search={comparisonOf({ id: a.id, attempt: a.attempt }, { id: b.id, attempt: b.attempt })}
      className={buttonClass({ size: "small" })}
    >
      <CompareIcon />
      Compare
    </Link>
  );
}

/** Offers all runs that match the filters, once all loaded ones are selected and more exist. */
function SelectMatching({ selection, search }: { readonly selection: Selection; readonly search: RunsSearch }) {
  const { data, isError } = useMatchingRuns(search, true);
  if (isError) return <span className="text-ink-2">The others could not be counted.</span>;
  if (data === undefined) return <span className="text-ink-2">Counting the others</span>;
  const { rows, hasMore } = data;
  if (selection.rows.length >= rows.length) return null;
  const all = count(rows.length);
  return (
    <Button size="small" onClick={() => selection.select(rows)}>
      {hasMore ? `Select the newest ${all}` : isFiltered(search) ? `Select all ${all} that match` : `Select all ${all}`}
    </Button>
  );
}

function ConfirmChange({
  asked: { action, ids, done },
  onConfirm,
  onClose,
}: {
  readonly asked: AskedChange;
  readonly onConfirm: () => Promise<void>;
  readonly onClose: () => void;
}) {
  const runs = plural(ids.length, "run");
  return (
    <Confirm
      title={action === "cancel" ? `Cancel ${runs}?` : `Run ${runs} again?`}
      action={action === "cancel" ? `Cancel ${runs}` : `Run ${count(ids.length)} again`}
      look={action === "cancel" ? "dangerFilled" : "primary"}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <p>
        {action === "cancel"
          ? "They stop at once. Finished steps and what they have cost stay in their records."
          : "Each begins a new attempt from its first step. It costs about what it cost before."}
      </p>
      {done > 0 && (
        <p role="status">
          {count(done)} of {count(ids.length)} done.
        </p>
      )}
    </Confirm>
  );
}
