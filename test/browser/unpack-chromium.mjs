// Unpacks Chromium and the libraries it needs into TMPDIR; prints where it is and the environment it needs.
// The package does so only where it takes the machine for a Lambda of Node 22.
import chromium from "@sparticuz/chromium";

const path = await chromium.executablePath();
const { LD_LIBRARY_PATH = "", FONTCONFIG_PATH = "" } = process.env;
process.stdout.write(JSON.stringify({ path, env: { LD_LIBRARY_PATH, FONTCONFIG_PATH } }));
