import { useRef } from "react";
import type { ReactNode } from "react";
import { duration, plural } from "../../lib/format.ts";
import { useRowKeys } from "../../lib/row-keys.ts";
import { visibleText } from "../../lib/visible-text.ts";
import { ChevronRightIcon } from "../../ui/icons.ts";
import { nameOf } from "../run/model/names.ts";
import type { StepNode } from "../run/model/tree.ts";
import { KindIcon } from "../run/steps/kind-icon.tsx";
import { StepState } from "../run/steps/step-state.tsx";
import { Difference } from "./difference.tsx";
import { ShowEqual } from "./show-equal.tsx";
import type { ComparedLine, Pair } from "./model/align.ts";

const WIDE = "@max-[45rem]:hidden";
/** Of a level, in rem. */
const INDENT = 1;

/** The steps of both runs, each pair in a row, with the details of an open pair below it. */
export function PairList({
  lines,
  open,
  onToggle,
  onShowEqual,
  children,
}: {
  readonly lines: readonly ComparedLine[];
  /** The key of the pair that is open. */
  readonly open: string | undefined;
  readonly onToggle: (pair: Pair) => void;
  readonly onShowEqual: () => void;
  /** What an open pair shows. */
  readonly children: (pair: Pair) => ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  useRowKeys(list);
  return (
    <div className="@container">
      <div className="pair-columns h-8 border-b border-line bg-surface px-page text-caption font-medium text-ink-3">
        <span>Step</span>
        <span className="text-end">A</span>
        <span className="text-end">B</span>
        <span className="text-end">Duration</span>
        <span className={`text-end ${WIDE}`}>Tokens</span>
        <span className={`text-end ${WIDE}`}>Cost</span>
      </div>
      <div ref={list}>
        {lines.map((line) =>
          line.kind === "equal" ? (
            <EqualRow key={`equal ${line.key}`} line={line} onShow={onShowEqual} />
          ) : (
            <section key={line.pair.key} aria-label={titleOf(line.pair)} className="border-b border-line">
              <PairRow
                pair={line.pair}
                level={line.level}
                isOpen={line.pair.key === open}
                onToggle={() => onToggle(line.pair)}
              />
              {line.pair.key === open && children(line.pair)}
            </section>
          ),
        )}
      </div>
    </div>
  );
}

function EqualRow({
  line: { count, level },
  onShow,
}: {
  readonly line: ComparedLine & { readonly kind: "equal" };
  readonly onShow: () => void;
}) {
  return (
    <ShowEqual onShow={onShow} className="min-h-7 border-b border-line px-page hover:bg-raised">
      <span style={{ paddingInlineStart: `${level * INDENT}rem` }}>{plural(count, "equal step")}</span>
    </ShowEqual>
  );
}

function PairRow({
  pair,
  level,
  isOpen,
  onToggle,
}: {
  readonly pair: Pair;
  readonly level: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
}) {
  const { a, b } = pair;
  const node = a ?? b;
  if (node === undefined) return null;
  return (
    <button
      type="button"
      data-row
      aria-expanded={isOpen}
      onClick={onToggle}
      className={`pair-columns min-h-9 w-full px-page text-start hover:bg-raised touch:min-h-11 ${isOpen ? "bg-accent-soft" : ""}`}
    >
      <span className="flex min-w-0 items-center gap-1.5" style={{ paddingInlineStart: `${(level - 1) * INDENT}rem` }}>
        <ChevronRightIcon className={`shrink-0 text-ink-3 transition-transform ${isOpen ? "rotate-90" : ""}`} />
        <KindIcon kind={node.row.kind} />
        <span dir="auto" className="truncate">
          {visibleText(nameOf(node.row))}
        </span>
        <Remark pair={pair} />
      </span>
      <Side node={a} />
      <Side node={b} />
      <span className="text-end text-small">
        <Difference a={tookOf(a)} b={tookOf(b)} unit="duration" />
      </span>
      <span className={`text-end text-small ${WIDE}`}>
        <Difference a={tokensOf(a)} b={tokensOf(b)} unit="tokens" />
      </span>
      <span className={`text-end text-small ${WIDE}`}>
        <Difference a={a?.sums.costUsd} b={b?.sums.costUsd} unit="cost" />
      </span>
    </button>
  );
}

/** The main difference of a pair: only one run has the step, or the models differ. */
function Remark({ pair: { a, b, isEqual } }: { readonly pair: Pair }) {
  if (a === undefined) return <Tag>only in B</Tag>;
  if (b === undefined) return <Tag>only in A</Tag>;
  if (isEqual) return <Tag>same</Tag>;
  const [from, to] = [a.row.model, b.row.model];
  if (from === to || from === undefined || to === undefined) return null;
  return (
    <span className="truncate text-small text-ink-3 @max-[35rem]:hidden">
      <del className="text-failed">{from}</del> <ins className="text-completed no-underline">{to}</ins>
    </span>
  );
}

function Tag({ children }: { readonly children: ReactNode }) {
  return <span className="shrink-0 rounded-full bg-raised px-1.5 text-caption text-ink-2">{children}</span>;
}

function Side({ node }: { readonly node: StepNode | undefined }) {
  const took = tookOf(node);
  return (
    <span className="flex items-center justify-end gap-1.5 text-small text-ink-2">
      {node === undefined ? (
        <span className="text-ink-3">
          <span className="@max-[30rem]:sr-only">none</span>
          <span aria-hidden="true" className="@min-[30rem]:hidden">
            –
          </span>
        </span>
      ) : (
        <>
          {took !== undefined && <span className="@max-[30rem]:sr-only">{duration(took)}</span>}
          <StepState status={node.row.status} />
        </>
      )}
    </span>
  );
}

function tookOf(node: StepNode | undefined): number | undefined {
  const { started_at: from, ended_at: to } = node?.row ?? {};
  return from === undefined || to === undefined ? undefined : to - from;
}

function tokensOf(node: StepNode | undefined): number | undefined {
  return node && node.sums.promptTokens + node.sums.completionTokens;
}

/** What a pair is called. */
export function titleOf({ a, b }: Pair): string {
  const row = a?.row ?? b?.row;
  return row === undefined ? "Step" : nameOf(row);
}
