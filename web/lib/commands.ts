/** What to type at the root of a clone. `lectern` is the launcher's file name, whatever the product is called. */
export const commands = {
  start: './lectern start',
  index: './lectern index https://docs.python.org/3/',
  link: './lectern link',
} as const;
