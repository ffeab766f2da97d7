import { use, useState } from "react";
import { DraftContext } from "../forms/draft-context.ts";
import { useIssue } from "../forms/form-context.ts";
import { Button, IconButton } from "./button.tsx";
import { Input } from "./field.tsx";
import { CloseIcon, PlusIcon } from "./icons.ts";

type Headers = Readonly<Record<string, string>>;

interface Row {
  readonly key: number;
  readonly name: string;
  /** Of a stored one: the value as it may be seen, with its last four characters. */
  readonly shown: string | undefined;
}

const NAME = "header_name";

/** Headers of every call. A stored one keeps its name, and its value unless another is typed. A draft has no values. */
export function HeadersField({
  stored,
}: {
  /** With their values as the server shows them. */
  readonly stored: Headers;
}) {
  const error = useIssue("headers");
  const draft = use(DraftContext);
  const [rows, setRows] = useState<readonly Row[]>(() =>
    (draft?.valuesOf(NAME) ?? Object.keys(stored)).map((name, key) => ({ key, name, shown: stored[name] })),
  );
  function change(next: readonly Row[]): void {
    setRows(next);
    draft?.write(
      NAME,
      next.map(({ name }) => name),
      Object.keys(stored),
    );
  }
  const add = () => change([...rows, { key: (rows.at(-1)?.key ?? 0) + 1, name: "", shown: undefined }]);
  return (
    <section aria-label="Headers" className="flex flex-col gap-2">
      <h3 className="font-medium">Headers</h3>
      {rows.map((row) => (
        <HeaderRow
          key={row.key}
          row={row}
          onName={(name) => change(rows.map((each) => (each.key === row.key ? { ...each, name } : each)))}
          onRemove={() => change(rows.filter(({ key }) => key !== row.key))}
        />
      ))}
      <Button size="small" icon={PlusIcon} className="self-start" onClick={add}>
        Add header
      </Button>
      {error !== undefined && <p className="text-small text-failed">{error}</p>}
      <p className="text-small text-ink-3">
        {Object.keys(stored).length === 0
          ? "Stored encrypted; only the last four characters of a value are shown again."
          : "Stored encrypted. A value that is left empty stays as it is."}
      </p>
    </section>
  );
}

function HeaderRow({
  row: { name, shown },
  onName,
  onRemove,
}: {
  readonly row: Row;
  readonly onName: (name: string) => void;
  readonly onRemove: () => void;
}) {
  return (
    <div className="grid grid-cols-[minmax(0,2fr)_minmax(0,3fr)_auto] items-center gap-2">
      <Input
        name={NAME}
        aria-label="Header"
        value={name}
        onChange={({ target }) => onName(target.value)}
        readOnly={shown !== undefined}
        placeholder="Authorization"
        autoComplete="off"
        spellCheck={false}
      />
      <Input
        name="header_value"
        type="password"
        aria-label={shown === undefined ? "Value" : `Value of ${name}`}
        placeholder={shown === undefined ? "Value" : `${shown}, kept`}
        autoComplete="off"
        spellCheck={false}
      />
      <IconButton label={`Remove header ${name}`.trim()} icon={CloseIcon} onClick={onRemove} />
    </div>
  );
}

/** The headers of a form; rows without a name are left out. @param stored as for {@link HeadersField} */
export function headersOf(values: FormData, stored: Headers): Record<string, string> {
  const names = values.getAll(NAME).map(String);
  const typed = values.getAll("header_value").map(String);
  return Object.fromEntries(
    names.flatMap((given, index) => {
      const name = given.trim();
      // A value that is sent back as it was shown stays what it was.
      return name === "" ? [] : [[name, typed[index] || (stored[name] ?? "")]];
    }),
  );
}
