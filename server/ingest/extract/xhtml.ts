/** Elements that HTML ends by itself. */
const voidElements = /^(?:area|base|br|col|embed|hr|img|input|link|meta|param|source|track|wbr)$/i;
const selfClosed = /<([a-zA-Z][\w:-]{0,40})((?:\s(?:[^<>"']|"[^"<>]{0,2000}"|'[^'<>]{0,2000}'){0,4000})?)\/>/g;

/** True for a page written as XML, in which `<script src="a.js"/>` is a whole element. */
export function isXhtml(text: string, contentType: string | undefined, path: string): boolean {
  if (/^\s*application\/xhtml\+xml\b/i.test(contentType ?? '') || /\.xhtml$/i.test(path)) return true;
  return /^\s*<\?xml\s/.test(text.slice(0, 200));
}

/** Gives elements that XML ends in their own tag an end tag: to HTML they are open, and a script swallows the page. */
export function withEndTags(text: string): string {
  return text.replace(selfClosed, (tag, name: string, attributes: string) =>
    voidElements.test(name) ? tag : `<${name}${attributes}></${name}>`,
  );
}
