import type { ReactNode } from "react";
import { useBlockedBy } from "../../../api/use-session.ts";
import { CopyButton } from "../../../ui/copy.tsx";
import { Checkbox } from "../../../ui/fields.tsx";

/** One way to publish an agent: a switch, and what it is good for. */
export function Way({
  title,
  about,
  label,
  isOn,
  needs = "member",
  onChange,
  below,
  children,
}: {
  readonly title: string;
  readonly about: string;
  readonly label: string;
  readonly isOn: boolean;
  /** The least role that may switch it. */
  readonly needs?: "member" | "admin";
  readonly onChange: (isOn: boolean) => void;
  /** Shown also while it is switched off. */
  readonly below?: ReactNode;
  readonly children: ReactNode;
}) {
  const blockedBy = useBlockedBy(needs);
  return (
    <section aria-label={title} className="flex flex-col gap-3 border-b border-line py-6 first:pt-0 last:border-0">
      <h2 className="text-h3 font-semibold">{title}</h2>
      <p className="text-ink-2">{about}</p>
      <Checkbox
        label={label}
        checked={isOn}
        disabled={blockedBy !== undefined}
        title={blockedBy}
        onChange={({ target }) => onChange(target.checked)}
      />
      {isOn && <div className="flex flex-col gap-2">{children}</div>}
      {below}
    </section>
  );
}

/** A text to copy. */
export function CopyRow({ label, text }: { readonly label: string; readonly text: string }) {
  return (
    <div className="flex items-center gap-3 box bg-surface py-1 ps-3 pe-1">
      <span className="w-16 shrink-0 text-small text-ink-3">{label}</span>
      <code className="min-w-0 flex-1 truncate font-mono text-mono" title={text}>
        {text}
      </code>
      <CopyButton text={text} label={`Copy: ${label}`} />
    </div>
  );
}
