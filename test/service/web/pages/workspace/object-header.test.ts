import { expect, test } from "vitest";
import { newId } from "../../../../../src/domain/ids.js";
import { renderBreadcrumbList } from "../../../../../src/web/pages/workspace/object-header.js";

test.each([
  [3, undefined, ["Level 0", "Level 1", "Level 2"]],
  [4, "2 more levels", ["Level 2", "Level 3"]],
])(
  "of %i breadcrumbs those before the last two are folded, unless it is only one",
  (count, label, unfolded) => {
    const ancestors = Array.from({ length: count }, (_, index) => ({ id: newId(), title: `Level ${index}` }));
    const { text } = renderBreadcrumbList("Acme", ancestors);
    expect(/<summary aria-label="([^"]*)"/.exec(text)?.[1]).toBe(label);
    expect(text.replace(/<details>.*<\/details>/s, "").match(/Level \d/g)).toEqual(unfolded);
  },
);
