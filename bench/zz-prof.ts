import { measureTasks, taskRow } from "./tasks.ts";
import { openStage } from "./lib/stage.ts";
const stage = await openStage({ NODE_OPTIONS: "--cpu-prof --cpu-prof-dir=/tmp/prof/cpu" });
try {
  await measureTasks(stage, 8, 300);
  console.log(taskRow(await measureTasks(stage, 16, 1500)));
} finally {
  await stage.close();
}
