export type Piece = { kind: 'same' | 'gone' | 'new'; text: string }
/** One line; a changed line lists the pieces that differ. */
export type DifferentLine = { kind: 'same' | 'gone' | 'new' | 'changed'; pieces: Piece[] }

/** The most comparisons that a browser handles without freezing; longer texts are compared as one block. */
const cellsMax = 4_000_000

/** The diff of two lists by their longest common subsequence, in reading order. */
export function compare(before: readonly string[], after: readonly string[]): Piece[] {
  let start = 0
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1
  let end = 0
  const isFree = () => end < before.length - start && end < after.length - start
  while (isFree() && before[before.length - 1 - end] === after[after.length - 1 - end]) end += 1
  const piece = (kind: Piece['kind']) => (text: string) => ({ kind, text })
  return [
    ...before.slice(0, start).map(piece('same')),
    ...compareMiddle(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end).map(piece('same')),
  ]
}

function compareMiddle(before: readonly string[], after: readonly string[]): Piece[] {
  const [rows, columns] = [before.length, after.length]
  const whole = (kind: 'gone' | 'new', texts: readonly string[]) => texts.map((text): Piece => ({ kind, text }))
  if (rows === 0 || columns === 0 || rows * columns > cellsMax)
    return [...whole('gone', before), ...whole('new', after)]
  const width = columns + 1
  // The length of the common subsequence from each position on.
  const common = new Uint32Array((rows + 1) * width)
  const at = (row: number, column: number) => common[row * width + column] ?? 0
  for (let row = rows - 1; row >= 0; row -= 1)
    for (let column = columns - 1; column >= 0; column -= 1)
      common[row * width + column] =
        before[row] === after[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1))
  const pieces: Piece[] = []
  let [row, column] = [0, 0]
  while (row < rows && column < columns) {
    if (before[row] === after[column]) {
      pieces.push({ kind: 'same', text: before[row] ?? '' })
      row += 1
      column += 1
    } else if (at(row + 1, column) >= at(row, column + 1)) pieces.push({ kind: 'gone', text: before[row++] ?? '' })
    else pieces.push({ kind: 'new', text: after[column++] ?? '' })
  }
  return [...pieces, ...whole('gone', before.slice(row)), ...whole('new', after.slice(column))]
}

const wordsOf = (line: string): string[] => line.split(/(?<=\s)(?=\S)/)

/** Line diff; where as many lines were added as removed, each pair is compared by words. */
export function compareLines(before: readonly string[], after: readonly string[]): DifferentLine[] {
  const found: DifferentLine[] = []
  let gone: string[] = []
  let added: string[] = []
  const settle = () => {
    const paired = Math.min(gone.length, added.length)
    for (let index = 0; index < paired; index += 1) found.push(...compareLine(gone[index] ?? '', added[index] ?? ''))
    for (const text of gone.slice(paired)) found.push({ kind: 'gone', pieces: [{ kind: 'gone', text }] })
    for (const text of added.slice(paired)) found.push({ kind: 'new', pieces: [{ kind: 'new', text }] })
    gone = []
    added = []
  }
  for (const { kind, text } of compare(before, after)) {
    if (kind === 'gone') gone.push(text)
    else if (kind === 'new') added.push(text)
    else {
      settle()
      found.push({ kind: 'same', pieces: [{ kind, text }] })
    }
  }
  settle()
  return found
}

/** Lines with almost no words in common become a removal and an addition, because a word diff would be unreadable. */
function compareLine(before: string, after: string): DifferentLine[] {
  const pieces = joined(compare(wordsOf(before), wordsOf(after)))
  const length = (kind: Piece['kind']) =>
    pieces.filter((piece) => piece.kind === kind).reduce((sum, { text }) => sum + text.length, 0)
  if (length('same') * 3 >= length('gone') + length('new')) return [{ kind: 'changed', pieces }]
  return [
    { kind: 'gone', pieces: [{ kind: 'gone', text: before }] },
    { kind: 'new', pieces: [{ kind: 'new', text: after }] },
  ]
}

function joined(pieces: Piece[]): Piece[] {
  const found: Piece[] = []
  for (const piece of pieces) {
    const last = found.at(-1)
    if (last?.kind === piece.kind) last.text += piece.text
    else found.push({ ...piece })
  }
  return found
}

/** A line, or the number of unchanged lines folded in its place. */
export type FoldedLine = DifferentLine | { kind: 'folded'; count: number }

/** Context lines on each side of a change; folding fewer than three lines would save nothing. */
const aroundMax = 2
const foldedMin = 3

/** Folds unchanged lines far from a change, so that one changed line of a long contract is easy to find. */
export function foldSame(lines: readonly DifferentLine[]): FoldedLine[] {
  const isNear = (at: number) =>
    lines.slice(Math.max(0, at - aroundMax), at + aroundMax + 1).some(({ kind }) => kind !== 'same')
  const found: FoldedLine[] = []
  let far: DifferentLine[] = []
  const settle = () => {
    found.push(...(far.length < foldedMin ? far : [{ kind: 'folded' as const, count: far.length }]))
    far = []
  }
  for (const [at, line] of lines.entries()) {
    if (isNear(at)) {
      settle()
      found.push(line)
    } else far.push(line)
  }
  settle()
  return found
}
