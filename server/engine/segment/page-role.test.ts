import { describe, expect, test } from 'vitest';
import { pageRoleOf } from './page-role.ts';

const plain = { id: '', anchor: '', headingPath: [], kind: 'prose' as const, identifiers: [], tokens: 1 };

test.each([
  ['https://x.org/docs/releases/4.2.html', 'Notes for 4.2', 'record'],
  ['https://x.org/changelog.html', 'Changelog', 'record'],
  ['https://x.org/whatsnew/3.10.html', 'What’s New In 3.10', 'record'],
  ['https://x.org/page', 'E.5. Release 15.16', 'record'],
  ['https://x.org/genindex-A.html', 'Index – A', 'listing'],
  ['https://x.org/py-modindex.html', 'Python Module Index', 'listing'],
  ['https://x.org/doc', '63. Concept Index', 'listing'],
  ['https://x.org/doc', 'Function and Variable Index', 'listing'],
  ['https://x.org/Concept-Index.html', 'Topics', 'listing'],
  ['https://x.org/ch-option_index.html', 'Options', 'listing'],
  ['https://x.org/api/help-doc.html', 'API Help', 'listing'],
  ['https://x.org/guide/text-index.html', 'Text Index', 'guide'],
  ['https://x.org/guide/function-index', 'Index of an expression', 'guide'],
  ['https://x.org/org/app/class-use/Core.html', 'Uses of Class org.app.Core', 'listing'],
  ['https://x.org/index-files/index-3.html', 'C-Index', 'listing'],
  ['https://x.org/classCore-members.html', 'Member List', 'listing'],
  ['https://x.org/a00916.html', 'app::Core Member List', 'listing'],
  ['https://x.org/functions.html', 'Lamp: Class Members', 'listing'],
  ['https://x.org/namespacemembers_func.html', 'Lamp: Namespace Members - Functions', 'listing'],
  ['https://x.org/globals.html', 'Lamp: Globals', 'listing'],
  ['https://x.org/a00917.html', 'Lamp: Data Fields - Variables', 'listing'],
  ['https://x.org/forms.html', 'Data Fields', 'guide'],
  ['https://x.org/functions.html', 'Built-in Functions', 'guide'],
  ['https://x.org/changes.html', 'Changes in Lamp', 'record'],
  ['https://x.org/undo.html', 'Changes to a lamp', 'guide'],
  ['https://x.org/functions_func_c.html', 'Functions', 'listing'],
  ['https://x.org/doc-index-C.html', 'app', 'listing'],
  ['https://x.org/type_Netplex_types.html', 'Netplex_types', 'listing'],
  ['https://x.org/api/nameIndex.html', 'Index of Names', 'listing'],
  ['https://x.org/AllIdentifiers.html', 'All Identifiers', 'listing'],
  ['https://x.org/library/index/index-a.html', 'Index A', 'listing'],
  ['https://x.org/guide/classIndex.md', 'Class index of a page', 'guide'],
  ['https://x.org/type_tags.html', 'Type tags', 'guide'],
  ['https://x.org/guide/functions.html', 'Functions', 'guide'],
  ['https://x.org/core_8h_source.html', 'core.h', 'source'],
  ['https://x.org/a00916_source.html', 'app: core.h', 'source'],
  ['https://x.org/Core_source.html', 'App: Core Source File', 'source'],
  ['https://x.org/compile.html', 'App: Compile a source file', 'guide'],
  ['https://x.org/classapp_drop_source.html', 'appDropSource Class Reference', 'guide'],
  ['https://x.org/method.Shader.get_source.html', 'App.Shader.get_source', 'guide'],
  ['https://x.org/_modules/app/core.html', 'app.core', 'source'],
  ['https://x.org/app/src/Data-Core.html', 'Data.Core', 'source'],
  ['https://github.com/x/book/blob/main/src/ch01-start.md', 'Start', 'guide'],
  ['https://codeberg.org/x/app/src/branch/main/docs/start.md', 'Start', 'guide'],
  ['https://codeberg.org/x/app/src/branch/main/include/core.h', 'core.h', 'guide'],
  ['https://x.org/how-to/release.html', 'How to release', 'guide'],
  ['https://x.org/guide/news-feed.html', 'Building a news feed', 'guide'],
  ['https://x.org/c3ref/changes.html', 'Count The Number Of Rows Modified', 'guide'],
  ['https://x.org/index.html', 'Welcome', 'guide'],
])('%s "%s" is a %s page', (url, title, role) => {
  expect(pageRoleOf({ url, title, snippets: [] })).toBe(role);
});

describe('the text of a page', () => {
  const roleOf = (...texts: string[]) =>
    pageRoleOf({ url: 'https://x.org/page', title: 'Page', snippets: texts.map((text) => ({ ...plain, text })) });
  const contents = '- [Getting started with it](https://x.org/a)\n- [Running the server](https://x.org/b "Title")\n';

  test('makes a page of mostly links a list and an explaining page a guide', () => {
    expect(roleOf(contents)).toBe('index');
    expect(roleOf(`${contents}What it is and what it needs, in a sentence as long as the links above are.`)).toBe(
      'guide',
    );
    expect(
      roleOf(contents, 'A further part of the page that explains at length what the links of the first only name.'),
    ).toBe('guide');
    expect(roleOf()).toBe('guide');
    expect(roleOf('')).toBe('guide');
  });

  test('keeps release notes release notes, however many links they have', () => {
    const record = {
      url: 'https://x.org/releases/1.html',
      title: 'Release 1',
      snippets: [{ ...plain, text: contents }],
    };
    expect(pageRoleOf(record)).toBe('record');
  });

  test('costs little to check if brackets are never closed', () => {
    expect(roleOf('['.repeat(200_000))).toBe('guide');
    expect(roleOf('[a]('.repeat(50_000))).toBe('guide');
  });
});
