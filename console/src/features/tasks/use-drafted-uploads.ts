import { use, useEffect, useState } from "react";
import { DraftContext } from "../../forms/draft-context.ts";
import type { Upload } from "./file-picker.tsx";

const FIELD = "uploads";

type Change = (uploads: readonly Upload[]) => readonly Upload[];

/** The files of a form, kept in its draft once the service has them. */
export function useDraftedUploads(): readonly [readonly Upload[], (change: Change) => void] {
  const draft = use(DraftContext);
  const [uploads, setUploads] = useState<readonly Upload[]>(
    () => draft?.valuesOf(FIELD)?.map((upload) => JSON.parse(upload)) ?? [],
  );
  useEffect(() => {
    const stored = uploads.filter(({ id }) => id !== undefined);
    draft?.write(
      FIELD,
      stored.map((upload) => JSON.stringify(upload)),
      [],
    );
  }, [draft, uploads]);
  return [uploads, setUploads];
}
