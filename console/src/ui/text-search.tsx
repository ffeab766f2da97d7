import { Link, useNavigate } from "@tanstack/react-router";
import { buttonClass } from "./button.tsx";
import { FilterBar, TextFilter } from "./filters.tsx";
import { Empty } from "./states.tsx";

/** The line above a list that is narrowed by a text alone; the URL holds it. */
export function TextSearch({ label, q }: { readonly label: string; readonly q: string | undefined }) {
  const navigate = useNavigate();
  return (
    <FilterBar label="Filter the list">
      <TextFilter
        label={label}
        value={q ?? ""}
        onChange={(text) =>
          void navigate({ to: ".", search: (before) => ({ ...before, q: text === "" ? undefined : text }) })
        }
      />
    </FilterBar>
  );
}

/** In place of a list in which nothing has the text. */
export function NoMatch({ noun }: { readonly noun: string }) {
  return (
    <Empty
      title={`No ${noun} matches`}
      action={
        <Link to="." search={(before) => ({ ...before, q: undefined })} className={buttonClass()}>
          Clear filters
        </Link>
      }
    />
  );
}
