import { visibleText } from "../../lib/visible-text.ts";
import { useAllKeys } from "./queries.ts";

/** The keys that end with a member or a service account, shown before they stop working. */
export function EndingKeys({ userId }: { readonly userId: string }) {
  const { data, error } = useAllKeys();
  if (error !== null) return <p>Its keys end with it. What was made with them stays.</p>;
  if (data === undefined) return <p>Looking for the keys that end with it …</p>;
  const keys = data.filter(({ created_by: by }) => by === userId);
  if (keys.length === 0) return <p>No key ends with it. What was made stays.</p>;
  return (
    <>
      <p>{keys.length === 1 ? "This key ends with it:" : "These keys end with it:"}</p>
      <ul className="my-2 list-disc ps-5">
        {keys.map(({ id, label, prefix, kind }) => (
          <li key={id}>
            {visibleText(label)}{" "}
            <span className="text-ink-3">
              {kind} <code>{prefix}…</code>
            </span>
          </li>
        ))}
      </ul>
      <p>What was made stays.</p>
    </>
  );
}
