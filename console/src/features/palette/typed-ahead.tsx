/** Takes what is typed before the palette is loaded: single keys would do something else. */
export function TypedAhead({
  text,
  onText,
  onClose,
}: {
  readonly text: string;
  readonly onText: (text: string) => void;
  readonly onClose: () => void;
}) {
  return (
    <input
      data-passing
      aria-label="Search and go"
      autoFocus
      className="sr-only"
      value={text}
      onChange={({ target }) => onText(target.value)}
      onKeyDown={({ key }) => key === "Escape" && onClose()}
    />
  );
}
