import type { components } from "../../../generated/types.js";

type Schemas = components["schemas"];

/** Request body for both sides of the POST comparison. */
export const body: Schemas["CreatePageBody"] = {
  parent: { database_id: "0191d5a2-7b1c-7c33-9a55-3f0c8a4e1b02" },
  properties: {
    Title: { title: [{ text: { content: "Travel plans" } }] },
    Notes: { rich_text: [{ type: "text", text: { content: "Book early" } }] },
    Points: { number: 3.5 },
    Done: { checkbox: false },
  },
};

/** Invalid body, because its title is not a list. Both sides must reject it. */
export const invalidBody = { ...body, properties: { Title: { title: "Travel plans" } } };

const user = { object: "user", id: "0191d5a2-7b1c-7c33-9a55-3f0c8a4e1b03" } as const;

/** Response of both sides. */
export const page: Schemas["Page"] = {
  object: "page",
  id: "0191d5a2-7b1c-7c33-9a55-3f0c8a4e1b01",
  created_time: "2026-05-04T09:12:33.120Z",
  last_edited_time: "2026-05-04T09:12:33.120Z",
  created_by: user,
  last_edited_by: user,
  icon: null,
  cover: null,
  parent: { type: "database_id", database_id: "0191d5a2-7b1c-7c33-9a55-3f0c8a4e1b02" },
  archived: false,
  in_trash: false,
  properties: {
    Title: {
      id: "title",
      type: "title",
      title: [
        {
          type: "text",
          text: { content: "Travel plans", link: null },
          annotations: {
            bold: false,
            italic: false,
            strikethrough: false,
            underline: false,
            code: false,
            color: "default",
          },
          plain_text: "Travel plans",
          href: null,
        },
      ],
    },
  },
  url: "http://localhost:3000/0191d5a27b1c7c339a553f0c8a4e1b01",
  public_url: null,
};
