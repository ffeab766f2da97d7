import { useNavigate, useSearch } from "@tanstack/react-router";
import { useApiCalls } from "../lib/api-calls.ts";
import { useVoices } from "../features/saved/queries.ts";
import type { Voice } from "../features/saved/queries.ts";
import { SavedName } from "../features/saved/saved-name.tsx";
import { NEW_SAVED } from "../features/saved/search.ts";
import { VoiceDialog } from "../features/saved/voice-dialog.tsx";
import { TabBar } from "../features/settings/tab-bar.tsx";
import { curlLine } from "../lib/curl-line.ts";
import { visibleText } from "../lib/visible-text.ts";
import { OpenLink } from "../ui/open-link.tsx";
import { RecordList } from "../ui/record-list.tsx";
import { Empty } from "../ui/states.tsx";
import type { Column } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";

const TAB = "/w/$workspace/settings/voices";
const NEW = { open: NEW_SAVED };
const COLUMNS: readonly Column<Voice>[] = [
  { head: "Name", cell: ({ id, name }) => <SavedName to={TAB} id={id} name={name} />, width: "w-64 max-sm:w-auto" },
  { head: "Tone", cell: ({ tone }) => <span className="text-ink-2">{tone}</span>, width: "w-28" },
  {
    head: "Instructions",
    cell: ({ custom_instructions: text }) => (
      <span dir="auto" className="block truncate text-ink-2">
        {visibleText(text)}
      </span>
    ),
    from: "sm",
  },
  { head: "Changed", cell: ({ updated_at: at }) => <Time at={at} />, from: "md", width: "w-36" },
];

const EXAMPLE = { name: "Plain and kind", tone: "Empathetic", custom_instructions: "Short sentences. No jargon." };

/** The voices that agents share. */
export function VoiceSettings() {
  const { open } = useSearch({ from: TAB });
  const navigate = useNavigate();
  const { pages, opened } = useVoices(open);
  useApiCalls([
    { title: "List voices", method: "GET", path: "/console/api/voice-profiles" },
    {
      title: "Save a voice",
      method: "POST",
      path: "/console/api/voice-profiles",
      body: EXAMPLE,
    },
  ]);
  return (
    <>
      <TabBar text="How agents write. Changes apply to new runs.">
        <OpenLink needs="member" search={NEW}>
          New voice
        </OpenLink>
      </TabBar>
      <RecordList
        label="Voices"
        pages={pages}
        columns={COLUMNS}
        empty={
          <Empty title="No voices yet" command={curlLine("/console/api/voice-profiles", EXAMPLE)}>
            A voice is a tone with instructions that several agents share.
          </Empty>
        }
      />
      {(opened !== undefined || open === NEW_SAVED) && (
        <VoiceDialog key={open} voice={opened} onClose={() => void navigate({ to: ".", search: {} })} />
      )}
    </>
  );
}
