/** Queue of items of several tenants, which take turns. Items of one tenant stay in their order. */
export class RoundRobinQueue<T extends { readonly tenantId: string }> {
  /** Ordered by the tenants' turns. No list is empty. */
  readonly #tenants = new Map<string, T[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Whether items of other tenants wait. */
  hasOtherTenants(tenantId: string): boolean {
    return this.#tenants.size > (this.#tenants.has(tenantId) ? 1 : 0);
  }

  /** Adds an item behind all others of its tenant. */
  push(item: T): void {
    const items = this.#tenants.get(item.tenantId);
    if (items === undefined) this.#tenants.set(item.tenantId, [item]);
    else items.push(item);
    this.#size += 1;
  }

  /** Puts items back that were taken. Their tenants have the next turns. */
  putBack(items: readonly T[]): void {
    const waiting = [...this.#tenants.values()].flat();
    this.#tenants.clear();
    this.#size = 0;
    for (const item of [...items, ...waiting]) this.push(item);
  }

  /** Removes at most `count` items: one of each tenant, then the second of each, and so on. */
  take(count: number): T[] {
    const taken: T[] = [];
    for (const [tenantId, items] of this.#tenants) {
      const item = items.shift();
      // Behind all other tenants, so that this loop reaches it again after them.
      this.#tenants.delete(tenantId);
      if (items.length > 0) this.#tenants.set(tenantId, items);
      if (item !== undefined) taken.push(item);
      if (taken.length === count) break;
    }
    this.#size -= taken.length;
    return taken;
  }
}
