import { createSetupToken } from "../../../../src/access/workspaces/invitations.js";
import { createPerson } from "../../../../src/access/workspaces/people.js";
import { createClient } from "../../../../src/client/index.js";
import { WRITABLE_PROPERTIES } from "../../../support/properties.js";
import type { RunningService } from "../../../support/service.js";
import { Visitor } from "../../../support/visitor.js";
import { fillWorkspace } from "../../../contract/tenants/workspace.js";

/** Contents of a service with objects of every kind. */
export interface FilledService {
  /** A key of each workspace. */
  readonly keys: readonly [string, string];
  readonly revokedKey: string;
  readonly readOnlyKey: string;
  /** E-mail address of an account with the password of all visitors. */
  readonly email: string;
  /** Path of an open invitation. */
  readonly invitation: string;
  /** A database with a property of every type. */
  readonly databaseId: string;
}

/** Fills a service with objects of every kind in two workspaces: the existing "Test", and "Other". */
export async function fillService(running: RunningService): Promise<FilledService> {
  const { service, baseUrl, key } = running;
  const other = await running.createKey({ workspaceName: "Other", plan: "enterprise", limit: 5000 });
  await fillWorkspace(running, running, "first ÄÖ\u2028🙂");
  await fillWorkspace(running, other, "second");
  const databaseId = await addAllProperties(running);
  const revoked = await running.createKey({ workspaceName: "Test", keyName: "Old" });
  const readOnly = await running.createKey({ workspaceName: "Test", access: "read_only" });

  const visitor = new Visitor(baseUrl);
  await visitor.signUp("Ada", `/join/${await createSetupToken(service.store)}`);
  await visitor.createKey("Ada's");
  const invitation = await visitor.invite();
  await service.store.writeServiceWide(async (tx) => {
    await tx.updateTable("api_keys").set({ revoked_time: Date.now() }).where("name", "=", "Old").execute();
  });
  return {
    keys: [key, other.key],
    revokedKey: revoked.key,
    readOnlyKey: readOnly.key,
    email: "ada@example.org",
    invitation,
    databaseId,
  };
}

/** Creates a database with a property of every type, and pages with their values, one of them in the trash. */
async function addAllProperties({ service, baseUrl, key }: RunningService): Promise<string> {
  const client = createClient({ baseUrl, apiKey: key });
  const person = { workspaceName: "Test", name: "Eve", email: "eve@example.org" };
  const { id: personId } = await createPerson(service.store, person);
  const addDatabase = async (properties: object): Promise<string> => {
    const body = { parent: { workspace: true }, title: [{ text: { content: "All" } }], properties };
    // The cast: the service refuses invalid definitions.
    const made = await client.createDatabase({
      body: body as Parameters<typeof client.createDatabase>[0]["body"],
    });
    return made.body.id;
  };
  const projects = await addDatabase({ Name: { title: {} }, Cost: { number: { format: "euro" } } });
  const databaseId = await addDatabase({
    ...WRITABLE_PROPERTIES,
    Made: { created_time: {} },
    Maker: { created_by: {} },
    Edited: { last_edited_time: {} },
    Editor: { last_edited_by: {} },
    Number2: { unique_id: { prefix: "T" } },
    Project: { relation: { database_id: projects, dual_property: { synced_property_name: "Tasks" } } },
    Costs: { rollup: { relation_property_name: "Project", rollup_property_name: "Cost", function: "sum" } },
  });
  const addPage = async (database: string, properties: object, more: object = {}): Promise<string> => {
    const body = { parent: { database_id: database }, properties, ...more };
    const made = await client.createPage({ body: body as Parameters<typeof client.createPage>[0]["body"] });
    return made.body.id;
  };
  const run = (content: string) => [{ text: { content } }];
  const [red, blue] = [
    await addPage(projects, { Name: { title: run("Red") }, Cost: { number: 0.1 + 0.2 } }),
    await addPage(projects, { Name: { title: run("Blue") }, Cost: { number: -1e21 } }),
  ];
  const cover = { external: { url: "https://example.org/sea.jpg" } };
  for (let number = 0; number < 25; number += 1) {
    const id = await addPage(
      databaseId,
      {
        Title: { title: run(`Task ${number} é\n\u2029"\\`) },
        Text: { rich_text: run("long ".repeat(60)) },
        Number: { number: number / 7 },
        Select: { select: { name: number % 2 ? "One" : "Two" } },
        Multi: { multi_select: [{ name: "b" }, { name: `new ${number % 3}` }] },
        Status: { status: { name: "In progress" } },
        Date: { date: { start: "2026-05-04", end: "2026-05-06" } },
        People: { people: [{ id: personId }] },
        Files: { files: [{ name: "sea.jpg", ...cover }] },
        Done: { checkbox: number % 2 === 0 },
        Link: { url: "https://example.org" },
        Mail: { email: "ada@example.org" },
        Phone: { phone_number: "+49 30 1234" },
        Project: { relation: number % 2 ? [{ id: blue }, { id: red }] : [{ id: red }] },
      },
      number === 0 ? { icon: { emoji: "🧭" }, cover } : {},
    );
    if (number === 3) await client.updatePage({ path: { page_id: id }, body: { in_trash: true } });
  }
  return databaseId;
}
