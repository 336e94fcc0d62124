/**
 * Returns true if a request wants Markdown rather than HTML: it names `text/markdown`, and does not give HTML a higher weight.
 * A wildcard never asks for Markdown; the closest range gives HTML its weight (RFC 9110, 12.5.1).
 */
export function prefersMarkdown(accept: string | null): boolean {
  const weights = new Map<string, number>();
  for (const part of (accept ?? '').toLowerCase().split(',')) {
    const [range = '', ...parameters] = part.split(';').map((piece) => piece.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2);
    if (range !== '') weights.set(range, weight === undefined ? 1 : Number(weight) || 0);
  }
  const markdown = weights.get('text/markdown') ?? 0;
  const html = weights.get('text/html') ?? weights.get('text/*') ?? weights.get('*/*') ?? 0;
  return markdown > 0 && markdown >= html;
}
