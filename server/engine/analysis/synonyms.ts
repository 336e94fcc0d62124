import { stemWord } from './stem.ts';

// One group per line: words that people and manuals use for the same thing. Several words in one entry are a technical
// term written out or abbreviated. General programming vocabulary only; nothing specific to a product.
const groups = `
abort, cancel, terminate, kill, stop, interrupt
add, append, insert, attach
alias, shortcut
allow, permit, enable
argument, arg, parameter, param
array, list, sequence
asynchronous, async, nonblocking
attribute, property, field
authenticate, login, sign in, log in
authentication, auth, credential
authorization, permission, access control
background, daemon, detached
begin, start, launch
binary, executable
boolean, bool
branch, fork
build, compile
cache, memoize
callback, handler, hook, listener
cast, convert, coerce, transform
certificate, ssl, tls
change, modify, edit, alter, update
character, char
check, verify, validate
choose, select, pick
class, type
clone, copy, duplicate
close, shut down, shutdown
column, field
combine, merge, join, concatenate
command line, cli, shell, terminal
comment, docstring
common table expression, cte
compare, diff
compress, zip, gzip
concurrent, parallel, simultaneous
condition, predicate
configuration, config, settings, preference
connect, connection
constant, const
constructor, initializer
count, number of, tally
crash, segfault, panic
create, make, generate, new
cross origin, cors
current directory, working directory, cwd
database, db
date, datetime, timestamp
decimal, float, floating point
declare, define, definition
decode, unescape
default, fallback
delete, remove, drop, erase, discard
dependency, requirement
deprecated, obsolete
deserialize, parse, load, unmarshal
destroy, dispose, free, release
dictionary, dict, hash, map, mapping
directory, folder
disable, turn off, deactivate
display, show, print, output
distinct, unique, deduplicate
distribute, publish, deploy, release
download, fetch, retrieve
duplicate, repeated
element, item, entry, member
ellipsis, truncate
empty, blank
encode, escape
end, finish, complete
enumerate, iterate, loop, traverse
environment variable, env, environ
equal, equality, same, identical
error, exception, failure
execute, run, invoke, call
exist, present
expire, timeout, ttl
export, dump
expression, formula
extract, obtain, get
fail, failed, failure
fast, faster, performance, speed, efficient
find, search, look up, lookup, locate
fixed, constant, immutable
floating point, float, double
foreign key, reference, referential
format, formatting, layout
function, method, procedure, routine, def
gmt, utc
graphical user interface, gui
group, aggregate
hang, block, freeze, stuck
header, heading
hide, invisible, hidden
host, server, machine
ignore, skip, exclude
image, picture
immutable, readonly, frozen
import, include, require
increase, raise, grow
index, subscript, key
inherit, extend, subclass, derive
initialize, init, set up, setup
input, stdin
install, setup
integer, int, number, numeric
interface, protocol, trait
interpolate, substitute, placeholder
invalid, illegal, malformed
javascript, js
keep alive, persistent
language, locale
latest, newest, recent, last
length, size, len
library, package, module
limit, throttle, restrict, maximum, cap
line break, newline, line ending, eol
link, url, href
local, localhost
lock, mutex, exclusive
log, logging, logger
lowercase, lower, case insensitive
many, multiple, several
match, pattern
memory, heap, ram
message, notification
missing, absent, not found
month, year, day, interval
mock, stub, fake
modulo, remainder
move, rename
multithreading, thread, threading
multiprocessing, process, worker, subprocess
namespace, scope
nested, inner, embedded
null, none, nil, nan, missing
object, instance
old, previous, earlier
operating system, os, platform
optional, nullable
option, flag, switch
order, sort, ordering, sorted
output, stdout
overflow, exceed
override, overwrite, replace
password, secret, credential
path, filename, file name
payload, body, data
pause, sleep, wait, delay
permanent, persist, persistent
pipe, pipeline
pivot, crosstab
pointer, reference
port, listen
prevent, avoid, block
primary key, id, identifier
private, protected
process id, pid
program, application, app
prompt, input, read
property, attribute
proxy, forward, gateway
query, question
quote, quotation, escape
random, shuffle
range, between, interval
read, load, open
reboot, restart
receive, accept
recursive, recursion
redirect, forward
reduce, decrease, lower, shrink
regular expression, regex, regexp
reload, refresh
repeat, retry
repository, repo
request, response
reset, revert, undo, roll back, rollback, restore
return, yield
reverse, invert, backwards
row, record, tuple
save, store, write, persist
schedule, cron, periodic
script, program
send, post, submit, upload
serialize, marshal, dump, encode, stringify
set, assign
shared, common
signal, event
simultaneous, concurrent
slice, substring, subset
space, whitespace, blank
split, divide, separate, tokenize
standard error, stderr
standard input, stdin
standard output, stdout
static, fixed
status, state
strip, trim
string, str, text
structure, struct
subtract, minus, difference
symbolic link, symlink
synchronize, sync
table, relation
template, view
temporary, temp, tmp
test, assert, check
time zone, timezone, utc, tz
track, monitor, watch
transaction, commit, atomic
translate, localization, i18n
truth, true
tutorial, guide, introduction
undefined, unset, missing
uninstall, remove
unicode, utf
union, combine
update, upgrade
upload, post
uppercase, upper, capitalize
user, account
value, literal
variable, var
version, release
virtual environment, venv
visible, show
warning, warn
websocket, ws
wildcard, glob
write, output
`;

/** A synonym of a term or of a short run of terms; all as stems. */
export interface Synonym {
  /** Stems of the entry in order. */
  words: string[];
}

const byFirstWord = buildTable();

function buildTable(): Map<string, { words: string[]; others: string[][] }[]> {
  const table = new Map<string, { words: string[]; others: string[][] }[]>();
  for (const line of groups.trim().split('\n')) {
    const entries = line.split(',').map((entry) => entry.trim().split(' ').map(stemWord));
    for (const words of entries) {
      const others = entries.filter((entry) => entry.join(' ') !== words.join(' '));
      const first = words[0] as string;
      const known = table.get(first) ?? [];
      known.push({ words, others });
      table.set(first, known);
    }
  }
  return table;
}

/**
 * Returns the synonyms of the stems at `at` in a sequence, each as a sequence of stems, with the number of words they
 * replace.
 */
export function synonymsAt(sequence: readonly string[], at: number): { length: number; others: string[][] }[] {
  return (byFirstWord.get(sequence[at] as string) ?? [])
    .filter(({ words }) => words.every((word, offset) => sequence[at + offset] === word))
    .map(({ words, others }) => ({ length: words.length, others }));
}
