import { type Command, exitCodes } from './command.ts';

export const mcpCommand: Command = {
  shape: {
    name: 'mcp',
    positionals: [],
    summary: 'Serves an agent over standard input and output, until the input closes.',
    details: 'With LECTERN_URL and LECTERN_API_KEY it serves that server, otherwise the local data folder.',
    options: {},
  },
  async run({ config }) {
    const { serveStdio } = await import('#server/cli/serve-stdio.ts');
    return (await serveStdio(config)) ? exitCodes.done : exitCodes.failed;
  },
};
