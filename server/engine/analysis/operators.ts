/** Operators and shell marks worth finding in prose, inline code and queries; longest first at equal starts. */
const operators = new Set(
  (
    '== === != !== => -> <- := && || ?? ?. ... ** // >> << >>> <<< [[ ]] (( )) $@ $? $* $$ $! $# $- $_ $0 += -= *= /= |= ^= ++ -- <= >= ' +
    '<> |> <=> =~ ~= !~ :: .. ## %% {% {{ &> 2>&1 <% ??= &&= ||= %= **= //= &= @= <<= >>= >>>= ..= ..< ?: !! ~> =: <$> <*> <|> >>= ' +
    '=<< >=> ->> #> #>> @> <@ ?| ?& @@ ~~ ~* !~* !~~ %in% ${ $( <( >( >| >& <& &>> |& ;; ;& 1>&2 >&2 2> #{ #[ ^. ::= ==>'
  ).split(' '),
);

/** Longest operator in characters. */
export const operatorCharsMax = 4;

/** Returns true if this run of punctuation is looked up as a term of its own. */
export function isOperator(run: string): boolean {
  return operators.has(run);
}
