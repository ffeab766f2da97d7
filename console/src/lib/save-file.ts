/** Makes the browser save a JSON text, or other content, as a file of this name. */
export function saveFile(name: string, content: string | Blob): void {
  const blob = typeof content === "string" ? new Blob([content], { type: "application/json" }) : content;
  const url = URL.createObjectURL(blob);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
