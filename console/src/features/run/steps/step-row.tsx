import { cost, duration, exactCost, perSecond, plural, tokens } from "../../../lib/format.ts";
import { ChevronRightIcon } from "../../../ui/icons.ts";
import { tokenParts } from "../../../lib/token-parts.ts";
import { visibleText } from "../../../lib/visible-text.ts";
import { durationOf } from "../model/bars.ts";
import type { FlatRow } from "../model/flatten.ts";
import type { LiveWords } from "../model/live-words.ts";
import { waitReason, withWait } from "../log/budget-waits.ts";
import type { BudgetWaits } from "../log/budget-waits.ts";
import { agentBeside, kindLabel, nameIn } from "../model/names.ts";
import type { StepNote } from "../model/notes.ts";
import type { StepRow } from "../../records/run-head.ts";
import { branchCounts } from "../model/tree.ts";
import type { BranchCounts, StepNode, Sums } from "../model/tree.ts";
import { KindIcon } from "./kind-icon.tsx";
import { StepState } from "./step-state.tsx";
import { BarCell } from "./waterfall.tsx";
import type { Scale } from "./waterfall.tsx";

/** The columns of the tree; the width of its pane decides which are shown. */
export const STEP_COLUMNS = {
  timeline: "step-columns",
  list: "step-list-columns",
} as const;

/** The columns that are hidden in a narrow pane. */
export const HIDDEN = {
  timeline: {
    model: "@max-[60rem]:hidden",
    tokens: "@max-[47.5rem]:hidden",
    cost: "@max-[30rem]:hidden",
    duration: "@max-[16rem]:hidden",
  },
  list: {
    model: "@max-[35rem]:hidden",
    tokens: "@max-[35rem]:hidden",
    cost: "@max-[16rem]:hidden",
    duration: "@max-[16rem]:hidden",
  },
} as const;

/** The name of a step without a model takes the column of the model as well. */
const WIDE_NAME = { timeline: "@min-[60rem]:col-span-2", list: "@min-[35rem]:col-span-2" } as const;

/** Of a call, in words. */
export const WAITS = "waits for a budget";

/** Of a level, in rem. */
const INDENT = 1;

/** What {@link StepCells} takes. */
interface StepCellsProps {
  readonly flat: FlatRow;
  readonly look: "timeline" | "list";
  readonly scale: Scale;
  /** What the run has cost, of which a group has its share. */
  readonly totalUsd: number;
  /** What it streams now, with its parts if they are not shown. */
  readonly words: LiveWords | undefined;
  readonly waits: BudgetWaits;
  readonly agentName: string | undefined;
  /** What else is known of it: the score of a delegation, or where it was taken from. */
  readonly note: StepNote | undefined;
  /** Whether its error is above the steps. */
  readonly isExplained: boolean;
  /** Whether some rows have children: the others leave room for the toggle. */
  readonly hasGroups: boolean;
  readonly onToggle: () => void;
}

/** The cells of a step. */
export function StepCells(props: StepCellsProps) {
  const { flat, look, scale, totalUsd, words, waits } = props;
  const { row, sums } = flat.node;
  const took = durationOf(row, scale.now);
  const hidden = HIDDEN[look];
  return (
    <>
      <span role="gridcell" className="flex">
        <StepState status={row.status} />
      </span>
      <NameCell {...props} />
      <span
        role="gridcell"
        className={`truncate text-small text-ink-3 ${hidden.model} ${row.model === undefined ? "absolute" : ""}`}
      >
        {row.model}
      </span>
      <span role="gridcell" className={`text-end text-small whitespace-nowrap text-ink-2 ${hidden.duration}`}>
        {took !== undefined && duration(took)}
      </span>
      <span role="gridcell" title={tokensTitle(sums)} className={`text-end text-small text-ink-2 ${hidden.tokens}`}>
        {sums.promptTokens + sums.completionTokens > 0 &&
          `${tokens(sums.promptTokens)} / ${tokens(sums.completionTokens)}`}
      </span>
      <CostCell node={flat.node} totalUsd={totalUsd} className={hidden.cost} />
      {look === "timeline" && (
        <span role="gridcell" className="h-full">
          <BarCell row={inProgress(row, { words, waits, now: scale.now })} scale={scale} />
        </span>
      )}
    </>
  );
}

function NameCell({
  flat: { node, level, isOpen, group },
  look,
  words,
  waits,
  agentName,
  note,
  isExplained,
  hasGroups,
  onToggle,
}: StepCellsProps) {
  const { row } = node;
  const reason = waitReason(waits, row);
  return (
    <span
      role="gridcell"
      className={`flex min-w-0 items-center gap-1.5 overflow-x-clip ${row.model === undefined ? WIDE_NAME[look] : ""}`}
      style={{ paddingInlineStart: `${(level - 1) * INDENT}rem` }}
    >
      {isOpen === undefined ? (
        hasGroups && <span className="w-4 shrink-0" />
      ) : (
        <Toggle isOpen={isOpen} onToggle={onToggle} />
      )}
      <KindIcon kind={row.kind} />
      <span className="sr-only">{kindLabel(row)}: </span>
      <span
        dir="auto"
        className={`truncate ${node.parts.length > 0 ? "font-strong" : ""} ${row.kind === "tool" ? "font-mono text-mono" : ""}`}
      >
        {visibleText(nameIn(group, row))}
      </span>
      <Remark node={node} isOpen={isOpen === true} isExplained={isExplained} agentName={agentName} note={note} />
      {reason !== undefined && (
        <span title={reason} className="shrink-0 truncate text-small text-waiting">
          {WAITS}
        </span>
      )}
      {words !== undefined && (
        <span
          title={`${plural(words.words, "word")}, ${perSecond(words.perSecond)}`}
          className="shrink-0 truncate text-small text-ink-3 @min-[47.5rem]:fits"
        >
          <span className="@max-[47.5rem]:hidden">{plural(words.words, "word")}, </span>
          {perSecond(words.perSecond)}
        </span>
      )}
    </span>
  );
}

/** For the mouse: the keys of the tree do the same. */
function Toggle({ isOpen, onToggle }: { readonly isOpen: boolean; readonly onToggle: () => void }) {
  return (
    <span
      aria-hidden="true"
      className="-my-1 grid h-6 min-w-4 place-items-center rounded-[4px] text-ink-3 hover:bg-raised hover:text-ink"
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      <ChevronRightIcon className={`transition-transform ${isOpen ? "rotate-90" : ""}`} />
    </span>
  );
}

function CostCell({
  node: { row, sums, parts },
  totalUsd,
  className,
}: {
  readonly node: StepNode;
  readonly totalUsd: number;
  readonly className: string;
}) {
  const isPriced = row.taken_over !== true && sums.calls > 0 && sums.promptTokens > 0;
  return (
    <span
      role="gridcell"
      title={isPriced ? exactCost(sums.costUsd) : undefined}
      className={`relative text-end text-small whitespace-nowrap ${className}`}
    >
      {row.taken_over === true ? "$0" : isPriced && cost(sums.costUsd)}
      {parts.length > 0 && totalUsd > 0 && sums.costUsd > 0 && (
        <span
          className="absolute end-0 -bottom-1 h-0.5 rounded-full bg-accent/60"
          style={{ width: `${(sums.costUsd / totalUsd) * 100}%` }}
        />
      )}
    </span>
  );
}

/** A call that waits or streams: the record has its wait and the time of its first token when it has ended. */
function inProgress(
  row: StepRow,
  { words, waits, now }: { readonly words: LiveWords | undefined; readonly waits: BudgetWaits; readonly now: number },
): StepRow {
  const waited = withWait(row, waits, now);
  return words === undefined || row.kind !== "model" ? waited : { first_token_at: words.since, ...waited };
}

/** The details beside the name: agent, error, number of tries, states of the branches. */
function Remark({
  node,
  isOpen,
  isExplained,
  agentName,
  note,
}: {
  readonly node: StepNode;
  /** Whether its parts are shown: what one of them says is not said twice. */
  readonly isOpen: boolean;
  readonly isExplained: boolean;
  readonly agentName: string | undefined;
  readonly note: StepNote | undefined;
}) {
  const { row } = node;
  const agent = agentBeside(row, agentName);
  const branches = branchCounts(node);
  // The parts of a group say it themselves; a question has the code of its run, and its title needs the room.
  const isSaid =
    isExplained ||
    row.kind === "question" ||
    (isOpen && node.parts.some((part) => part.row.error_code === row.error_code));
  return (
    <>
      {agent !== undefined && (
        // It takes what the name leaves: with a basis of its own, both would be cut.
        <span dir="auto" className="fits truncate text-small text-ink-3">
          {visibleText(agent)}
        </span>
      )}
      {branches !== undefined && <Branches counts={branches} />}
      {row.error_code !== undefined && !isSaid && (
        <span className="shrink-0 font-mono text-caption text-failed @max-[30rem]:sr-only">{row.error_code}</span>
      )}
      {row.tries !== undefined && row.tries > 1 && (
        <span className="shrink-0 text-small text-waiting">{row.tries} tries</span>
      )}
      {note !== undefined && (
        <span title={note.full} className="shrink-0 text-small text-ink-3">
          <span className="@min-[80rem]:hidden">{note.short}</span>
          <span className="@max-[80rem]:hidden">{note.full}</span>
        </span>
      )}
    </>
  );
}

const BRANCH_INKS = [
  { status: "completed", ink: "bg-completed", word: "done" },
  { status: "running", ink: "bg-running", word: "running" },
  { status: "waiting", ink: "bg-waiting", word: "waiting" },
  { status: "failed", ink: "bg-failed", word: "failed" },
  { status: "cancelled", ink: "bg-idle", word: "cancelled" },
] as const;

/** All branches in one line: "20 branches: 14 done, 5 running, 1 failed", and as a stacked bar. */
function Branches({ counts }: { readonly counts: BranchCounts }) {
  const parts = BRANCH_INKS.filter(({ status }) => counts[status] > 0);
  const words = `${counts.all} branches: ${parts.map(({ status, word }) => `${counts[status]} ${word}`).join(", ")}`;
  return (
    <span title={words} className="flex shrink-0 items-center gap-2 text-small text-ink-3 @min-[80rem]:fits">
      <span
        aria-hidden="true"
        className="flex h-1.5 w-12 shrink-0 gap-px overflow-hidden rounded-full @max-[47.5rem]:w-8 @max-[30rem]:hidden"
      >
        {parts.map(({ status, ink }) => (
          <span key={status} className={ink} style={{ flexGrow: counts[status] }} />
        ))}
      </span>
      <span className="truncate @max-[80rem]:sr-only">{words}</span>
      <span aria-hidden="true" className="shrink-0 @min-[80rem]:hidden">
        {counts.completed}/{counts.all}
        {counts.failed > 0 && <span className="text-failed @max-[30rem]:hidden"> {counts.failed} failed</span>}
      </span>
    </span>
  );
}

/** The parts of the tokens, which the cell has no room for. */
function tokensTitle(sums: Sums): string | undefined {
  const { promptTokens: sent, completionTokens: received } = sums;
  if (sent + received === 0) return undefined;
  const { cachedTokens: cached, writtenTokens: written, reasoningTokens: reasoning } = sums;
  return tokenParts({ sent, cached, written, received, reasoning });
}
