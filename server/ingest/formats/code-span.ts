/** Text as a code span, on one line; the marks are doubled where it holds one. */
export function codeSpan(text: string): string {
  const code = text.replace(/\s*\n\s*/g, ' ').trim();
  if (code === '') return '';
  return code.includes('`') ? `\`\` ${code} \`\`` : `\`${code}\``;
}
