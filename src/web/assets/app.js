// Everything works without this script, too.

// Copy buttons, which are hidden without it.
for (const button of document.querySelectorAll("button[data-copy]")) {
  const field = document.getElementById(button.dataset.copy);
  const status = document.getElementById(`${button.dataset.copy}-status`);
  button.hidden = false;
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(field.value ?? field.textContent);
      status.textContent = "Copied to the clipboard.";
    } catch {
      if (field.select) field.select();
      else getSelection().selectAllChildren(field);
      status.textContent = "The text is selected: copy it now.";
    }
  });
}

// A form is submitted once: the response to the second click would replace the page that shows a new key or link.
for (const form of document.querySelectorAll('form[method="post"]')) {
  let submitTime = -Infinity;
  form.addEventListener("submit", (event) => {
    if (event.timeStamp - submitTime < 2000) event.preventDefault();
    else submitTime = event.timeStamp;
  });
}

// The form that filters a table offers only the conditions and options of the chosen property, and sets the placeholder of the value.
const property = document.getElementById("filter");
const condition = document.getElementById("condition");
if (property?.options.length > 0) {
  const offerChoices = () => {
    const { conditions, placeholder, list } = property.selectedOptions[0].dataset;
    const names = conditions.split(" ");
    for (const option of condition.options) {
      option.disabled = !names.includes(option.value);
      option.hidden = option.disabled;
    }
    if (!names.includes(condition.value)) condition.value = names[0];
    const value = document.getElementById("value");
    value.placeholder = placeholder;
    value.setAttribute("list", list);
  };
  property.addEventListener("change", offerChoices);
  offerChoices();
}

// A cell of a table that is cut shows its whole text as a tooltip. The page of the row shows it, too.
document.querySelector(".rows")?.addEventListener("mouseover", ({ target }) => {
  const cell = target.closest("td > div, th > a");
  const cut = [cell, ...(cell?.querySelectorAll(".option") ?? [])];
  if (cut.some((part) => part?.scrollWidth > part?.clientWidth)) cell.title = cell.textContent;
});

// A link of a table that gets the focus comes into sight whole, not only with the part that is enough for the browser.
document.querySelector(".rows")?.addEventListener("focusin", ({ target }) => {
  requestAnimationFrame(() => {
    // A click does not move the table under the pointer.
    if (target.matches("a:focus-visible")) target.scrollIntoView({ block: "nearest", inline: "nearest" });
  });
});

// Images that cannot be loaded: icons and covers disappear, and others become links.
function replaceImage(image) {
  if (image.matches(".icon, .cover")) return image.remove();
  const label = Object.assign(document.createElement("span"), {
    className: "muted",
    textContent: "Image that cannot be loaded",
  });
  const link = Object.assign(document.createElement("a"), {
    href: image.src,
    rel: "noopener noreferrer nofollow",
    textContent: image.src,
  });
  const text = Object.assign(document.createElement("p"), { className: "external" });
  text.append(label, " ", link);
  image.replaceWith(text);
}
for (const image of document.querySelectorAll("main img")) {
  image.addEventListener("error", () => replaceImage(image));
  // Failed before this script ran, unless it is an image without a size of its own, which can be decoded.
  if (image.complete && image.naturalWidth === 0) image.decode().catch(() => replaceImage(image));
}
