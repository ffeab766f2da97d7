import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { searchRecords } from "#client/gen/operations/workspaces.ts";
import { call } from "../../api/client.ts";
import type { components } from "#client/gen/schema.ts";
import { useWorkspace } from "../../api/use-session.ts";
import { stateOf } from "../../lib/run-state.ts";
import { useSettled } from "../../lib/use-settled.ts";
import { Bdi } from "../../ui/bdi.tsx";
import { ArrowRightIcon } from "../../ui/icons.ts";
import { StateIcon } from "../../ui/state.tsx";
import { Group, Item } from "./items.tsx";
import { FOUND, NAME_END } from "./rank.ts";
import { RECORD_SCREENS } from "./record-screens.ts";

type Found = components["schemas"]["FoundRecord"];

const MIN_LENGTH = 2;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/**
 * Records whose name, title or id matches the text, in groups; the server searches. The id of none of them may be of a run
 * in another workspace.
 */
export function FoundRecords({ text, onOpen }: { readonly text: string; readonly onOpen: () => void }) {
  const navigate = useNavigate();
  const { slug } = useWorkspace();
  const id = text.trim();
  const found = useFound(id);
  const groups = Object.entries(RECORD_SCREENS).map(([kind, { heading, icon, pathOf }]) => {
    const records = found.filter((record) => record.kind === kind);
    if (records.length === 0) return null;
    return (
      <Group key={kind} heading={heading} isFlat>
        {records.map((record) => (
          <Item
            key={record.id}
            icon={icon}
            mark={record.kind === "run" && <StateIcon state={stateOf({ kind: "task", status: record.status ?? "" })} />}
            value={record.name + NAME_END + record.id}
            keywords={[FOUND]}
            onSelect={() => {
              onOpen();
              void navigate({ href: `/w/${slug}/${pathOf(record)}` });
            }}
          >
            <Bdi>{record.name}</Bdi>
          </Item>
        ))}
      </Group>
    );
  });
  if (!UUID.test(id) || found.some((record) => record.id === id.toLowerCase())) return groups;
  return (
    <Item
      icon={ArrowRightIcon}
      value={id}
      onSelect={() => {
        onOpen();
        void navigate({ to: "/r/$id", params: { id } });
      }}
    >
      Open the run {id.slice(0, 8)}
    </Item>
  );
}

function useFound(text: string): readonly Found[] {
  const asked = useSettled(text);
  const isAsked = asked.length >= MIN_LENGTH && text.length >= MIN_LENGTH;
  const { data } = useQuery({
    queryKey: ["search", asked],
    queryFn: () => call(searchRecords)({ q: asked }),
    enabled: isAsked,
    placeholderData: keepPreviousData,
    staleTime: 5_000,
  });
  return isAsked ? (data ?? []) : [];
}
