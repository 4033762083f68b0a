import { pino } from "pino";
import { createPageService } from "../../src/service.js";

// Runs a service for the fuzzer, on the database of the first argument, with a workspace for each lane.
const [database = ":memory:", lanes = "1"] = process.argv.slice(2);
const service = await createPageService({ database, logger: pino({ level: "error" }, pino.destination(2)) });
const port = await service.listen(0, "127.0.0.1");
const access: object[] = [];
for (let lane = 0; lane < Number(lanes); lane += 1) {
  access.push(await service.createKey({ workspaceName: `Lane ${lane}`, plan: "enterprise" }));
}
process.send?.({ port, access });
process.once("SIGTERM", () => void service.close().then(() => process.exit(0)));
