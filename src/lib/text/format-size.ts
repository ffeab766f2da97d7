const UNITS = ["KiB", "MiB", "GiB", "TiB"] as const;
const STEP = 1024;

/** A number of bytes for people, with at most one decimal: `1 byte`, `900 bytes`, `1.5 KiB`, `30 MiB`. */
export function formatSize(bytes: number): string {
  if (bytes < STEP) return `${bytes} ${bytes === 1 ? "byte" : "bytes"}`;
  const power = Math.min(Math.floor(Math.log2(bytes) / Math.log2(STEP)), UNITS.length);
  return `${Math.round((bytes / STEP ** power) * 10) / 10} ${UNITS[power - 1]}`;
}
