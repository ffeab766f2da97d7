import { Link } from "@tanstack/react-router";
import { useBlockedBy, useWorkspace } from "../../api/use-session.ts";
import { cost, tokens } from "../../lib/format.ts";
import { ROW_LINK } from "../../ui/row-link.ts";
import { StoppedShare } from "../estimates/stopped-share.tsx";
import { pickedValue } from "../pickers/records.ts";
import type { Budget } from "./queries.ts";
import { ReachedDays } from "./reached-days.tsx";

const PERIODS = { run: "per run", day: "per day", month: "per month", total: "in total" } as const;

/** Budgets as bars of what is used, reserved and free. For those who may change them each is a link to its form. */
export function BudgetList({ budgets }: { readonly budgets: readonly Budget[] }) {
  return (
    <ul>
      {budgets.map((budget) => (
        <BudgetRow key={budget.id} budget={budget} />
      ))}
    </ul>
  );
}

/** Whose spending it caps: `Workspace, per day`. */
export function budgetName({ scope, target_name: name, period }: Budget): string {
  const target = scope === "workspace" ? "Workspace" : (name ?? `Deleted ${scope}`);
  return `${target}, ${PERIODS[period]}`;
}

function BudgetRow({ budget }: { readonly budget: Budget }) {
  const { slug } = useWorkspace();
  const blockedBy = useBlockedBy("admin");
  const shares = windowShares(budget);
  return (
    <li className="relative flex flex-col gap-1.5 border-b border-line py-2.5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-3">
        {blockedBy === undefined ? (
          <Link
            to="/w/$workspace/usage"
            params={{ workspace: slug }}
            search={{ budget: budget.id }}
            className={ROW_LINK}
            dir="auto"
          >
            {budgetName(budget)}
          </Link>
        ) : (
          <span dir="auto" className="truncate font-medium">
            {budgetName(budget)}
          </span>
        )}
        <span className="text-small text-ink-2">
          {shares === undefined ? <PerRun budget={budget} /> : shares.words}
        </span>
      </div>
      {shares !== undefined && <Bar {...shares} />}
      {budget.period === "day" && <ReachedDays budget={budget} />}
    </li>
  );
}

function PerRun({ budget }: { readonly budget: Budget }) {
  const { scope, target_id: id } = budget;
  const whose = scope === "agent" || scope === "team" ? pickedValue(scope, id) : "";
  return (
    <>
      Up to {capLabel(budget)} each. <StoppedShare whose={whose} cap={budget} />
    </>
  );
}

function Bar({ used, reserved, words }: WindowShares) {
  const ink = used >= 1 ? "bg-failed" : used + reserved >= 0.8 ? "bg-waiting" : "bg-accent";
  return (
    <div role="img" aria-label={words} className="flex h-2 overflow-hidden rounded-full bg-raised">
      <span className={`${ink} forced-color-adjust-none`} style={{ width: `${Math.min(1, used) * 100}%` }} />
      <span
        className={`${ink} forced-color-adjust-none opacity-50`}
        style={{ width: `${Math.min(1 - Math.min(1, used), reserved) * 100}%` }}
      />
    </div>
  );
}

/** Shares of the cap as a bar and as text. */
interface WindowShares {
  readonly used: number;
  readonly reserved: number;
  readonly words: string;
}

/** How much of its cap in dollars is used, or of the one in tokens where it has no other; undefined per run. */
function windowShares({ window }: Budget): WindowShares | undefined {
  if (window === null) return undefined;
  return window.cap_usd === null
    ? shares(window.used_tokens, window.reserved_tokens, window.cap_tokens ?? 0, tokens)
    : shares(window.used_usd, window.reserved_usd, window.cap_usd, cost);
}

function shares(used: number, reserved: number, cap: number, format: (value: number) => string): WindowShares {
  const part = (value: number) => (cap > 0 ? value / cap : value > 0 ? 1 : 0);
  const free = Math.max(0, cap - used - reserved);
  const held = reserved > 0 ? `, ${format(reserved)} reserved` : "";
  return {
    used: part(used),
    reserved: part(reserved),
    words:
      used > cap
        ? `${format(used)} of ${format(cap)} used${held}, ${format(used - cap)} over`
        : `${format(used)} of ${format(cap)} used${held}, ${format(free)} free`,
  };
}

function capLabel({ max_usd: usd, max_tokens: most }: Budget): string {
  return usd === null ? `${tokens(most ?? 0)} tokens` : cost(usd);
}
