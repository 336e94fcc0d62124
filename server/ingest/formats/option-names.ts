const namesMax = 12;

/** Options that a line such as `-c, --color[=WHEN]` or `--[no-]pager` names, each as it is typed. */
export function optionNames(text: string): string[] {
  const names = new Set<string>();
  const line = text.slice(0, 500).replace(/\\/g, '');
  for (const match of line.matchAll(/(?:^|[\s,|/([`*]|\bor\b)(--?(?:\[no-?\])?[A-Za-z0-9?@#][\w.+#-]*)/g)) {
    const name = match[1] as string;
    const optional = /^--\[no-?\](.+)$/.exec(name);
    if (optional) names.add(`--${optional[1]}`).add(`--no-${optional[1]}`);
    else names.add(name.replace(/[.-]+$/, ''));
  }
  return [...names].slice(0, namesMax);
}
