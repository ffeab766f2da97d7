import { CopyButton } from "../../ui/copy.tsx";
import { WarningBand } from "../../ui/warning-band.tsx";

const RELEASE = "muster restore --release";

/** That nothing runs here until somebody releases it, over every screen. @param copy whether it is the whole instance */
export default function HeldBand({ copy }: { readonly copy: boolean }) {
  if (!copy) {
    return (
      <WarningBand>
        <p className="min-w-0 flex-1">The operator holds this workspace: it is read only, and nothing runs in it.</p>
      </WarningBand>
    );
  }
  return (
    <WarningBand>
      <p className="min-w-0 flex-1">
        This is a restored copy: nothing runs until it is released. On its machine: <code>{RELEASE}</code>
        <CopyButton text={RELEASE} label="Copy the command" className="ms-1 -my-1.5 align-middle" />
      </p>
    </WarningBand>
  );
}
