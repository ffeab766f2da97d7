import { useDrafted, useDraftedList } from "../../../forms/form-draft.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { Select } from "../../../ui/fields.tsx";
import { CloseIcon, PlusIcon } from "../../../ui/icons.ts";
import { CheckFields } from "./check-fields.tsx";
import { CHECK_LABELS, checkField, typeIn } from "./checks.ts";
import type { GoldenCheck } from "./checks.ts";

/** The name under which the draft has the rows. */
const ROWS = "checks";
const MAX = 10;

/** The checks of a case: rows with a type and its fields. */
export function ChecksField({ stored }: { readonly stored: readonly GoldenCheck[] }) {
  const [rows, setRows] = useDraftedList(
    ROWS,
    stored.map((_, index) => String(index)),
  );
  const next = String(Math.max(stored.length - 1, ...rows.map(Number)) + 1);
  return (
    <section aria-label="Checks" className="flex flex-col gap-3">
      <h3 className="font-medium">Checks</h3>
      {rows.map((row, index) => (
        <CheckRow
          key={row}
          row={row}
          place={index}
          stored={stored[Number(row)]}
          onRemove={rows.length > 1 ? () => setRows(rows.filter((each) => each !== row)) : undefined}
        />
      ))}
      {rows.length < MAX && (
        <Button size="small" icon={PlusIcon} className="self-start" onClick={() => setRows([...rows, next])}>
          Add check
        </Button>
      )}
    </section>
  );
}

function CheckRow({
  row,
  place,
  stored,
  onRemove,
}: {
  readonly row: string;
  readonly place: number;
  readonly stored: GoldenCheck | undefined;
  /** Absent for the last one: a case has a check. */
  readonly onRemove: (() => void) | undefined;
}) {
  const name = checkField(row, "type");
  const [text, setType] = useDrafted(name, stored?.type ?? "exact");
  const type = typeIn(text);
  return (
    <div className="flex flex-col gap-3 border-s-2 border-line ps-3">
      <input type="hidden" name={ROWS} value={row} />
      <div className="flex items-center gap-2">
        <Select
          aria-label={`Check ${place + 1}`}
          name={name}
          className="flex-1"
          value={type}
          onChange={({ target }) => setType(target.value)}
        >
          {Object.entries(CHECK_LABELS).map(([key, label]) => (
            <option key={key} value={key}>
              {label}
            </option>
          ))}
        </Select>
        {onRemove !== undefined && (
          <IconButton label={`Remove check ${place + 1}`} icon={CloseIcon} onClick={onRemove} />
        )}
      </div>
      <CheckFields key={type} row={row} type={type} stored={stored} path={`checks.${place}`} />
    </div>
  );
}

/** The rows of the form, in their order. */
export function rowsIn(values: FormData): readonly string[] {
  return values.getAll(ROWS).filter((row) => typeof row === "string");
}
