import { expect, test } from 'vitest';
import { pageRoleOf } from './page-role.ts';

test.each([
  ['https://x.org/docs/releases/4.2.html', 'Notes for 4.2', 'record'],
  ['https://x.org/changelog.html', 'Changelog', 'record'],
  ['https://x.org/whatsnew/3.10.html', 'What’s New In 3.10', 'record'],
  ['https://x.org/page', 'E.5. Release 15.16', 'record'],
  ['https://x.org/genindex-A.html', 'Index – A', 'index'],
  ['https://x.org/py-modindex.html', 'Python Module Index', 'index'],
  ['https://x.org/_modules/app/core.html', 'app.core', 'source'],
  ['https://x.org/how-to/release.html', 'How to release', 'guide'],
  ['https://x.org/guide/news-feed.html', 'Building a news feed', 'guide'],
  ['https://x.org/c3ref/changes.html', 'Count The Number Of Rows Modified', 'guide'],
  ['https://x.org/index.html', 'Welcome', 'guide'],
])('%s "%s" is a %s page', (url, title, role) => {
  expect(pageRoleOf(url, title)).toBe(role);
});
