const endings =
  /\.(md|mdx|mdc|markdown|mdown|mkd|rst|rest|adoc|asciidoc|asc|ipynb|html?|xhtml|txt|org|pod|man|[1-9])$/i;
const names = /(^|\/)(readme|openapi|swagger)(\.[a-z]+)?$/i;

/** Returns true if a file's name says that documentation is written in it; a count for people, not what decides what is indexed. */
export function isDocumentationFile(path: string): boolean {
  return endings.test(path) || names.test(path);
}
