import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { useOpenQuestionCount } from "../questions/queries.ts";
import { PersonInBar } from "./person-menu.tsx";
import { MoreIcon, PlusIcon, QuestionsIcon, RunsIcon } from "../../ui/icons.ts";
import { QuestionCount } from "./question-count.tsx";

const COLUMN = "flex flex-auto flex-col items-center justify-center gap-0.5";
const ITEM = `${COLUMN} relative text-caption font-medium text-ink-2 -outline-offset-2 current:text-accent`;

/** The way around on a phone. */
export function BottomBar({ onMore }: { readonly onMore: () => void }) {
  const { slug } = useWorkspace();
  const questions = useOpenQuestionCount();
  const params = { workspace: slug };
  return (
    <nav
      aria-label="Screens"
      className="flex h-14 shrink-0 border-t border-line bg-surface pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      <Link to="/w/$workspace/questions" params={params} activeOptions={{ includeSearch: false }} className={ITEM}>
        <QuestionsIcon className="size-5" />
        Questions
        {questions !== undefined && (
          <QuestionCount count={questions} className="absolute top-1 ms-8 min-w-4 px-1 text-caption" />
        )}
      </Link>
      <Link to="/w/$workspace/runs" params={params} activeOptions={{ includeSearch: false }} className={ITEM}>
        <RunsIcon className="size-5" />
        Runs
      </Link>
      <Link to="." search={(before) => ({ ...before, new: "task" as const })} className={ITEM}>
        <PlusIcon className="size-5" />
        New
      </Link>
      <button type="button" onClick={onMore} className={ITEM}>
        <MoreIcon className="size-5" />
        More
      </button>
      <PersonInBar className={ITEM} />
    </nav>
  );
}
