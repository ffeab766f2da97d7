// Unpacks Chromium and the libraries it needs into TMPDIR; prints where it is and the environment it needs.
// The package does so only where it takes the machine for a Lambda of Node 22.
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import chromium from "@sparticuz/chromium";

const path = await chromium.executablePath();
const { LD_LIBRARY_PATH = "", FONTCONFIG_PATH = "" } = process.env;
// The package's own file names only folders of a Lambda. Without any font, Chromium aborts at the first select or
// placeholder in the system's font.
writeFileSync(
  join(FONTCONFIG_PATH, "fonts.conf"),
  `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${join(FONTCONFIG_PATH, "fonts")}</dir>
  <cachedir>${join(FONTCONFIG_PATH, "cache")}</cachedir>
</fontconfig>
`,
);
process.stdout.write(JSON.stringify({ path, env: { LD_LIBRARY_PATH, FONTCONFIG_PATH } }));
