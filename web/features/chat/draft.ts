/** What was typed and not sent, for this tab: kept over a reload and a look at a source. */
export function readDraft(name: string): string {
  try {
    return sessionStorage.getItem(`chat-draft:${name}`) ?? '';
  } catch {
    // Storage may be switched off.
    return '';
  }
}

export function writeDraft(name: string, text: string): void {
  try {
    if (text === '') sessionStorage.removeItem(`chat-draft:${name}`);
    else sessionStorage.setItem(`chat-draft:${name}`, text);
  } catch {
    // Switched off or full: then the draft lives as long as the page.
  }
}
