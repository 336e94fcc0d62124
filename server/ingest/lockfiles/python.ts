import { fieldsOf, listOf } from '../formats/parsed-data.ts';
import { entriesOf, gitOrigin, originOf, readJson, readToml, textOf } from './data.ts';
import type { LockedSet } from './lockfile.ts';

/** Returns a name in the normal form that PyPI uses for comparison. */
export function pythonName(name: string): string {
  return name.toLowerCase().replace(/[-_.]+/g, '-');
}

/** `name @ git+https://…`, which is not pinned to a version on the index. */
const fromAddress = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\]\s*)?@\s*(\S+:\S+)/;
const requirement = /^([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\]\s*)?(===?)\s*([^\s;,#]+)/;

/**
 * Reads pinned versions from requirements.txt. If the file says what requires each line, only the project's own
 * requirements are direct.
 */
export function readRequirements(set: LockedSet, text: string): void {
  const pins: { name: string; version: string; for: string[] }[] = [];
  for (const line of text.replace(/\\\r?\n/g, ' ').split(/\r?\n/)) {
    const trimmed = line.trim();
    if (trimmed.startsWith('#')) {
      const reason = /^#\s*(?:via\s*)?(\S.*)?$/.exec(trimmed)?.[1];
      if (reason !== undefined && (/^#\s*via\b/.test(trimmed) || (pins.at(-1)?.for.length ?? 0) > 0))
        pins.at(-1)?.for.push(reason);
      else if (/^#\s*via\s*$/.test(trimmed)) pins.at(-1)?.for.push('');
      continue;
    }
    const comment = trimmed.search(/\s#/);
    const via = comment < 0 ? undefined : /^#\s*via\s+(.*)$/s.exec(trimmed.slice(comment + 1))?.[1];
    const bare = comment < 0 ? trimmed : trimmed.slice(0, comment).trimEnd();
    if (bare === '') continue;
    const pin = requirement.exec(bare);
    if (pin && !(pin[3] as string).includes('*'))
      pins.push({ name: pythonName(pin[1] as string), version: pin[3] as string, for: via === undefined ? [] : [via] });
    else if (/^(?:-r|-c|--requirement|--constraint)\b/.test(bare))
      set.problem(`${bare.slice(0, 120)} names another file, which is not read; add it too.`);
    else if (fromAddress.test(bare)) {
      const [, name = '', address = ''] = fromAddress.exec(bare) ?? [];
      set.elsewhere(pythonName(name), address);
    } else if (!bare.startsWith('-') || /^(?:-e|--editable)\b/.test(bare))
      set.problem(`${bare.slice(0, 120)} is not pinned to one version.`);
  }
  for (const pin of pins) {
    const reasons = pin.for.filter((reason) => reason !== '');
    set.add(
      pin.name,
      pin.version,
      reasons.length === 0 || reasons.some((reason) => /^-r\b|\.(?:in|txt|toml|cfg|py)\b|\(pyproject/.test(reason)),
    );
  }
}

/** Reads poetry.lock, which does not list direct dependencies. */
export function readPoetryLock(set: LockedSet, fileName: string, text: string): void {
  for (const value of listOf(readToml(fileName, text).package)) {
    const fields = fieldsOf(value);
    const groups = listOf(fields.groups).map(textOf);
    const isDev = fields.category === 'dev' || (groups.length > 0 && !groups.includes('main'));
    const name = pythonName(textOf(fields.name));
    const { type, url, reference, resolved_reference: revision } = fieldsOf(fields.source);
    // A source without a type or of type `legacy` is another package index.
    if (type === 'git') {
      const at = textOf(reference);
      const isRevision = at === '' || textOf(revision).startsWith(at);
      const origin = isRevision
        ? originOf({ address: textOf(url), revision: textOf(revision) })
        : `${textOf(url)} at ${at}`;
      set.elsewhere(name, origin);
    } else if (type === 'url' || type === 'file' || type === 'directory') set.elsewhere(name, textOf(url));
    else set.add(name, textOf(fields.version), false, isDev);
    for (const [name] of entriesOf(fields.dependencies)) set.require(pythonName(name));
  }
  set.inferDirect();
}

/** Reads uv.lock, which lists the project and its workspace members with their direct dependencies. */
export function readUvLock(set: LockedSet, fileName: string, text: string): void {
  const packages = listOf(readToml(fileName, text).package).map(fieldsOf);
  const isOwn = (fields: Readonly<Record<string, unknown>>): boolean => {
    const source = fieldsOf(fields.source);
    return source.virtual !== undefined || source.editable !== undefined || source.directory !== undefined;
  };
  const namesIn = (list: readonly unknown[]): string[] => list.map((one) => pythonName(textOf(fieldsOf(one).name)));
  const inGroups = (groups: unknown): string[] => entriesOf(groups).flatMap(([, list]) => namesIn(listOf(list)));
  const own = packages.filter(isOwn);
  const toRun = new Set(
    own.flatMap((fields) => [...namesIn(listOf(fields.dependencies)), ...inGroups(fields['optional-dependencies'])]),
  );
  const toDevelop = new Set(own.flatMap((fields) => inGroups(fields['dev-dependencies'])));
  for (const fields of packages) {
    if (isOwn(fields)) continue;
    const name = pythonName(textOf(fields.name));
    const isDirect = toRun.has(name) || toDevelop.has(name);
    const { git, url, path } = fieldsOf(fields.source);
    if (git !== undefined) set.elsewhere(name, gitOrigin(textOf(git)));
    else if (url !== undefined || path !== undefined) set.elsewhere(name, textOf(url ?? path));
    else set.add(name, textOf(fields.version), isDirect, isDirect && !toRun.has(name));
  }
}

/** Reads Pipfile.lock, in which direct dependencies name their index. */
export function readPipfileLock(set: LockedSet, fileName: string, text: string): void {
  const root = readJson(fileName, text);
  for (const group of ['default', 'develop']) {
    for (const [name, value] of entriesOf(root[group])) {
      const fields = fieldsOf(value);
      const version = /^===?(.+)$/.exec(textOf(fields.version))?.[1];
      const other = fields.git ?? fields.file ?? fields.path;
      if (other !== undefined)
        set.elsewhere(pythonName(name), originOf({ address: textOf(other), revision: textOf(fields.ref) }));
      else if (version === undefined) set.problem(`${name} is not pinned to one version.`);
      else set.add(pythonName(name), version, fields.index !== undefined, group === 'develop');
    }
  }
}
