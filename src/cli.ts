#!/usr/bin/env node
/* Entry point of the command `page-service`. */
import { main } from "./cli/main.js";

process.exitCode = await main(process.argv.slice(2));
