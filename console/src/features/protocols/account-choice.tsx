import { ChoiceCard } from "../../ui/choice-card.tsx";
import { Radio } from "../../ui/radio.tsx";

const CHOICES = [
  { value: "workspace", label: "One for the workspace", sentence: "All runs use the account that you connect now." },
  {
    value: "person",
    label: "Each person's own",
    sentence: "For what is personal, such as mail: used in runs that a person started and calls that they approved.",
  },
] as const;

/** Whose account calls of a server will use. */
export type AccountKind = (typeof CHOICES)[number]["value"];

/** Reads the choice of a form. */
export function accountIn(values: FormData): AccountKind {
  return values.get("account") === "person" ? "person" : "workspace";
}

/** Asks whose account calls of a server will use. */
export function AccountChoice() {
  return (
    <fieldset className="flex flex-col gap-2">
      <legend className="mb-1.5 font-medium">This server needs a sign-in. Whose account?</legend>
      {CHOICES.map(({ value, label, sentence }) => (
        <ChoiceCard key={value} className="items-center hover:bg-raised">
          <Radio name="account" value={value} defaultChecked={value === "workspace"} />
          <span className="min-w-0">
            <span className="block font-medium">{label}</span>
            <span className="block text-ink-2">{sentence}</span>
          </span>
        </ChoiceCard>
      ))}
    </fieldset>
  );
}
