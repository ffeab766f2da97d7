import { useEffect } from "react";
import { uploadFile } from "#client/gen/operations/files.ts";
import { call } from "../../api/client.ts";
import { asProblem } from "../../api/problem.ts";
import { bytes } from "../../lib/format.ts";
import { randomId } from "../../lib/random-id.ts";
import { IconButton, Spinner } from "../../ui/button.tsx";
import { FileButton } from "../../ui/file-button.tsx";
import { AttachIcon, CloseIcon } from "../../ui/icons.ts";
import { useDraftedUploads } from "./use-drafted-uploads.ts";

const ATTACHMENTS = "attachments";

/** A file on its way to the service, or there. */
export interface Upload {
  readonly key: string;
  readonly name: string;
  readonly size: number;
  /** Undefined until it is uploaded. */
  readonly id?: string;
  readonly error?: string;
}

/** Uploads files one by one as they are chosen, for {@link attachmentsIn}; those that are rejected say why. */
export function FilePicker({
  blockedBy,
  onUploading,
}: {
  /** Why the person may not upload any. */
  readonly blockedBy?: string | undefined;
  /** Whether one is on its way: the form has to wait for it. */
  readonly onUploading: (isUploading: boolean) => void;
}) {
  const [uploads, onChange] = useDraftedUploads();
  const isUploading = uploads.some((each) => each.id === undefined && each.error === undefined);
  useEffect(() => onUploading(isUploading), [onUploading, isUploading]);

  async function upload(file: File): Promise<void> {
    const added: Upload = { key: randomId(), name: file.name, size: file.size };
    onChange((before) => [...before, added]);
    const replace = (next: Upload) => onChange((before) => before.map((each) => (each.key === next.key ? next : each)));
    const body = new FormData();
    body.append("file", file);
    try {
      const stored = await call(uploadFile)(body);
      replace({ ...added, id: stored.id });
    } catch (error) {
      replace({ ...added, error: asProblem(error).message });
    }
  }

  return (
    <div className="flex flex-col gap-2">
      {uploads.map((each) => (
        <Chosen
          key={each.key}
          upload={each}
          onRemove={() => onChange((before) => before.filter(({ key }) => key !== each.key))}
        />
      ))}
      <FileButton
        label="Files"
        isMany
        look="quiet"
        size="small"
        icon={AttachIcon}
        className="-ms-2 self-start touch:-ms-3"
        blockedBy={blockedBy}
        onFiles={(files) => files.forEach((file) => void upload(file))}
      >
        Attach files
      </FileButton>
    </div>
  );
}

function Chosen({
  upload: { id, name, size, error },
  onRemove,
}: {
  readonly upload: Upload;
  readonly onRemove: () => void;
}) {
  return (
    <div className="flex min-h-9 items-center gap-2 box ps-3 pe-1">
      {id !== undefined && <input type="hidden" name={ATTACHMENTS} value={id} />}
      {id === undefined && error === undefined ? <Spinner /> : <AttachIcon className="text-ink-3" />}
      <span className="min-w-0 flex-1">
        <span dir="auto" className="block truncate">
          {name}
        </span>
        {error !== undefined && <span className="block pb-1 text-small text-failed">{error}</span>}
      </span>
      <span className="text-small text-ink-3">{bytes(size)}</span>
      <IconButton label={`Remove ${name}`} icon={CloseIcon} onClick={onRemove} />
    </div>
  );
}

/** The ids of the files of a form. */
export function attachmentsIn(values: FormData): string[] {
  return values.getAll(ATTACHMENTS).map(String);
}
