import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Phrases that make prose hard to read, each with a replacement. Single words that can also be fine English, such as
 * "answers", are left to the reader; the list contains only phrases that are always wrong.
 */
const phrases = [
  [/\b(?:some|no|every|any)body\b/i, 'someone, no one, everyone, anyone, or name the user'],
  [/\bwhoever\b/i, 'name the person: "the caller", "the owner"'],
  [/\bwhatever (?:is|was|it was|has|had|comes|came|a|an|one)\b/i, 'name the thing'],
  [/\bthat which\b|\bthose that are there\b|\bwho asks\b/i, 'name the thing, or "the caller"'],
  [
    /\b(?:has|have) to be\b(?! (?:replaced|merged))|\b(?:is|are) to be\b|\bmay be had\b/i,
    '"must be", "can be" or "will be"',
  ],
  [/\b(?:is|are|was|were|be|been|being) told(?! apart)\b|\btells? of\b/i, '"shows", "reports", "says", "learns"'],
  [/\bof (?:theirs|yours|ours|hers)\b/i, 'a possessive before the noun'],
  [/\bas such\b|\bnot any more\b|\bfor want of\b|\bunder way\b/i, '"in progress", "no longer", or nothing'],
  [/\bthere is no such\b|\bwhat came of it\b|\bgoes by itself\b/i, '"not found", "the result"'],
  [/\b(?:what|how|whether|if|where|that|as) one (?:has to|may|can)\b/i, 'name who: "you", "a user", "a caller"'],
  [/\bis nobody's\b|\bof its maker\b|\bto have it shown\b/i, 'say who does what'],
];

/** Docstrings must start with a common verb in the third person. */
const docstringPhrases = [
  [/^\*\s*Answers (?!for\b)/, '"Returns"'],
  [/^\*\s*Whether\b/, '"Returns true if"'],
  [/^\*\s*(?:What|Who|Where|Which|How|That|Those|Of|As|The same)\b/, '"Returns", or another verb'],
];

/** Texts that the specification fixes word for word. */
const givenTexts = ['You are not signed up for the conference'];

/** Files whose wording is not ours, or that discuss the phrases themselves. */
const skipped =
  /^(?:scripts\/check-prose\.mjs|test\/docs\/check-prose\.test\.ts|eval\/questions\/|docs\/decisions\/README)/;

/** Files and folders that are checked; a folder is added once it contains none of the phrases. */
const rooms = [
  'README.md',
  'SECURITY.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  'docs',
  'contract',
  'server',
  'web',
  'eval',
  'scripts',
];

/** Returns one line for each forbidden phrase in the prose of the project's documents and sources. */
export function checkProse(root) {
  return rooms.flatMap((room) => filesUnder(root, room)).flatMap((file) => faultsOf(root, file));
}

function faultsOf(root, file) {
  if (skipped.test(file)) return [];
  return proseFaults(file, readFileSync(join(root, file), 'utf8')).map(
    ({ line, phrase, remedy }) => `${file}:${line} "${phrase}": write ${remedy}`,
  );
}

/** Returns the phrases of the list in one file's prose, by the file's extension. */
export function proseFaults(file, text) {
  const prose = file.endsWith('.md') ? markdownProse(text) : sourceProse(text, file.endsWith('x'));
  return prose.flatMap(({ line, text: spoken, isDocstring }) => {
    const list = isDocstring ? [...phrases, ...docstringPhrases] : phrases;
    return spoken.split('\n').flatMap((part, index) =>
      list.flatMap(([phrase, remedy]) => {
        const found = givenTexts.some((given) => part.includes(given)) ? null : phrase.exec(part.trim());
        return found ? [{ line: line + index, phrase: found[0].replace(/^\*\s*/, ''), remedy }] : [];
      }),
    );
  });
}

/** Returns the lines of Markdown outside code blocks, without code spans. */
function markdownProse(text) {
  let isFenced = false;
  return text.split('\n').flatMap((part, index) => {
    if (/^\s*(?:```|~~~)/.test(part)) isFenced = !isFenced;
    return isFenced ? [] : [{ line: index + 1, text: part.replace(/`[^`]*`/g, '') }];
  });
}

/**
 * Returns comments, strings and JSX text of a TypeScript source with the line where each begins. Strings without a
 * space are considered names. A quote without a closing one on its line is considered an apostrophe.
 */
function sourceProse(source, isJsx) {
  const found = [];
  const pattern =
    /\/\/(?<comment>[^\n]*)|\/\*(?<block>[\s\S]*?)\*\/|'(?<single>(?:[^'\\\n]|\\.)*)'|"(?<double>(?:[^"\\\n]|\\.)*)"|`(?<template>(?:[^`\\]|\\[\s\S])*)`/g;
  let rest = '';
  let end = 0;
  for (const match of source.matchAll(pattern)) {
    const between = source.slice(end, match.index);
    const { comment, block, single, double, template } = match.groups;
    const isApostrophe = single !== undefined && /[a-z]$/i.test(between) && !/\b(?:return|case|in|of)$/.test(between);
    const spoken = comment ?? block ?? (isApostrophe ? undefined : (single ?? double ?? template));
    rest += between + match[0].replace(/[^\n]/g, isApostrophe ? '$&' : ' ');
    end = match.index + match[0].length;
    if (spoken === undefined || !spoken.includes(' ')) continue;
    const line = source.slice(0, match.index).split('\n').length;
    const isDocstring =
      block?.startsWith('*') && /^\s*(?:export )?(?:default )?(?:async )?function\b/.test(source.slice(end, end + 60));
    found.push({ line, text: spoken, isDocstring });
  }
  rest += source.slice(end);
  if (isJsx) rest.split('\n').forEach((part, index) => found.push({ line: index + 1, text: part }));
  return found;
}

function filesUnder(root, path) {
  if (!statSync(join(root, path)).isDirectory()) return [path];
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(?:md|tsx?|mjs)$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1));
}
