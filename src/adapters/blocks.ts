import type { BlocksHandlers } from "../../generated/routes.js";
import type { Context, SuppliedHeaders } from "./context.js";

export function blocksHandlers(): BlocksHandlers<Context, SuppliedHeaders> {
  return {
    /** GET /v1/blocks/{block_id}: Retrieve a block */
    async retrieveBlock(_request, _context) {
      throw Object.assign(new Error("retrieveBlock is not implemented"), { status: 501 });
    },

    /** DELETE /v1/blocks/{block_id}: Move a block to the trash */
    async deleteBlock(_request, _context) {
      throw Object.assign(new Error("deleteBlock is not implemented"), { status: 501 });
    },

    /** PATCH /v1/blocks/{block_id}: Update a block */
    async updateBlock(_request, _context) {
      throw Object.assign(new Error("updateBlock is not implemented"), { status: 501 });
    },

    /** GET /v1/blocks/{block_id}/children: List the children of a block */
    async listBlockChildren(_request, _context) {
      throw Object.assign(new Error("listBlockChildren is not implemented"), { status: 501 });
    },

    /** PATCH /v1/blocks/{block_id}/children: Append children to a block */
    async appendBlockChildren(_request, _context) {
      throw Object.assign(new Error("appendBlockChildren is not implemented"), { status: 501 });
    },
  };
}
