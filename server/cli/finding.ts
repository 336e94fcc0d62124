/** One thing the doctor looked at. For `warn` and `fail` the detail says what to do. */
export interface Finding {
  what: string;
  state: 'ok' | 'warn' | 'fail';
  detail: string;
}
