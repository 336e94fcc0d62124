/** Anchors of headings as code hosts make them: lower case, punctuation dropped, spaces as hyphens, repeats numbered. */
export class Slugs {
  private readonly used = new Map<string, number>();

  next(text: string): string {
    const base = text
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replace(/ /g, '-');
    const count = this.used.get(base);
    this.used.set(base, (count ?? -1) + 1);
    if (count === undefined) return base;
    const numbered = `${base}-${count + 1}`;
    if (!this.used.has(numbered)) this.used.set(numbered, 0);
    return numbered;
  }
}
