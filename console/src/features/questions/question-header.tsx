import type { ReactNode } from "react";
import type { InteractionRequest } from "#domain/tasks/interaction-request.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { Markdown } from "../../ui/markdown.tsx";
import { Deadline } from "./deadline.tsx";
import { visibleText } from "../../lib/visible-text.ts";

/** A question before its form: what is asked, by whom and for what, and until when. */
export function QuestionHeader({
  request,
  asker,
  title,
  due,
  children,
}: {
  readonly request: InteractionRequest;
  readonly asker: string | undefined;
  /** Of the work that waits. */
  readonly title: string;
  readonly due: string | null;
  readonly children?: ReactNode;
}) {
  return (
    <>
      <h1 dir="auto" className="text-h1 font-semibold tracking-tight">
        {visibleText(request.title)}
      </h1>
      <p className="mt-1 text-ink-2">
        {asker === undefined ? (
          "Asked"
        ) : (
          <>
            <Bdi>{asker}</Bdi> asks
          </>
        )}{" "}
        in the run <Bdi className="font-medium text-ink">{title}</Bdi>.
      </p>
      {due !== null && <Deadline at={due} approval={request.approval} />}
      {request.description !== "" && (
        <div className="mt-4">
          <Markdown text={request.description} />
        </div>
      )}
      {children}
    </>
  );
}
