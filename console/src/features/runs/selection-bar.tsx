import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { plural } from "../../lib/format.ts";
import { hasEnded, stateOf } from "../../lib/run-state.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { Button, IconButton, buttonClass } from "../../ui/button.tsx";
import { Confirm } from "../../ui/confirm.tsx";
import { CloseIcon, CompareIcon, RetryIcon, StopIcon } from "../../ui/icons.tsx";
import { showToast } from "../../ui/messages.ts";
import { comparisonOf } from "../compare/search.ts";
import { useChangeRuns } from "./queries.ts";
import type { BulkAction } from "./queries.ts";
import type { RunRow } from "./records.ts";
import type { Selection } from "./selection.ts";

/** What can be done to the rows that are selected. */
export default function SelectionBar({ selection }: { readonly selection: Selection }) {
  const { slug } = useWorkspace();
  const { rows, clear } = selection;
  const { asking, ask, close, change, isBusy, blockedBy } = useBulk(clear);
  const open = rows.filter((row) => !hasEnded(stateOf(row)));
  const ended = rows.filter((row) => hasEnded(stateOf(row)));
  useShortcuts({ Escape: clear });
  const [a, b] = rows.toReversed();
  return (
    <div
      role="region"
      aria-label="Selected runs"
      className="sticky top-14 z-10 flex min-h-11 flex-wrap items-center gap-2 border-b border-line bg-accent-soft px-6 py-1.5 max-sm:px-4"
    >
      <span className="me-2 font-medium">{plural(rows.length, "run")} selected</span>
      {rows.length === 2 && a !== undefined && b !== undefined && (
        <Link
          to="/w/$workspace/runs/compare"
          params={{ workspace: slug }}
          search={comparisonOf({ id: a.id, attempt: a.attempt }, { id: b.id, attempt: b.attempt })}
          className={buttonClass({ size: "small" })}
        >
          <CompareIcon />
          Compare
        </Link>
      )}
      <Button
        size="small"
        icon={StopIcon}
        blockedBy={blockedBy ?? (open.length === 0 ? "All of these have ended." : undefined)}
        onClick={() => ask("cancel")}
      >
        Cancel runs
      </Button>
      <Button
        size="small"
        icon={RetryIcon}
        isBusy={isBusy}
        blockedBy={blockedBy ?? (ended.length === 0 ? "None of these has ended." : undefined)}
        onClick={() => ask("rerun")}
      >
        Run again
      </Button>
      <span className="ms-auto">
        <IconButton label="Clear selection (Esc)" icon={CloseIcon} onClick={clear} />
      </span>
      {asking === "cancel" && (
        <Confirm
          title={`Cancel ${plural(open.length, "run")}?`}
          action={`Cancel ${plural(open.length, "run")}`}
          onConfirm={() => change("cancel", open)}
          onClose={close}
        >
          <p>They stop at once. Finished steps and what they have cost stay in their records.</p>
        </Confirm>
      )}
      {asking === "rerun" && (
        <Confirm
          title={`Run ${plural(ended.length, "run")} again?`}
          action={`Run ${ended.length} again`}
          onConfirm={() => change("rerun", ended)}
          onClose={close}
        >
          <p>Each begins a new attempt from its first step. It costs about what it cost before.</p>
        </Confirm>
      )}
    </div>
  );
}

function useBulk(clear: () => void) {
  const [asking, ask] = useState<BulkAction>();
  const { mutateAsync, isPending } = useChangeRuns();
  const blockedBy = useBlockedBy("member");

  async function change(action: BulkAction, chosen: readonly RunRow[]): Promise<void> {
    const { changed, skipped } = await mutateAsync({ action, ids: chosen.map(({ id }) => id) });
    const done = `${plural(changed.length, "run")} ${action === "cancel" ? "cancelled" : "started again"}`;
    const [first] = skipped;
    showToast(first === undefined ? done : `${done}, ${skipped.length} skipped: ${first.message}`);
    clear();
  }

  return { asking, ask, close: () => ask(undefined), change, isBusy: isPending, blockedBy };
}
