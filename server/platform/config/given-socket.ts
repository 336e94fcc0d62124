import { ConfigError } from './config.ts';

const firstDescriptor = 3;

/**
 * Returns the descriptor of the listening socket that systemd passed to this process, if any (sd_listen_fds(3)), and
 * removes its variables, which are not for child processes. Throws ConfigError if several were passed.
 */
export function takeGivenSocket(): number | undefined {
  const { LISTEN_PID, LISTEN_FDS } = process.env;
  for (const name of ['LISTEN_PID', 'LISTEN_FDS', 'LISTEN_FDNAMES']) delete process.env[name];
  if (LISTEN_PID !== String(process.pid) || LISTEN_FDS === undefined) return undefined;
  if (LISTEN_FDS !== '1') {
    throw new ConfigError([`LISTEN_FDS is ${LISTEN_FDS}. Give lectern.socket one ListenStream.`]);
  }
  return firstDescriptor;
}
