import type { Plugin } from 'vite';

/** Parts of zod's methods that the browser does not use: without them, the code behind them is not built in. */
const unused: readonly [part: RegExp, instead: string][] = [
  // Only the server writes JSON Schemas.
  [/^ *inst\._zod\.processJSONSchema = .*$/gm, ''],
  [/^ *toJSONSchema\(params\) \{\n.*\n *\},$/gm, ''],
  [/^ *jsonSchema: \{\n.*\n.*\n *\},$/gm, ''],
  // JSON has no reference cycles.
  [/^ *_ensureDefaultMemoizer\(\);$/gm, ''],
  // The content security policy forbids compiled code.
  [/\$ZodObjectJIT\b/g, '$ZodObject'],
];

/** Removes unused parts from zod in the build. Throws if zod no longer contains one of them. */
export function smallerZod(): Plugin {
  return {
    name: 'smaller-zod',
    apply: 'build',
    transform: {
      filter: { id: /\/zod\/v4\/classic\/schemas\.js$/ },
      handler(code) {
        return unused.reduce((text, [part, instead]) => {
          const shorter = text.replace(part, instead);
          if (shorter === text) throw new Error(`zod's schemas no longer contain ${part}`);
          return shorter;
        }, code);
      },
    },
  };
}
