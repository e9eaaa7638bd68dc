export type Values = Record<string, unknown>

const isSame = (left: unknown, right: unknown) => JSON.stringify(left) === JSON.stringify(right)

/** Three-way merge: my value where I changed it, theirs everywhere else. */
export function mergeValues(begun: Values, mine: Values, theirs: Values) {
  const fields = Object.keys(theirs)
  return {
    values: Object.fromEntries(
      fields.map((field) => [field, mergeValue({ begun: begun[field], mine: mine[field], theirs: theirs[field] })]),
    ),
    changedElsewhere: fields.filter((field) => !isSame(theirs[field], begun[field])),
  }
}

/**
 * What my input began from after a save of mine without an answer: the values of that save where they are stored now, and those
 * before it where they are not, since they may never have arrived.
 */
export function begunAfter(lost: Values, begun: Values, theirs: Values): Values {
  return Object.fromEntries(
    Object.keys(theirs).map((field) => {
      const [sent, before, stored] = [lost[field], begun[field], theirs[field]]
      if (isRecord(sent) && isRecord(before) && isRecord(stored)) return [field, begunAfter(sent, before, stored)]
      // A new row gets its id from the server, so that it does not come back as it was sent.
      const isStored = isSame(stored, sent) || (isListOfRows(sent) && !isSame(stored, before))
      return [field, isStored ? sent : before]
    }),
  )
}

const isListOfRows = (value: unknown) => Array.isArray(value) && value.some(isRecord)

type Ways<Value> = { begun: Value; mine: Value; theirs: Value }

/** Within a field of switches or of chosen entries, too: a save must not undo a switch that a colleague turned. */
function mergeValue({ begun, mine, theirs }: Ways<unknown>): unknown {
  if (isSame(mine, begun)) return theirs
  if (isSame(theirs, begun)) return mine
  if (isRecord(begun) && isRecord(mine) && isRecord(theirs)) return mergeValues(begun, mine, theirs).values
  if (isList(begun) && isList(mine) && isList(theirs)) return mergeLists({ begun, mine, theirs })
  const name = rowNames.find((each) => [begun, mine, theirs].every((rows) => isRows(rows, each)))
  if (name) return mergeRows(name, { begun, mine, theirs } as Ways<Values[]>)
  return mine
}

/** My order, additions and removals, with theirs. */
const mergeLists = ({ begun, mine, theirs }: Ways<Entry[]>): Entry[] => [
  ...mine.filter((entry) => theirs.includes(entry) || !begun.includes(entry)),
  ...theirs.filter((entry) => !begun.includes(entry) && !mine.includes(entry)),
]

/** What identifies a row: a vendor, a list, an entry of a list, the method and currency of a rule, the currency of an amount. */
const rowNames = [['vendor'], ['entity'], ['key'], ['method', 'currency'], ['currency']]

/** My rows with their changes, their new rows, and without those that they removed and I left alone. */
function mergeRows(fields: string[], { begun, mine, theirs }: Ways<Values[]>): Values[] {
  const inRows = (rows: Values[], row: Values) => {
    const name = nameOf(row, fields)
    return name === null ? undefined : rows.find((each) => nameOf(each, fields) === name)
  }
  const ownRows = mine.flatMap((row) => {
    const [before, other] = [inRows(begun, row), inRows(theirs, row)]
    if (!other) return before && isSame(row, before) ? [] : [row]
    return [mergeValue({ begun: before ?? other, mine: row, theirs: other }) as Values]
  })
  return [...ownRows, ...theirs.filter((row) => !inRows(begun, row) && !inRows(mine, row))]
}

/** Null for a new row that does not have its whole name yet. */
const nameOf = (row: Values, fields: string[]): string | null =>
  fields.every((field) => typeof row[field] === 'string' && row[field] !== '')
    ? JSON.stringify(fields.map((field) => row[field]))
    : null

/** Rows that are told apart by this name; a new one may not have it yet. */
function isRows(value: unknown, fields: string[]): boolean {
  if (!Array.isArray(value)) return false
  if (!value.every((row) => isRecord(row) && fields.every((field) => Object.hasOwn(row, field)))) return false
  const names = (value as Values[]).map((row) => nameOf(row, fields)).filter((name) => name !== null)
  return new Set(names).size === names.length
}

type Entry = string | number

const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is Entry[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string' || typeof entry === 'number')
