import { existsSync, readFileSync } from 'node:fs';
import { gunzipSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { parsePage } from '../../parse/parse-page.ts';
import { extractMan } from './extract-man.ts';

const url = 'https://docs.example/man/tool.1';

const read = (text: string) => extractMan(text, { url });
/** Returns the blocks after the title. */
const blocks = (text: string): [string, string][] =>
  read(`.TH tool 1\n${text}`)
    .blocks.slice(1)
    .map(({ type, markdown }) => [type, markdown]);

describe('man pages with man macros', () => {
  it('yield the page name, sections and running text with its fonts', () => {
    const { title, blocks: all } = read(
      '.\\" comment\n.TH TOOL 1 "2024" "1.0"\n.SH NAME\ntool \\- shows\n.SH "Long Name"\n.PP\nRun \\fBtool\\fP with\n.I care\n.BR see (1),\nor \\*(lqnot\\*(rq.\n',
    );
    expect(title).toBe('tool(1)');
    expect(all.map(({ markdown, depth, anchor }) => [markdown, depth, anchor])).toEqual([
      ['tool(1)', 1, undefined],
      ['NAME', 2, 'name'],
      ['tool - shows', undefined, undefined],
      ['Long Name', 2, 'long-name'],
      ['Run **tool** with *care* **see**(1), or “not”.', undefined, undefined],
    ]);
    expect(all[0]?.identifiers).toEqual(['tool']);
  });

  it('made from POD have the name in its own case', () => {
    const page = read('.IX Title "SSL_SETHOST 3SSL"\n.TH SSL_SETHOST 3SSL\n.SH NAME\nSSL_setHost \\- sets it\n');
    expect(page.title).toBe('SSL_setHost(3SSL)');
  });

  it('define all names that their first section lists before a dash', () => {
    const names = (text: string) => read(`.TH POOL_A 3\n${text}`).blocks[0]?.identifiers;
    expect(names('.SH NAME\nPool_b,\nPool_a, pool::c\n\\- work with\npools - of, pools\n')).toEqual([
      'Pool_a',
      'Pool_b',
      'pool::c',
    ]);
    expect(names('.SH NOM\n.B pool_b\n\\(en bassins\n')).toEqual(['pool_a', 'pool_b']);
    expect(names('.SH NAME\nThe pools, of all kinds\n.SH NEXT\na, b \\- c\n')).toEqual(['pool_a']);
    expect(
      read('.Dt POOL 3\n.Sh NAME\n.Nm pool_a ,\n.Nm pool_b\n.Nd work with - pools\n').blocks[0]?.identifiers,
    ).toEqual(['pool', 'pool_a', 'pool_b']);
  });

  it('are empty if they only name the page to read instead', () => {
    expect(read('.\\" Link for an old name\n.so man2/tool.2\n').blocks).toEqual([]);
  });

  it('may have a comment after the name of a definition', () => {
    expect(blocks('.de Sh\\" a heading\n.SH no\n..\n.ig \\" not shown\nno\n..\nText.\n')).toEqual([
      ['paragraph', 'Text.'],
    ]);
  });

  it('yield options with all their names and their full description', () => {
    const { blocks: all } = read(
      '.TH t 1\n.SH OPTIONS\n.TP\n.B \\-a\n.TQ\n.BR \\-\\-all [=\\fIWHEN\\fP]\nShow all.\n.IP\nMore.\n.RS\n.TP\nalways\nEach time.\n.RE\n.IP "\\-\\-[no\\-]pager" 4\nPages.\n.PP\nAfter.\n',
    );
    expect(all.slice(2).map(({ type, markdown, identifiers, span }) => [type, markdown, identifiers, span])).toEqual([
      ['term', '`-a`, `--all[=WHEN]`', ['-a', '--all'], 4],
      ['paragraph', 'Show all.', undefined, undefined],
      ['paragraph', 'More.', undefined, undefined],
      ['term', 'always', [], 1],
      ['paragraph', 'Each time.', undefined, undefined],
      ['term', '`--[no-]pager`', ['--pager', '--no-pager'], 1],
      ['paragraph', 'Pages.', undefined, undefined],
      ['paragraph', 'After.', undefined, undefined],
    ]);
  });

  it('yield the options of pages made from DocBook', () => {
    const { blocks: all } = read(
      '.TH t 5\n.SH OPTIONS\n.PP\n\\fIOnBootSec=\\fR, \\fIPersistent=no\\fR\n.RS 4\nTakes a boolean\\&.\n.sp\nOr:\n.PP\n\\-a, \\fB\\-\\-all\\fR\n.RS 4\nAll.\n.RE\n.RE\n.PP\n.B \\-b\n.RS 4\nBoth.\n.RE\n.PP\nFor example:\n.RS 4\nrun it\n.RE\n',
    );
    expect(all.slice(2).map(({ type, markdown, identifiers, span }) => [type, markdown, identifiers, span])).toEqual([
      ['term', '`OnBootSec=`, `Persistent=no`', ['OnBootSec', 'Persistent'], 4],
      ['paragraph', 'Takes a boolean.', undefined, undefined],
      ['paragraph', 'Or:', undefined, undefined],
      ['term', '`-a`, `--all`', ['-a', '--all'], 1],
      ['paragraph', 'All.', undefined, undefined],
      ['term', '`-b`', ['-b'], 1],
      ['paragraph', 'Both.', undefined, undefined],
      ['paragraph', 'For example:', undefined, undefined],
      ['paragraph', 'run it', undefined, undefined],
    ]);
  });

  it('continue a term after its indented content', () => {
    const { blocks: all } = read('.TH t 1\n.TP\n.B \\-a\nOne.\n.RS\n.TP\n.B x\nTwo.\n.RE\n.IP\nThree.\n.PP\nFour.\n');
    expect(all.slice(1).map(({ markdown, span }) => [markdown, span])).toEqual([
      ['`-a`', 4],
      ['One.', undefined],
      ['`x`', 1],
      ['Two.', undefined],
      ['Three.', undefined],
      ['Four.', undefined],
    ]);
  });

  it('keep synopsis and examples as code', () => {
    expect(
      blocks(
        '.SH SYNOPSIS\n.B tool\n[\\fIFILE\\fR]...\n.br\n.B tool \\-\\-help\n.SH EXAMPLES\nTry:\n.nf\n  a \\e\n\n    *b*\n.fi\nDone.',
      ),
    ).toEqual([
      ['heading', 'SYNOPSIS'],
      ['code', '```\ntool [FILE]...\ntool --help\n```'],
      ['heading', 'EXAMPLES'],
      ['paragraph', 'Try:'],
      ['code', '```\n  a \\\n\n    *b*\n```'],
      ['paragraph', 'Done.'],
    ]);
  });

  it('keep lines that begin with spaces as code, but not the first line of a paragraph', () => {
    expect(
      blocks(
        '.SH OPTIONS\nThe options are:\n.sp\n  \\fINOTBOL\\fP  Not the beginning of a\n.\\" JOIN\n          line\n.br\n  NOTEOL  Not the end\n.P\n  This paragraph\nis indented.\n',
      ),
    ).toEqual([
      ['heading', 'OPTIONS'],
      ['paragraph', 'The options are:'],
      ['code', '```\n  NOTBOL  Not the beginning of a\n          line\n  NOTEOL  Not the end\n```'],
      ['paragraph', 'This paragraph is indented.'],
    ]);
  });

  it('end the synopsis where sentences follow', () => {
    const page = '.SH SYNOPSIS\n.B int open(const char *path);\n.PP\n.B tool\n[options]\n.PP\n';
    expect(
      blocks(`${page}The tool reads *all* files\nbelow the given folder.\n.PP\nLink with these libraries, in order:`),
    ).toEqual([
      ['heading', 'SYNOPSIS'],
      ['code', '```\nint open(const char *path);\n\ntool [options]\n```'],
      ['paragraph', 'The tool reads \\*all\\* files below the given folder.'],
      ['paragraph', 'Link with these libraries, in order:'],
    ]);
    expect(blocks('.SH SYNOPSIS\n.B Tool\nfile to read it all |\n.B less.')).toHaveLength(2);
  });

  it('yield lists, tables and links', () => {
    expect(blocks('.IP \\(bu 2\nOne\n.IP \\(bu 2\nTwo\n.IP 1. 3\nThree\n')).toEqual([
      ['list', '- One\n- Two\n1. Three'],
    ]);
    expect(blocks('.TS\ntab(:);\nlb l.\nName:Value\n_\na:T{\nlong\n\\fItext\\fP\nT}\n.TE')).toEqual([
      ['table', '| Name | Value |\n| --- | --- |\n| a | long *text* |'],
    ]);
    expect(blocks('See\n.UR https://a.example/\nthe site\n.UE .')).toEqual([
      ['paragraph', 'See the site <https://a.example/>.'],
    ]);
  });

  it('may have comments beside definitions', () => {
    const page = extractMan('.de Sh \\" Subsection\n.br\n..\n.TH tool 1\n.SH NAME\ntool \\- does it\n', {
      url: 'https://a.example/a.1',
    });
    expect(page.blocks.map(({ markdown }) => markdown)).toEqual(['tool(1)', 'NAME', 'tool - does it']);
  });

  it('show terminal output and omit other output, definitions and comments', () => {
    const text =
      '.de Xx\n.B no\n..\n.ig\nno\n..\n.if t no\n.ie n \\{\\\nyes\n.\\}\n.el \\{\\\nno\n.\\}\n.if n one\n.ds V 3.2\nVersion \\*V \\" no\n.ie \\n(.g no\n.el other\n';
    expect(blocks(text)).toEqual([['paragraph', 'yes one Version 3.2  other']]);
    expect(blocks("a\\h'+03'b\\&.\\s-1c\\s0\\(co\\[u00E9]\\0\\fI*x\\fP")).toEqual([['paragraph', 'a b.c©é *\\*x*']]);
  });
});

describe('man pages with mdoc macros', () => {
  it('yield options, lists and words from macros', () => {
    const text =
      '.Dd May 1, 2024\n.Dt TOOL 1\n.Os\n.Sh NAME\n.Nm tool\n.Nd shows things\n.Sh SYNOPSIS\n.Nm\n.Op Fl a Ar when\n.Op Fl Fl long\n.Ar\n.Nm\n.Fl V\n.Sh DESCRIPTION\nThe\n.Nm\nutility reads\n.Pa /etc/x ,\nsee\n.Xr ls 1 .\n.No toString\n.constructor x\n.Bl -tag -width x\n.It Fl a Ar when\nShow.\n.It Ev HOME\nHouse.\n.Bl -bullet\n.It\nOne\n.It\nTwo\n.El\n.El\n.Bd -literal\ncode  x\n.Ed\n.Dl tool -a\n';
    const { title, blocks: all } = read(text);
    expect(title).toBe('tool(1)');
    expect(all.slice(2).map(({ type, markdown }) => [type, markdown])).toEqual([
      ['paragraph', 'tool – shows things'],
      ['heading', 'SYNOPSIS'],
      ['code', '```\ntool [-a when] [--long] file ...\ntool -V\n```'],
      ['heading', 'DESCRIPTION'],
      ['paragraph', 'The **tool** utility reads */etc/x*, see ls(1). toString'],
      ['term', '`-a when`'],
      ['paragraph', 'Show.'],
      ['term', 'HOME'],
      ['paragraph', 'House.'],
      ['list', '- One\n- Two'],
      ['code', '```\ncode  x\n```'],
      ['code', '```\ntool -a\n```'],
    ]);
    expect(all.filter((block) => block.type === 'term').map((block) => block.identifiers)).toEqual([['-a'], []]);
  });

  it('name authors without the layout of their list', () => {
    expect(read('.Dt TOOL 1\n.Sh AUTHORS\n.An -nosplit\n.An Jo Ho\n').blocks.at(-1)?.markdown).toBe('Jo Ho');
  });

  it('yield column lists as tables', () => {
    const { blocks: all } = read('.Dt TOOL 1\n.Bl -column a b\n.It Name Ta Value\n.It a Ta b\n.El\nAfter.\n');
    expect(all.slice(1).map(({ type, markdown }) => [type, markdown])).toEqual([
      ['table', '|  |  |\n| --- | --- |\n| Name | Value |\n| a | b |'],
      ['paragraph', 'After.'],
    ]);
  });
});

describe('any man page', () => {
  it('is read to the end', () => {
    const many = 50_000;
    const inputs = [
      '.TP\n.B a\n'.repeat(many),
      '.RS\n.TP\na\nb\n'.repeat(many),
      '.if n \\{\\\n'.repeat(many),
      '.ds a \\*a\\*a\\*a\n\\*a\n'.repeat(1000),
      '\\fB\\fI\\s+1'.repeat(many),
      'x\\\n'.repeat(many),
      'a\\c\n'.repeat(many),
      '.Bl -tag\n.It Fl a\n'.repeat(many),
      `.Op ${'Op Fl a '.repeat(many)}`,
      '.UR http://a\n'.repeat(many),
      '.TS\nl.\nT{\n'.repeat(many),
      `.BR ${'a '.repeat(many)}`,
      `${'  \\&\n'.repeat(many)}a`,
      'y'.repeat(5_000_000),
    ];
    for (const input of inputs) {
      expect(() => read(`.TH a 1\n${input}`), input.slice(0, 20)).not.toThrow();
      expect(() => read(`.Dt A 1\n${input}`), input.slice(0, 20)).not.toThrow();
    }
  });

  it('may be compressed; a damaged one fails with its reason', () => {
    const bytes = new Uint8Array(gzipSync('.TH tool 1\n.SH NAME\ntool \\- shows\n'));
    const page = parsePage({ url: `${url}.gz`, bytes });
    expect([page.format, page.title]).toEqual(['man', 'tool(1)']);
    expect(() => parsePage({ url: `${url}.gz`, bytes: bytes.slice(0, 30) })).toThrow(
      'is compressed, and damaged or too large',
    );
  });

  const installed = [
    '/usr/share/man/man1/tar.1.gz',
    '/usr/share/man/man1/ls.1.gz',
    '/usr/share/man/man5/ssh_config.5.gz',
  ].filter((path) => existsSync(path));
  it.skipIf(installed.length === 0)('that is installed on this machine is read', () => {
    for (const path of installed) {
      const { blocks: all } = read(gunzipSync(readFileSync(path)).toString());
      expect(
        all.filter((block) => block.type === 'term' && (block.identifiers?.length ?? 0) > 0).length,
      ).toBeGreaterThan(20);
      expect(all.some((block) => /\\f|\\-|^\.[A-Z]{2} /m.test(block.markdown.replace(/```[\s\S]*?```/g, '')))).toBe(
        false,
      );
    }
  });
});
