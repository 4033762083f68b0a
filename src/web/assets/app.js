// Copy buttons. Without scripts they stay hidden, and everything else works.
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
