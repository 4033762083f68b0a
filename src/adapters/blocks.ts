import type { BlocksHandlers } from "../../generated/routes.js";
import { appendBlockChildren } from "../operations/append-block-children.js";
import { deleteBlock } from "../operations/delete-block.js";
import { listBlockChildren } from "../operations/list-block-children.js";
import { retrieveBlock } from "../operations/retrieve-block.js";
import { updateBlock } from "../operations/update-block.js";
import type { HandlerContext, SuppliedHeaders } from "./context.js";
import { createListBody, parseListRange } from "./list.js";

/** Handlers of the operations on blocks. */
export const blocksHandlers: BlocksHandlers<HandlerContext, SuppliedHeaders> = {
  async retrieveBlock({ path }, { scope }) {
    return { status: 200, body: await retrieveBlock(scope, path.block_id) };
  },

  async deleteBlock(request, { write }) {
    return write(request, async (scope) => ({
      status: 200,
      body: await deleteBlock(scope, request.path.block_id),
    }));
  },

  async updateBlock(request, { write }) {
    const { path, body } = request;
    return write(request, async (scope) => ({
      status: 200,
      body: await updateBlock(scope, path.block_id, body),
    }));
  },

  async listBlockChildren({ path, query }, { scope, requestId }) {
    const list = await listBlockChildren(scope, path.block_id, parseListRange(query));
    return { status: 200, body: { ...createListBody(requestId, list), type: "block", block: {} } };
  },

  async appendBlockChildren(request, { requestId, write }) {
    const { path, body } = request;
    return write(request, async (scope) => {
      const list = await appendBlockChildren(scope, path.block_id, body);
      return { status: 200, body: { ...createListBody(requestId, list), type: "block", block: {} } };
    });
  },
};
