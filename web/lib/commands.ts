/** Commands to type at the root of a clone. `lectern` is the launcher's file name regardless of the product's name. */
export const commands = {
  start: './lectern start',
  index: './lectern index https://docs.python.org/3/',
  link: './lectern link',
} as const;
