import { expect, test } from "vitest";
import { createEditFields, createStoredObject } from "../../../src/domain/stored-object.js";

test("the time of the last edit never decreases, even if the clock was set back", () => {
  const object = createStoredObject("page", { type: "workspace" }, { author: "first", time: 5 });
  for (const time of [4, 6]) {
    const edited = { lastEditedTime: Math.max(5, time), lastEditedBy: "second" };
    expect(createEditFields(object, { author: "second", time })).toEqual(edited);
  }
});
