/**
 * Rewords a refusal for people who do not run the server: names whom to ask instead of what to set, and no address
 * behind a name.
 */
export function refusalForOthers(sentence: string): string {
  return sentence
    .replace(/ resolves to \S+, which is /, ' is ')
    .replace(/ If this is your own server, [^]*$/, ' Ask the operator of this installation to allow it.');
}
