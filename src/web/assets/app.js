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
      status.textContent = "Press Ctrl+C to copy it.";
    }
  });
}

// The form that filters a table offers only the conditions of the chosen property.
const property = document.getElementById("filter");
const condition = document.getElementById("condition");
if (property?.options.length > 0) {
  const offerConditions = () => {
    const names = property.selectedOptions[0].dataset.conditions.split(" ");
    for (const option of condition.options) {
      option.disabled = !names.includes(option.value);
      option.hidden = option.disabled;
    }
    if (!names.includes(condition.value)) condition.value = names[0];
  };
  property.addEventListener("change", offerConditions);
  offerConditions();
}
