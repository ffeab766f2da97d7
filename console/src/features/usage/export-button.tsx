import { useState } from "react";
import { authorizedFetch } from "../../api/authorized-fetch.ts";
import { problemOf } from "../../api/problem.ts";
import { saveFile } from "../../lib/save-file.ts";
import { Button } from "../../ui/button.tsx";
import { DownloadIcon } from "../../ui/icons.ts";
import { showFailure } from "../../ui/messages.ts";

/** Saves an answer of the API as a file. */
export function ExportButton({ path, name }: { readonly path: string; readonly name: string }) {
  const [isBusy, setBusy] = useState(false);
  async function save(): Promise<void> {
    setBusy(true);
    try {
      const response = await authorizedFetch(new Request(new URL(path, location.origin)));
      if (!response.ok) throw await problemOf(response);
      saveFile(name, await response.blob());
    } catch (error) {
      showFailure(error);
    } finally {
      setBusy(false);
    }
  }
  return (
    <Button icon={DownloadIcon} isBusy={isBusy} onClick={() => void save()}>
      CSV
    </Button>
  );
}
