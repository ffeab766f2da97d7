import { Link } from "@tanstack/react-router";
import { useWorkspace } from "../../api/use-session.ts";
import { withMod } from "../../lib/keys.ts";
import { useOpenQuestionCount } from "../questions/queries.ts";
import { SearchIcon } from "../../ui/icons.ts";
import { useIsOperator } from "../workspace/queries.ts";
import { INSTANCE_NAV, NAV_GROUPS, SETTINGS_NAV, navKeys } from "./nav.ts";
import type { ShownItem } from "./nav.ts";
import { PersonMenu } from "./person-menu.tsx";
import { WorkspaceMenu } from "./workspace-menu.tsx";
import { QuestionCount } from "./question-count.tsx";

const ROW = "place gap-2.5 touch:h-11 max-lg:justify-center";

/** The screens of a workspace: 232 px wide, icons alone below 1200 px, on a phone the bar at the bottom instead. */
export function Sidebar({ onSearch }: { readonly onSearch: () => void }) {
  const isOperator = useIsOperator();
  return (
    <div className="side gap-3 bg-surface max-lg:w-14 max-lg:p-2 max-sm:hidden print:hidden">
      <WorkspaceMenu />
      <button
        type="button"
        onClick={onSearch}
        className={`${ROW} h-8 border border-line bg-canvas text-ink-3`}
        title={`Search and go (${withMod("K")})`}
      >
        <SearchIcon />
        <span className="max-lg:sr-only">Search</span>
        <kbd className="ms-auto font-sans text-small max-lg:hidden">{withMod("K")}</kbd>
      </button>
      <nav aria-label="Screens" className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto">
        {NAV_GROUPS.map(({ heading, items }) => (
          <div
            key={items[0].key}
            {...(heading !== null && { role: "group", "aria-label": heading })}
            className="flex flex-col gap-0.5"
          >
            {heading !== null && (
              <p
                aria-hidden="true"
                className="px-2 pb-1 text-caption font-medium text-ink-3 max-lg:mx-2 max-lg:h-px max-lg:bg-line max-lg:p-0 max-lg:text-transparent"
              >
                {heading}
              </p>
            )}
            {items.map((item) => (
              <NavLink key={item.key} item={item} />
            ))}
          </div>
        ))}
        <div className="mt-auto">
          {isOperator === true && <NavLink item={INSTANCE_NAV} />}
          <NavLink item={SETTINGS_NAV} />
        </div>
      </nav>
      <div>
        <PersonMenu />
      </div>
    </div>
  );
}

function NavLink({ item }: { readonly item: ShownItem }) {
  const { slug } = useWorkspace();
  const questions = useOpenQuestionCount();
  const { key, label, icon: Icon, to } = item;
  const keys = navKeys(item);
  return (
    <Link
      to={to}
      params={{ workspace: slug }}
      activeOptions={{ exact: key === "home", includeSearch: false }}
      title={keys === undefined ? label : `${label} (${keys})`}
      className={`${ROW} h-7`}
    >
      <Icon />
      <span className="max-lg:sr-only">{label}</span>
      {key === "questions" && questions !== undefined && <QuestionCount count={questions} className={COUNT} />}
    </Link>
  );
}

const COUNT = "ms-auto min-w-5 px-1.5 text-small max-lg:absolute max-lg:ms-6 max-lg:-mt-4";
