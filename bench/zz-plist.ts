import { measureLists } from "./lists.ts";
import { openStage } from "./lib/stage.ts";
const stage = await openStage({ NODE_OPTIONS: "--cpu-prof --cpu-prof-dir=/tmp/prof/cpu2" });
try { console.log(await measureLists(stage)); } finally { await stage.close(); }
