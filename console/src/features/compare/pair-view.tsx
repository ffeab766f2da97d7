import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { ArrowRightIcon } from "../../ui/icons.ts";
import { buttonClass } from "../../ui/button.tsx";
import { QueryPart, both } from "../../ui/query-part.tsx";
import { Tabs } from "../../ui/tabs.tsx";
import { isCall, isModelCall } from "../run/model/tree.ts";
import { useStep } from "../records/run-queries.ts";
import type { RunHead, StepRow } from "../records/run-head.ts";
import type { Pair } from "./model/align.ts";
import type { CompareSearch, CompareTab } from "../records/comparison-search.ts";
import { TextDifference } from "./text-difference.tsx";
import { outputText, promptText } from "./texts.ts";

const TABS: readonly { readonly key: CompareTab; readonly label: string }[] = [
  { key: "output", label: "Output" },
  { key: "prompt", label: "Prompt" },
];

/** An open pair: the differences of its texts, and the way to each step in its run. */
export function PairView({
  pair,
  heads,
  search,
}: {
  readonly pair: Pair;
  readonly heads: { readonly a: RunHead; readonly b: RunHead };
  readonly search: CompareSearch;
}) {
  const { slug } = useWorkspace();
  const [a, b] = [pair.a?.row, pair.b?.row];
  const first = a ?? b;
  const tabs = first !== undefined && isModelCall(first) ? TABS : TABS.slice(0, 1);
  const current = tabs.find(({ key }) => key === search.tab)?.key ?? "output";
  const hasTexts = first !== undefined && isCall(first);
  return (
    <div className="flex flex-col gap-3 border-t border-line px-page pt-1 pb-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        {hasTexts ? (
          <Tabs
            isInset
            label="Compare"
            current={current}
            tabs={tabs.map((tab) => ({
              ...tab,
              link: {
                to: "/w/$workspace/runs/compare",
                params: { workspace: slug },
                search: { ...search, tab: tab.key },
                replace: true,
              },
            }))}
          />
        ) : (
          <span className="py-2 text-ink-3">A group of steps: what differs is in its parts.</span>
        )}
        <span className="flex gap-2">
          {a !== undefined && <OpenStep name="A" head={heads.a} row={a} />}
          {b !== undefined && <OpenStep name="B" head={heads.b} row={b} />}
        </span>
      </div>
      {hasTexts && <Texts a={a} b={b} heads={heads} tab={current} />}
    </div>
  );
}

function OpenStep({ name, head, row }: { readonly name: "A" | "B"; readonly head: RunHead; readonly row: StepRow }) {
  const { slug } = useWorkspace();
  return (
    <Link
      to="/w/$workspace/runs/$id"
      params={{ workspace: slug, id: head.id }}
      search={{ attempt: head.attempt, step: row.key }}
      className={buttonClass({ size: "small" })}
    >
      <ArrowRightIcon />
      Open in {name}
    </Link>
  );
}

/** The step that only the other run has. */
const ABSENT = { data: null, error: null, refetch: () => undefined };

function Texts({
  a,
  b,
  heads,
  tab,
}: {
  readonly a: StepRow | undefined;
  readonly b: StepRow | undefined;
  readonly heads: { readonly a: RunHead; readonly b: RunHead };
  readonly tab: CompareTab;
}) {
  const [left, right] = [useStep(heads.a, a), useStep(heads.b, b)];
  const textOf = tab === "prompt" ? promptText : outputText;
  return (
    <QueryPart query={both(a === undefined ? ABSENT : left, b === undefined ? ABSENT : right)}>
      {([before, after]) => (
        <TextDifference before={before === null ? "" : textOf(before)} after={after === null ? "" : textOf(after)} />
      )}
    </QueryPart>
  );
}
