import type { components } from "../../api/paths.gen.ts";
import { RunsIcon } from "../../ui/icons.tsx";
import type { Icon } from "../../ui/icons.tsx";

type Found = components["schemas"]["FoundRecord"];

/** Where a record of a kind is shown. */
interface Place {
  readonly kind: Found["kind"];
  readonly heading: string;
  readonly icon: Icon;
  /** The address inside of the workspace. */
  readonly pathOf: (record: Found) => string;
}

/** The kinds of records that have a screen, in the order in which they are shown. */
export const PLACES: readonly Place[] = [
  { kind: "run", heading: "Runs", icon: RunsIcon, pathOf: ({ id }) => `runs/${id}` },
];
