/** Headers that most agents' entries share. */
export const header = { Authorization: '{bearer}' };
export const remote = { url: '{url}', headers: header };
export const local = {
  command: '{command}',
  args: '{args}',
  env: { LECTERN_URL: '{origin}', LECTERN_API_KEY: '{key}' },
};
export const keyHeader = ['--header', 'Authorization: {bearer}'];
export const keyVariable = 'LECTERN_API_KEY';
