import { expect, test } from "vitest";
import { append, childrenOf, otherText, paragraph } from "../support/blocks.js";
import { type Connected, addPage, connect, getError, text, title } from "../support/contract.js";
import { Random, takeSeed } from "../support/random.js";

/** An object of the model, with its expected state. */
interface Node {
  readonly id: string;
  readonly kind: "block" | "page" | "database";
  readonly parent: Node | undefined;
  readonly children: Node[];
  /** The object whose move to the trash included this one. */
  root: Node | undefined;
}

/** A tree of pages, databases and blocks in a service, and a model of it. */
class Forest {
  readonly nodes: Node[] = [];

  constructor(readonly service: Connected) {}

  async add(parent: Node | undefined, kind: Node["kind"]): Promise<void> {
    const { client, rootDatabaseId } = this.service;
    const add = async (): Promise<string> => {
      if (parent === undefined) return addPage({ client, rootDatabaseId });
      if (parent.kind === "database") return addPage({ client, rootDatabaseId: parent.id }, "In a database");
      const inPage = { page_id: parent.id };
      if (kind === "page") {
        const { body } = await client.createPage({
          body: { parent: inPage, properties: { title: title("Sub-page") } },
        });
        return body.id;
      }
      if (kind === "database") {
        const { body } = await client.createDatabase({
          body: { parent: inPage, properties: { Title: { title: {} } } },
        });
        return body.id;
      }
      const [block] = await append(client, parent.id, [paragraph("Block")]);
      return block?.id ?? "";
    };
    const node: Node = { id: await add(), kind, parent, children: [], root: undefined };
    parent?.children.push(node);
    this.nodes.push(node);
  }

  /** Moves an object to the trash or restores it, as a page, database or block. */
  async move(node: Node, inTrash: boolean, byBlock: boolean): Promise<void> {
    const { client } = this.service;
    const body = { in_trash: inTrash };
    if (byBlock && inTrash) await client.deleteBlock({ path: { block_id: node.id } });
    else if (byBlock || node.kind === "block")
      await client.updateBlock({ path: { block_id: node.id }, body });
    else if (node.kind === "page") await client.updatePage({ path: { page_id: node.id }, body });
    else await client.updateDatabase({ path: { database_id: node.id }, body });
  }

  /** Compares the state of all objects in the service with the model. */
  async check(): Promise<void> {
    const { client } = this.service;
    for (const node of this.nodes) {
      const { body } = await client.retrieveBlock({ path: { block_id: node.id } });
      const shown = node.kind === "database" ? [] : node.children.filter((child) => child.root === undefined);
      const inTrash = node.root !== undefined;
      expect(body).toMatchObject({ in_trash: inTrash, archived: inTrash, has_children: shown.length > 0 });
      if (node.kind === "page") {
        const page = await client.retrievePage({ path: { page_id: node.id } });
        const properties = { [node.parent?.kind === "page" ? "title" : "Title"]: { type: "title" } };
        expect(page.body).toMatchObject({ in_trash: inTrash, archived: inTrash, properties });
      }
      if (node.kind === "database") {
        const database = await client.retrieveDatabase({ path: { database_id: node.id } });
        expect(database.body).toMatchObject({ in_trash: inTrash, archived: inTrash });
      }
      const children = await childrenOf(client, node.id);
      expect(children.map(({ id }) => id)).toEqual(shown.map(({ id }) => id));
    }
  }
}

function listDescendants(node: Node): Node[] {
  return [node, ...node.children.flatMap(listDescendants)];
}

test("hundreds of random moves of nested pages, databases and blocks to the trash and back", async () => {
  const random = new Random(takeSeed());
  const forest = new Forest(await connect());
  await forest.add(undefined, "page");
  for (let index = 0; index < 40; index++) {
    // The kind is chosen first: otherwise nearly all objects can become blocks, because blocks contain only blocks.
    const kind = random.pick(["page", "page", "database", "block"] as const);
    const parents = forest.nodes.filter((node) => node.kind === kind);
    const parent = random.pick(parents.length === 0 ? forest.nodes : parents);
    const inPage = random.pick(["block", "block", "page", "database"] as const);
    await forest.add(
      parent,
      parent.kind === "database" ? "page" : parent.kind === "block" ? "block" : inPage,
    );
  }
  await forest.check();
  for (let round = 0; round < 150; round++) {
    const node = random.pick(forest.nodes);
    const byBlock = random.chance(0.5);
    if (node.root === undefined) {
      await forest.move(node, true, byBlock);
      for (const each of listDescendants(node)) each.root ??= node;
    } else if (node.root === node && node.parent?.root === undefined) {
      await forest.move(node, false, byBlock);
      for (const each of listDescendants(node)) if (each.root === node) each.root = undefined;
    } else {
      expect(await getError(forest.move(node, false, byBlock))).toMatchObject({
        status: 400,
        code: "validation_error",
        message:
          "Can't edit page on block with an archived ancestor. You must unarchive the ancestor before editing page.",
      });
    }
    // Not after each move, because an object in a wrong state remains in it, and a check takes a hundred requests.
    if (round % 30 === 29) await forest.check();
  }
});

test("DELETE returns the block in the trash, which can be retrieved and restored unchanged", async () => {
  const { client, rootDatabaseId } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const [block] = await append(client, page, [paragraph("a", [paragraph("b")])]);
  const path = { block_id: block?.id ?? "" };
  const deleted = await client.deleteBlock({ path });
  expect(deleted.status).toBe(200);
  expect(deleted.body).toMatchObject({
    ...block,
    has_children: false,
    archived: true,
    in_trash: true,
    last_edited_time: expect.any(String),
  });
  expect((await client.retrieveBlock({ path })).body).toEqual(deleted.body);
  expect((await getError(client.deleteBlock({ path }))).message).toMatch(
    /^Can't edit block that is archived/,
  );
  const back = await client.updateBlock({ path, body: { archived: false } });
  expect(back.body).toMatchObject({ has_children: true, archived: false, in_trash: false });
  expect(await childrenOf(client, page)).toEqual([back.body]);
  // Restoring it again changes nothing.
  expect((await client.updateBlock({ path, body: { in_trash: false } })).body).toEqual(back.body);
});

test("a block whose page is in the trash cannot be restored and changed in one request", async () => {
  const { client, rootDatabaseId } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const [block] = await append(client, page, [paragraph("a")]);
  const path = { block_id: block?.id ?? "" };
  await client.deleteBlock({ path });
  await client.updatePage({ path: { page_id: page }, body: { in_trash: true } });
  const body = { ...otherText("b"), in_trash: false };
  expect((await getError(client.updateBlock({ path, body }))).message).toMatch(
    /^Can't edit page on block with an archived ancestor/,
  );
});

test("updates and moves to the trash or back in one request; refuses contradictory in_trash and archived", async () => {
  const { client, rootDatabaseId } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const [block] = await append(client, page, [paragraph("a")]);
  const path = { block_id: block?.id ?? "" };
  const { body } = await client.updateBlock({ path, body: { ...otherText("b"), in_trash: true } });
  expect(body).toMatchObject({ in_trash: true, paragraph: { rich_text: [{ plain_text: "b" }] } });
  const { body: updatedPage } = await client.updatePage({
    path: { page_id: page },
    body: { in_trash: true, properties: { Title: title("b") } },
  });
  expect(updatedPage).toMatchObject({
    in_trash: true,
    properties: { Title: { title: [{ plain_text: "b" }] } },
  });
  const { body: database } = await client.updateDatabase({
    path: { database_id: rootDatabaseId },
    body: { in_trash: true, title: text("b"), properties: { Title: { name: "Name" } } },
  });
  expect(database).toMatchObject({ in_trash: true, title: [{ plain_text: "b" }], properties: { Name: {} } });
  const { body: restoredDatabase } = await client.updateDatabase({
    path: { database_id: rootDatabaseId },
    body: { in_trash: false, title: text("c") },
  });
  expect(restoredDatabase).toMatchObject({ in_trash: false, title: [{ plain_text: "c" }] });
  const { body: restoredPage } = await client.updatePage({
    path: { page_id: page },
    body: { in_trash: false, properties: { Name: title("c") } },
  });
  expect(restoredPage).toMatchObject({
    in_trash: false,
    properties: { Name: { title: [{ plain_text: "c" }] } },
  });
  const { body: restored } = await client.updateBlock({ path, body: { ...otherText("c"), in_trash: false } });
  expect(restored).toMatchObject({ in_trash: false, paragraph: { rich_text: [{ plain_text: "c" }] } });
  const both = client.updateBlock({ path, body: { in_trash: true, archived: false } });
  expect((await getError(both)).message).toBe("archived and in_trash must be equal when both are given.");
});

test("refuses to create objects inside the trash", async () => {
  const { client, rootDatabaseId } = await connect();
  const page = await addPage({ client, rootDatabaseId });
  const [block] = await append(client, page, [paragraph("a")]);
  const { body: database } = await client.createDatabase({
    body: { parent: { page_id: page }, properties: { Name: { title: {} } } },
  });
  await client.deleteBlock({ path: { block_id: page } });
  const properties = { title: title("b") };
  const calls = [
    append(client, page, [paragraph("b")]),
    append(client, block?.id ?? "", [paragraph("b")]),
    client.updateBlock({ path: { block_id: block?.id ?? "" }, body: otherText("b") }),
    client.createPage({ body: { parent: { page_id: page }, properties } }),
    client.createPage({ body: { parent: { database_id: database.id }, properties } }),
    client.createComment({ body: { parent: { page_id: page }, rich_text: text("b") } }),
  ];
  for (const call of calls) {
    expect(await getError(call)).toMatchObject({
      status: 400,
      message: "Can't edit block that is archived. You must unarchive the block before editing.",
    });
  }
});
