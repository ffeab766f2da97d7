import { Suspense, lazy, useEffect, useEffectEvent, useRef, useState } from "react";
import type { ReactNode } from "react";
import { loadPart } from "../lib/load-part.ts";
import { asProblem } from "../api/problem.ts";
import type { Problem } from "../api/problem.ts";
import { Button } from "./button.tsx";
import { CopyButton } from "./copy.tsx";
import { RetryIcon, WarningIcon } from "./icon.tsx";
import { useFocusKept } from "./return-focus.ts";

const Elsewhere = lazy(() => loadPart(() => import("./elsewhere.tsx")));

const QUIET_MS = 150;

/** Whether loading takes long enough to show an indicator; fast responses show none. */
export function useIsSlow(): boolean {
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), QUIET_MS);
    return () => clearTimeout(timer);
  }, []);
  return isSlow;
}

/** Still placeholders where rows will be. */
export function LoadingRows({ rows = 8 }: { readonly rows?: number }) {
  const isSlow = useIsSlow();
  return (
    <div role="status" aria-label="Loading" className={isSlow ? "" : "invisible"}>
      {Array.from({ length: rows }, (_, row) => (
        <div key={row} className="flex h-10 items-center gap-3 border-b border-line px-page">
          <span className="size-4 rounded-full bg-raised" />
          <span className="h-2.5 rounded-full bg-raised" style={{ width: `${38 - ((row * 7) % 19)}%` }} />
          <span className="ms-auto h-2.5 w-16 rounded-full bg-raised" />
        </div>
      ))}
    </div>
  );
}

/** Nothing is here yet: one sentence, one thing to do, perhaps the line for a program. */
export function Empty({
  title,
  children,
  action,
  command,
}: {
  readonly title: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  readonly command?: string;
}) {
  return (
    <div className="mx-auto flex w-full max-w-[30rem] flex-col items-center gap-3 px-page py-16 text-center">
      <h2 className="text-h2 font-semibold">{title}</h2>
      {children !== undefined && <p className="text-ink-2">{children}</p>}
      {action !== undefined && action !== false && <Action key={title}>{action}</Action>}
      {command !== undefined && <Command text={command} />}
    </div>
  );
}

/** An action can remove itself, as Clear filters does. The focus then stays in the page. */
function Action({ children }: { readonly children: ReactNode }) {
  const own = useRef<HTMLDivElement>(null);
  useFocusKept(own);
  return (
    <div ref={own} className="mt-2 flex flex-wrap justify-center gap-2">
      {children}
    </div>
  );
}

/** A line for a terminal, with a button that copies it. */
export function Command({ text }: { readonly text: string }) {
  return (
    <div className="mt-3 flex w-full items-start gap-1 box bg-surface py-1 ps-3 pe-1">
      <pre
        className="min-w-0 flex-1 overflow-x-auto py-1 text-start font-mono text-mono"
        tabIndex={0}
        aria-label="Command"
      >
        {text}
      </pre>
      <CopyButton text={text} label="Copy command" />
    </div>
  );
}

/**
 * The server's message, the id of the request and a retry or a link, in place of the content only. What another of the
 * person's workspaces has can be opened there.
 */
export function ErrorState({
  error,
  onRetry,
  action,
}: {
  readonly error: unknown;
  readonly onRetry?: () => void;
  /** Where else to go, when another try cannot help. */
  readonly action?: ReactNode;
}) {
  const problem = asProblem(error);
  return (
    <div role="alert" className="mx-auto flex w-full max-w-[30rem] flex-col items-center gap-3 px-6 py-16 text-center">
      {problem.code !== "deleted" && <WarningIcon className="text-failed" />}
      <h2 className="text-h2 font-semibold">{titleOf(problem)}</h2>
      <p className="text-ink-2">{problem.message}</p>
      {problem.requestId !== undefined && (
        <p className="flex items-center gap-1 font-mono text-small text-ink-3">
          {problem.requestId}
          <CopyButton text={problem.requestId} label="Copy request id" />
        </p>
      )}
      {onRetry !== undefined && problem.code !== "deleted" && (
        <RetryButton key={problem.requestId} problem={problem} onRetry={onRetry} />
      )}
      {problem.status === 404 && problem.code !== "deleted" && (
        <Suspense>
          <Elsewhere />
        </Suspense>
      )}
      {action}
    </div>
  );
}

/** Counts down the time that the server asks to wait, and then tries again, once. */
function RetryButton({ problem, onRetry }: { readonly problem: Problem; readonly onRetry: () => void }) {
  const [left, setLeft] = useState(Math.ceil((problem.retryAfterMs ?? 0) / 1_000));
  const retry = useEffectEvent(onRetry);
  useEffect(() => {
    if (left <= 0) return;
    const timer = setTimeout(() => {
      setLeft(left - 1);
      if (left === 1) retry();
    }, 1_000);
    return () => clearTimeout(timer);
  }, [left]);
  return (
    <Button icon={RetryIcon} onClick={onRetry} disabled={left > 0}>
      {left > 0 ? `Retry in ${left} s` : "Retry"}
    </Button>
  );
}

function titleOf({ status, code }: Problem): string {
  if (code === "offline") return "No connection";
  if (code === "deleted") return "Deleted";
  if (status === 404) return "Not in this workspace, or deleted";
  if (status === 403) return "Not allowed";
  if (status === 429) return "Too many requests";
  if (status >= 500) return "The service could not answer";
  return "That did not work";
}
