import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { listRuns } from "#client/gen/operations/runs.ts";
import { call } from "../../api/client.ts";
import { now } from "../../lib/clock.ts";
import { relativeTime, shortId } from "../../lib/format.ts";
import { given } from "../../lib/given.ts";
import { useSettled } from "../../lib/use-settled.ts";
import { Combobox } from "../../ui/combobox.tsx";
import { ChoicesError } from "../../ui/query-part.tsx";
import { useRun } from "../records/run-queries.ts";
import type { RunRow } from "../records/run-row.ts";

const MAX_LISTED = 20;

/** Chooses a run, which is found by its title or id at the server. */
export function RunPicker({
  id,
  label,
  onChange,
}: {
  /** Of the chosen one. */
  readonly id: string | undefined;
  readonly label: string;
  readonly onChange: (id: string) => void;
}) {
  const [text, setText] = useState("");
  const q = useSettled(text.trim());
  const query = useQuery({
    queryKey: ["runs", "picker", q],
    queryFn: () => call(listRuns)(given({ q: q === "" ? undefined : q, limit: MAX_LISTED })),
    placeholderData: keepPreviousData,
  });
  const { data: found, isPlaceholderData } = query;
  const { data: chosen } = useRun(id ?? "", undefined, { isEnabled: id !== undefined });
  return (
    <>
      <Combobox
        aria-label={label}
        placeholder="Title or id"
        value={id ?? ""}
        chosen={chosen?.title ?? (id === undefined ? "" : shortId(id))}
        options={found?.items.map((run) => ({ value: run.id, label: labelOf(run) })) ?? []}
        text={text}
        isSearching={isPlaceholderData || q !== text.trim()}
        onText={setText}
        onChoose={onChange}
      />
      <ChoicesError query={query} />
    </>
  );
}

/** Runs of one title differ in who did them and when. */
function labelOf({ title, agent, team, started_at: started, queued_at: queued }: RunRow): string {
  const at = started ?? queued;
  const by = team?.name ?? agent?.name;
  return [title, by, at === null ? undefined : relativeTime(new Date(at), new Date(now()))]
    .filter((part) => part !== undefined)
    .join(" · ");
}
