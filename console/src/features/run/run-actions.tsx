import { useNavigate } from "@tanstack/react-router";
import { Suspense, lazy, useState } from "react";
import { keepGoldenCase } from "#client/gen/operations/golden-runs.ts";
import { call } from "../../api/client.ts";
import { useBlockedBy, useBlockedFromAnswering, useWorkspace } from "../../api/use-session.ts";
import { hasEnded, stateOf } from "../../lib/run-state.ts";
import { COPY_ID, withAlt, withMod } from "../../lib/keys.ts";
import { loadPart } from "../../lib/load-part.ts";
import { saveFile } from "../../lib/save-file.ts";
import { useShortcuts } from "../../lib/shortcuts.ts";
import { Button, buttonClass } from "../../ui/button.tsx";
import { copyText } from "../../ui/copy.tsx";
import { CopyIcon, RetryIcon } from "../../ui/icon.tsx";
import {
  CodeIcon,
  CompareIcon,
  DownloadIcon,
  ForkIcon,
  GoldenIcon,
  LinkIcon,
  QuestionsIcon,
  SelectIcon,
  TrashIcon,
} from "../../ui/icons.ts";
import { Menu, MenuChoice, MenuItem } from "../../ui/menu.tsx";
import { RecordMenu } from "../../ui/record-menu.tsx";
import { StateIcon } from "../../ui/state.tsx";
import { orTell, showFailure, showToast } from "../../ui/messages.ts";
import { comparisonOf } from "../records/comparison-search.ts";
import { useDialogs } from "../../ui/dialogs.tsx";
import { CancelRun } from "./cancel-run.tsx";
import { useRunRemoval } from "./delete-run.tsx";
import type { FailureActions } from "./failure/actions.ts";
import { FirstButton } from "./failure/first-button.tsx";
import { nameOf } from "./model/names.ts";
import { isCall } from "./model/tree.ts";
import { useSetRunStatus } from "../records/run-queries.ts";
import { isAssigned } from "../records/run-head.ts";
import type { RunHead, Steps } from "../records/run-head.ts";
import { RetryButton } from "./retry-button.tsx";
import { goToQuestion } from "./run-question.tsx";

const ShareRun = lazy(() => loadPart(() => import("./share/share-run.tsx")));

/** What one can do with a run in its state: one action is first, the others are in the menu. */
export function RunActions({
  head,
  steps,
  failure,
}: {
  readonly head: RunHead;
  readonly steps: Steps | undefined;
  readonly failure: FailureActions;
}) {
  const running = steps?.rows.filter((row) => row.status === "running" && isCall(row)).map(nameOf);
  const blockedBy = useBlockedFromAnswering();
  const again = useRunAgain(head);
  const canRetry = failure.onRetry !== undefined;
  return (
    <>
      {head.question !== null && (
        <Button icon={QuestionsIcon} blockedBy={blockedBy} onClick={goToQuestion}>
          Answer
        </Button>
      )}
      {!hasEnded(stateOf(head)) && <CancelRun head={head} running={running ?? []} />}
      {head.status === "failed" && <FirstButton head={head} failure={failure} />}
      <RetryButton
        failure={failure}
        look={head.status === "failed" && failure.remedy.first !== "retry" ? "plain" : "primary"}
      />
      {again !== undefined && !canRetry && (
        <Button
          icon={RetryIcon}
          isBusy={again.isPending}
          blockedBy={again.blockedBy}
          onClick={again.run}
          title="Run again (R)"
        >
          Run again
        </Button>
      )}
      <MoreMenu head={head} steps={steps} onFork={failure.onFork} again={canRetry ? again : undefined} />
    </>
  );
}

/** The state of the newest attempt: the one that is shown may be an earlier one. */
function newestState(head: RunHead): ReturnType<typeof stateOf> {
  const { kind, attempts } = head;
  const newest = attempts.at(-1);
  return stateOf(newest === undefined ? head : { kind, status: newest.status });
}

/** How its work is done once more from the beginning; undefined until its newest attempt has ended. */
function useRunAgain(head: RunHead) {
  const { mutate, isPending } = useSetRunStatus(head);
  const blockedByRole = useBlockedBy("member");
  const blockedBy = blockedByRole ?? (isAssigned(head) ? undefined : "It has no agent or team now.");
  const canRun = hasEnded(newestState(head));
  const run = () => mutate("again", { onError: showFailure });
  useShortcuts({ R: () => canRun && blockedBy === undefined && run() });
  return canRun ? { run, isPending, blockedBy } : undefined;
}

function MoreMenu({
  head,
  steps,
  onFork,
  again,
}: {
  readonly head: RunHead;
  readonly steps: Steps | undefined;
  readonly onFork: FailureActions["onFork"];
  /** Undefined where it has a button, or cannot be done. */
  readonly again: ReturnType<typeof useRunAgain>;
}) {
  const dialogs = useDialogs();
  const blockedBy = useBlockedBy("member");
  const [isSharing, setSharing] = useState(false);
  const copyId = () => void copyText(head.id);
  useShortcuts({ [COPY_ID]: copyId });
  return (
    <>
      <RecordMenu blockedBy={blockedBy} icon={TrashIcon} removal={useRunRemoval(head)}>
        {again !== undefined && (
          <MenuItem icon={RetryIcon} keys="R" blockedBy={again.blockedBy} onSelect={again.run}>
            Run again
          </MenuItem>
        )}
        {onFork !== undefined && (
          <MenuItem icon={ForkIcon} keys="f" blockedBy={blockedBy} onSelect={onFork}>
            Fork from a step
          </MenuItem>
        )}
        <KeepItem head={head} />
        <CompareItems head={head} />
        <MenuItem icon={CopyIcon} keys={withMod(".")} onSelect={copyId}>
          Copy id
        </MenuItem>
        <MenuItem
          icon={DownloadIcon}
          onSelect={() => saveFile(`run-${head.id}.json`, JSON.stringify({ ...head, steps: steps?.rows }, null, 2))}
        >
          Export as JSON
        </MenuItem>
        <MenuItem icon={LinkIcon} onSelect={() => setSharing(true)}>
          Share
        </MenuItem>
        <MenuItem icon={CodeIcon} keys={withAlt("A")} onSelect={() => dialogs.open("api")}>
          Do this by the API
        </MenuItem>
        <OwnToolItems links={head.links} />
      </RecordMenu>
      {isSharing && (
        <Suspense>
          <ShareRun head={head} onClose={() => setSharing(false)} />
        </Suspense>
      )}
    </>
  );
}

function KeepItem({ head }: { readonly head: RunHead }) {
  const blockedBy = useBlockedBy("member");
  if (!isKeepable(head)) return null;
  return (
    <MenuItem icon={GoldenIcon} blockedBy={blockedBy} onSelect={() => orTell(keepAsGolden(head))}>
      Keep as golden
    </MenuItem>
  );
}

/** A task that an agent has ended; those of golden runs are cases already. */
function isKeepable(head: RunHead): boolean {
  return head.kind === "task" && head.agent !== null && hasEnded(newestState(head)) && head.source.kind !== "golden";
}

async function keepAsGolden({ id }: RunHead): Promise<void> {
  const { name } = await call(keepGoldenCase)({ id }, {});
  showToast(`Kept “${name}” as a golden case of its agent.`);
}

function CompareItems({ head }: { readonly head: RunHead }) {
  const navigate = useNavigate();
  const { slug } = useWorkspace();
  const other = counterpartOf(head);
  const own = { id: head.id, attempt: head.attempt };
  const compare = (...runs: Parameters<typeof comparisonOf>) =>
    void navigate({ to: "/w/$workspace/runs/compare", params: { workspace: slug }, search: comparisonOf(...runs) });
  return (
    <>
      {other !== undefined && (
        <MenuItem icon={CompareIcon} onSelect={() => compare(other.run, own)}>
          Compare with {other.name}
        </MenuItem>
      )}
      <MenuItem icon={CompareIcon} onSelect={() => compare(own)}>
        Compare with another run
      </MenuItem>
    </>
  );
}

function OwnToolItems({ links }: Pick<RunHead, "links">) {
  return OWN_TOOLS.map(({ of, label }) => {
    const url = links[of];
    if (url === null) return null;
    return (
      <MenuItem key={of} icon={LinkIcon} onSelect={() => void window.open(url, "_blank", "noopener,noreferrer")}>
        {label}
      </MenuItem>
    );
  });
}

/** Links to the operator's own tools. */
const OWN_TOOLS = [
  { of: "log", label: "Open the log" },
  { of: "trace", label: "Open the trace" },
] as const;

/** What a run is compared with first: the attempt before, else the run from which it was forked. */
function counterpartOf({ id, attempt, attempts, forked_from: origin }: RunHead) {
  const before = attempts.findLast(({ n }) => n < attempt);
  if (before !== undefined) return { name: `attempt ${before.n}`, run: { id, attempt: before.n } };
  return origin === null
    ? undefined
    : { name: "the original", run: { id: origin.id, attempt: origin.attempt ?? undefined } };
}

/** Which attempt is shown, of how many; with two or more they can be compared. */
export function AttemptMenu({
  head,
  onChange,
}: {
  readonly head: RunHead;
  readonly onChange: (attempt: number) => void;
}) {
  const { attempts, attempt, kind } = head;
  if (attempts.length < 2) return null;
  return (
    <>
      <Menu
        align="start"
        trigger={
          <button type="button" className={buttonClass({ size: "small" })}>
            Attempt {attempt} of {attempts.length}
            <SelectIcon className="text-ink-3" />
          </button>
        }
      >
        <MenuChoice
          value={String(attempt)}
          onChange={(value) => onChange(Number(value))}
          options={attempts.map(({ n, status, error_code: code }) => ({
            value: String(n),
            label: (
              <span className="flex items-center gap-2">
                <StateIcon state={stateOf({ kind, status })} />
                Attempt {n}
                {code !== null && <span className="font-mono text-caption text-failed">{code}</span>}
              </span>
            ),
          }))}
        />
      </Menu>
    </>
  );
}
