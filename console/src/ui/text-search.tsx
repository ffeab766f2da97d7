import { useNavigate } from "@tanstack/react-router";
import { FilterBar, TextFilter } from "./filters.tsx";

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
