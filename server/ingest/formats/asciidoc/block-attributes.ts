/** A block's attributes in brackets and its title. */
export interface BlockAttributes {
  /** `source`, `NOTE`, `quote`, … */
  style: string;
  positional: string[];
  named: Map<string, string>;
  id?: string;
  title?: string;
}

/** Parses `[[id]]`, `[#id.role%option]`, `[source,ruby,options="header"]` or `.Title`; undefined for any other line. */
export function attributeLine(line: string): Partial<BlockAttributes> | undefined {
  const title = /^\.([^\s.].*)$/.exec(line);
  if (title) return { title: (title[1] as string).trim() };
  const anchor = /^\[\[([^\s[\],]+)(?:,[^\]]*)?\]\]\s*$/.exec(line);
  if (anchor) return { id: anchor[1] };
  const list = /^\[((?:[A-Za-z#.%,"'*]|$).*)?\]\s*$/.exec(line.slice(0, 2000));
  return list && !line.startsWith('[[') ? parsed(list[1] ?? '') : undefined;
}

export function merged(before: BlockAttributes | undefined, next: Partial<BlockAttributes>): BlockAttributes {
  return {
    style: next.style || before?.style || '',
    positional: next.positional ?? before?.positional ?? [],
    named: new Map([...(before?.named ?? []), ...(next.named ?? [])]),
    id: next.id ?? before?.id,
    title: next.title ?? before?.title,
  };
}

function parsed(text: string): Partial<BlockAttributes> {
  const positional: string[] = [];
  const named = new Map<string, string>();
  for (const match of text.matchAll(/\s*(?:([\w-]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^,]*))|([^,]*))(?:,|$)/g)) {
    if (match[1] !== undefined) named.set(match[1], (match[2] ?? match[3] ?? match[4] ?? '').trim());
    else if (match[0] !== '') positional.push((match[5] ?? '').trim().replace(/^"(.*)"$/, '$1'));
  }
  const first = positional[0] ?? '';
  const options = [...first.matchAll(/%([\w-]+)/g)].map((option) => option[1]).join(',');
  if (options !== '') named.set('options', [named.get('options') ?? named.get('opts') ?? '', options].join(','));
  const id = named.get('id') ?? /#([^\s.%#,]+)/.exec(first)?.[1];
  return { style: /^[^#.%]*/.exec(first)?.[0].trim() ?? '', positional, named, ...(id === undefined ? {} : { id }) };
}

/** Returns true if an option such as `header` is set, in either notation. */
export function hasOption(attributes: BlockAttributes | undefined, name: string): boolean {
  const all = attributes?.named.get('options') ?? attributes?.named.get('opts') ?? '';
  return all.split(',').includes(name);
}
