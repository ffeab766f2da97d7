import { useState } from "react";
import { Button } from "../../ui/button.tsx";
import { FormError, TextField } from "../../ui/field.tsx";
import { useWork } from "../../ui/use-action.ts";
import { StandalonePage } from "../questions/standalone-page.tsx";

/** Asks for the code of a page. */
export function CodeForm({
  title,
  onCode,
}: {
  readonly title: string;
  readonly onCode: (code: string) => Promise<void>;
}) {
  const [code, setCode] = useState("");
  const { isBusy, error, start } = useWork();
  return (
    <StandalonePage workspace={title}>
      <form
        className="flex max-w-80 flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          start(() => onCode(code));
        }}
      >
        <h1 className="text-h1 font-semibold tracking-tight">Enter the code</h1>
        <TextField
          label="Code"
          help="You got it with the address of this page."
          autoComplete="one-time-code"
          autoFocus
          required
          value={code}
          maxLength={100}
          onChange={({ target }) => setCode(target.value)}
        />
        {error !== undefined && <FormError>{error}</FormError>}
        <Button look="primary" type="submit" isBusy={isBusy} disabled={code.trim() === ""} className="self-start">
          Continue
        </Button>
      </form>
    </StandalonePage>
  );
}
