/**
 * How much a regular expression may try for one starting place, read from its shape; nothing is timed. `tries` are the
 * ways through it that do not grow with the text, `loose` how many of its signs repeat without an end.
 */
export type Shape = { loose: number; tries: number }

const triesMax = 10_000

/**
 * No text makes it slow: all of it is bounded, or it has one run of single characters and starts at one place, or ends
 * with the run, after which nothing can fail. Either is as much work as the text is long.
 */
export function isLinear(pattern: string): boolean {
  const { loose, tries } = shapeOf(pattern)
  const isOneRun = loose === 1 && !pattern.includes('|') && /^\^|[^\\][+*]$/.test(pattern)
  return tries <= triesMax && (loose === 0 || isOneRun)
}

/** Every regular expression that a source spells out, with its line. Comments are not read. */
export function patternsIn(source: string): { pattern: string; line: number }[] {
  const literal =
    /(?<=[(,=:&|!?[{;}\s])\/(?![/*\s])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/(?=[dgimsuvy]*[\s).,;\]}:])/g
  return source.split('\n').flatMap((text, index) => {
    if (/^\s*(\*|\/\/|\/\*)/.test(text)) return []
    return [...text.matchAll(literal)].map((match) => ({ pattern: match[1] ?? '', line: index + 1 }))
  })
}

/** The tries multiply along the pattern and with each turn of a group; alternatives add up. */
export function shapeOf(pattern: string): Shape {
  const reader = { pattern, at: 0 }
  const shape = readAlternatives(reader)
  if (reader.at < pattern.length) throw new Error(`Not understood: ${pattern} at ${reader.at}`)
  return shape
}

type Reader = { pattern: string; at: number }

function readAlternatives(reader: Reader): Shape {
  let whole = readSequence(reader)
  while (reader.pattern[reader.at] === '|') {
    reader.at += 1
    const other = readSequence(reader)
    whole = { loose: whole.loose + other.loose, tries: whole.tries + other.tries }
  }
  return whole
}

function readSequence(reader: Reader): Shape {
  let whole: Shape = { loose: 0, tries: 1 }
  while (reader.at < reader.pattern.length && !'|)'.includes(reader.pattern.charAt(reader.at))) {
    const part = repeat(readAtom(reader), readTurns(reader))
    whole = { loose: whole.loose + part.loose, tries: whole.tries * part.tries }
  }
  return whole
}

function readAtom(reader: Reader): Shape {
  const { pattern } = reader
  const one: Shape = { loose: 0, tries: 1 }
  const rest = pattern.slice(reader.at)
  const open = /^\((?:\?(?:[:=!]|<[=!]|<[A-Za-z]{1,40}>))?/.exec(rest)
  if (open) {
    reader.at += open[0].length
    const inner = readAlternatives(reader)
    reader.at += 1
    return inner
  }
  const plain = /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]{1,60}\}|\\u\{?[0-9a-fA-F]{1,6}\}?|\\k<\w{1,40}>|\\.|.)/s.exec(
    rest,
  )
  reader.at += plain?.[0].length ?? 1
  return one
}

type Turns = { min: number; max: number }

function readTurns(reader: Reader): Turns {
  const sign = /^(?:[*+?]|\{(\d{1,9})(,)?(\d{1,9})?\})\??/.exec(reader.pattern.slice(reader.at))
  if (!sign) return { min: 1, max: 1 }
  reader.at += sign[0].length
  const [text, from, comma, to] = sign
  if (text.startsWith('*')) return { min: 0, max: Number.POSITIVE_INFINITY }
  if (text.startsWith('+')) return { min: 1, max: Number.POSITIVE_INFINITY }
  if (text.startsWith('?')) return { min: 0, max: 1 }
  const min = Number(from)
  if (!comma) return { min, max: min }
  return { min, max: to === undefined ? Number.POSITIVE_INFINITY : Number(to) }
}

function repeat({ loose, tries }: Shape, { min, max }: Turns): Shape {
  // A group that may itself go several ways, repeated without an end, is what makes patterns explode.
  if (max === Number.POSITIVE_INFINITY) return tries === 1 && loose === 0 ? { loose: 1, tries } : { loose, tries: max }
  return { loose: max > 1 ? loose * max : loose, tries: tries ** max * (max - min + 1) }
}
