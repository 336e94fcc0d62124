import { describe, expect, it } from 'vitest';
import { codeLanguageOf, documentationFormatOf, formatOf } from './format-of.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it('HTML still to be filled in by a program is not documentation', () => {
  const read = (text: string) => documentationFormatOf('src/a.html', bytes(text));
  for (const text of [
    '{% extends "base.html" %}<p>Text</p>',
    '<!doctype html><html><head><title>{{ page.title }} - Tea</title></head><body><p>Text</p></body></html>',
    '<%= render "head" %><p>Text</p>',
    '<?php echo 1 ?><p>Text</p>',
    '<html><head><meta http-equiv="refresh" content="0; url=b.html"></head></html>',
    `<html><head><meta http-equiv="refresh" content="10; url=b"></head><body>Moved.<script>${'a();'.repeat(9_000)}</script></body></html>`,
    '<div>{% if tea %}<p>Text</p>{% endif %}</div>',
  ])
    expect(read(text), text).toBeUndefined();
  expect(documentationFormatOf('docs/_includes/pager.html', bytes('<p>Text</p>'))).toBeUndefined();
  expect(documentationFormatOf('site/layouts/partials/pager.html', bytes('<p>Text</p>'))).toBeUndefined();
  expect(documentationFormatOf('layouts/shortcodes/docs/auth.md', bytes('{{ . }}'))).toBeUndefined();
  expect(documentationFormatOf('docs/index.mdoc', bytes('# Title\n'))).toBe('markdown');
  for (const path of ['pages/enum.cheatmd', 'guides/tour.livemd'])
    expect(documentationFormatOf(path, bytes('# Title\n'))).toBe('markdown');
  expect(documentationFormatOf('man/tool.mdoc', bytes('.Dd May\n.Dt TOOL 1\n'))).toBe('man');
  expect(documentationFormatOf('man/table.mdoc', bytes(`'\\" t\n.\\" A comment\n`))).toBe('man');
  expect(documentationFormatOf('man/other.mdoc', bytes('.so man1/tool.1\n'))).toBe('man');
  expect(documentationFormatOf('doc/_templates/autosummary/base.rst', bytes('{{ fullname }}\n'))).toBeUndefined();
  expect(documentationFormatOf('mail/approved.txt', bytes("{% extends 'base.txt' %}\nHello"))).toBeUndefined();
  expect(documentationFormatOf('mail/approved.txt', bytes('{% note %}\nHello'))).toBe('text');
  expect(documentationFormatOf('docs/layouts/grid.html', bytes('<p>Text</p>'))).toBe('html');
  for (const text of [
    '<?xml version="1.0"?><html><head><title>The {% block %} tag</title></head></html>',
    '<h2>Conditions</h2><pre>{% if tea %}</pre><p>Text</p>',
    '<!doctype html><title>A</title><p>In Liquid, {% if %} tests, {% endif %} ends.</p>',
    `<html><head><meta http-equiv="refresh" content="300;url=?"></head><body>${'Text. '.repeat(100)}</body></html>`,
    '<html><head><noscript><meta http-equiv="refresh" content="0; url=b"></noscript></head><p>Text</p></html>',
    '---\ntitle: Tea\n---\n<p>{% include "pot.html" %}</p>',
  ])
    expect(read(text), text).toBe('html');
});

describe('formatOf', () => {
  it.each([
    ['/guide', 'text/html; charset=utf-8', '', 'html'],
    ['/guide.md', 'text/html', '', 'html'],
    ['/guide.md', 'text/plain', '', 'markdown'],
    ['/guide', 'text/markdown', '', 'markdown'],
    ['/guide.mdx', 'application/octet-stream', '', 'mdx'],
    ['/a/index.rst.txt', 'text/plain', '', 'rst'],
    ['/llms.txt', 'text/plain', '', 'markdown'],
    ['/notes.txt', 'text/plain', '', 'text'],
    ['/README', undefined, 'Hello', 'text'],
    ['/openapi.json', 'application/json', '{}', 'code'],
    ['/guide.adoc', 'text/plain', '', 'asciidoc'],
    ['/guide', 'text/asciidoc', '', 'asciidoc'],
    ['/tool.txt', undefined, 'tool(1)\n=======\n\nNAME\n----\ntool - a tool\n', 'asciidoc'],
    ['/guide.txt', undefined, '= Guide\n:toc:\n\nText\n', 'asciidoc'],
    ['/notes.txt', undefined, 'Notes\n=====\n\n:a: b\n', 'text'],
    ['/ref/models.txt', undefined, '======\nModels\n======\n\n.. module:: shop.models\n', 'rst'],
    ['/start.txt', undefined, '.. _start:\n\nStart\n=====\n\nText\n', 'rst'],
    ['/notes.txt', undefined, 'Notes\n=====\n\n.. and so on: more\n...\n', 'text'],
    ['/schema.graphqls', 'text/plain', '', 'graphql'],
    ['/schema', 'application/graphql', '', 'graphql'],
    ['/man/tool.1', undefined, '.\\" comment\n.TH tool 1\n', 'man'],
    ['/man/call.3pm', 'text/plain', '.Dd May\n.Dt CALL 3\n', 'man'],
    ['/release-1.2', undefined, 'Text', 'text'],
    ['/tour.ipynb', 'text/plain', '{}', 'notebook'],
    ['/tour', 'application/x-ipynb+json', '{}', 'notebook'],
    ['/a.json', 'application/json', '{"info": {}, "openapi": "3.1.0"}', 'openapi'],
    ['/a', 'application/vnd.oai.openapi+json', '{}', 'openapi'],
    ['/a.yml', undefined, '# Shop\nopenapi: 3.0.2\n', 'openapi'],
    ['/a.yaml', 'text/yaml', 'swagger: "2.0"\n', 'openapi'],
    ['/a.yaml', undefined, 'example:\n  openapi: 3.0.2\n', 'code'],
    ['/lib/My.pm', undefined, 'package My;\n\nsub f {}\n\n__END__\r\n\r\n=head1 NAME\r\n\r\nMy\r\n', 'pod'],
    ['/lib/My.pm', undefined, 'package My;\n', 'code'],
    ['/a.ts', undefined, 'const a = {"openapi": "3.0.0"}', 'code'],
    ['/guide', undefined, '\ufeff \n<!DOCTYPE html><title>x', 'html'],
    ['/guide', undefined, '<?xml version="1.0"?>\n<html xmlns="x">', 'html'],
    ['/guide', undefined, 'plain', 'text'],
    ['/logo.png', 'image/png', 'x', undefined],
    ['/a.pdf', 'application/pdf', '%PDF-1.7', undefined],
    ['/a.md', 'text/markdown', 'a\0b', undefined],
  ])('reads %s sent as %s by %j as %s', (path, type, start, format) => {
    expect(formatOf(path, type, bytes(start))).toBe(format);
  });

  it('accepts UTF-16 as text although it is full of zero bytes', () => {
    expect(formatOf('/a.txt', 'text/plain', new Uint8Array([0xff, 0xfe, 0x61, 0]))).toBe('text');
  });

  it('detects the language of code files by their names', () => {
    expect(codeLanguageOf('/a/pyproject.toml?raw')).toBe('toml');
    expect(codeLanguageOf('/a/unknown.zzz')).toBe('');
  });
});

it('a file extension that is a JavaScript property name does not determine the format', () => {
  const text = new TextEncoder().encode('plain words');
  for (const name of ['a.constructor', 'b.__proto__', 'c.toString', 'd.hasOwnProperty']) {
    expect(formatOf(name, undefined, text)).toBe('text');
    expect(codeLanguageOf(name)).toBe('');
  }
});
