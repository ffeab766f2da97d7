import { useId, useRef } from "react";
import { Button } from "./button.tsx";
import type { ButtonProps } from "./button.tsx";

/** The button that lets a person choose files. */
export function FileButton({
  label,
  accept,
  isMany = false,
  onFiles,
  ...button
}: Omit<ButtonProps, "onClick" | "type"> & {
  /** What is chosen. */
  readonly label: string;
  /** The types of files, as in HTML; absent for all. */
  readonly accept?: string;
  readonly isMany?: boolean;
  readonly onFiles: (files: readonly File[]) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => input.current?.click()} />
      <input
        ref={input}
        id={useId()}
        type="file"
        accept={accept}
        multiple={isMany}
        aria-label={label}
        tabIndex={-1}
        disabled={button.disabled}
        className="sr-only"
        onChange={({ target }) => {
          onFiles([...(target.files ?? [])]);
          target.value = "";
        }}
      />
    </>
  );
}
