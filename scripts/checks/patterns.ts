/**
 * How many alternatives a regular expression can try from one start position, by its structure. `tries` are the paths
 * that do not grow with the text, `loose` the number of unbounded repetitions.
 */
export type Shape = { loose: number; tries: number }

const triesMax = 10_000

/**
 * True if the running time is linear: the pattern is bounded, or it has one unbounded run of single characters and is
 * anchored at the start or ends with that run, so that no backtracking follows it.
 */
export function isLinear(pattern: string): boolean {
  const { loose, tries } = shapeOf(pattern)
  const isOneRun = loose === 1 && !pattern.includes('|') && /^\^|[^\\][+*]$/.test(pattern)
  return tries <= triesMax && (loose === 0 || isOneRun)
}

/**
 * A run up to the end of a text, searched for from each of its characters. Where another character follows the run, that
 * takes quadratic time; after `(?<!…)` with the same characters the search begins once per run.
 */
export const searchesEnd = (pattern: string): boolean =>
  /^(?:\[(?:\\.|[^\]\\])*\]|\\.|[^\\^$([])(?:[+*]|\{\d{1,9},\})\$$/.test(pattern)

/** Every regular expression literal of a source, with its line. Comments are skipped. */
export function patternsIn(source: string): { pattern: string; line: number }[] {
  const literal =
    /(?<=[(,=:&|!?[{;}\s])\/(?![/*\s])((?:\\.|\[(?:\\.|[^\]\\\n])*\]|[^/\\\n[])+)\/(?=[dgimsuvy]*[\s).,;\]}:])/g
  return source.split('\n').flatMap((text, index) => {
    if (/^\s*(\*|\/\/|\/\*)/.test(text)) return []
    return [...text.matchAll(literal)].map((match) => ({ pattern: match[1] ?? '', line: index + 1 }))
  })
}

/** Tries multiply along the pattern and with each repetition of a group; alternatives add up. */
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
  const atom = /^(?:\[(?:\\.|[^\]\\])*\]|\\[pP]\{[^}]{1,60}\}|\\u\{?[0-9a-fA-F]{1,6}\}?|\\k<\w{1,40}>|\\.|.)/s.exec(
    rest,
  )
  reader.at += atom?.[0].length ?? 1
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
  // Unbounded repetition of a group with several paths is what makes a pattern exponential.
  if (max === Number.POSITIVE_INFINITY) return tries === 1 && loose === 0 ? { loose: 1, tries } : { loose, tries: max }
  return { loose: max > 1 ? loose * max : loose, tries: tries ** max * (max - min + 1) }
}
