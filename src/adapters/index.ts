import type { Handlers } from "../../generated/routes.js";
import { blocksHandlers } from "./blocks.js";
import { commentsHandlers } from "./comments.js";
import type { HandlerContext, SuppliedHeaders } from "./context.js";
import { databasesHandlers } from "./databases.js";
import { pagesHandlers } from "./pages.js";
import { searchHandlers } from "./search.js";
import { usersHandlers } from "./users.js";

/** The handlers of all operations, grouped by tag. `npm run generate` adds the handlers of a new tag. */
export const handlers: Handlers<HandlerContext, SuppliedHeaders> = {
  blocks: blocksHandlers,
  comments: commentsHandlers,
  databases: databasesHandlers,
  pages: pagesHandlers,
  search: searchHandlers,
  users: usersHandlers,
};
