/**
 * Text with the signs escaped that Markdown would take for its own: of emphasis, code, links and tags anywhere, of headings,
 * quotes and fences at the start of a line. Lists stay: they read as what they are.
 */
export function escapeMarkdown(text: string): string {
  return text.replace(/[*_`[\]<]/g, '\\$&').replace(/^(?=#{1,6}(?:[ \t]|$)|>|~~~|(?:=+|-{2,})[ \t]*$)/gm, '\\');
}
