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

type Ways<Value> = { begun: Value; mine: Value; theirs: Value }

/** Within a field of switches or of chosen entries, too: a save must not undo a switch that a colleague turned. */
function mergeValue({ begun, mine, theirs }: Ways<unknown>): unknown {
  if (isSame(mine, begun)) return theirs
  if (isSame(theirs, begun)) return mine
  if (isRecord(begun) && isRecord(mine) && isRecord(theirs)) return mergeValues(begun, mine, theirs).values
  if (isList(begun) && isList(mine) && isList(theirs)) return mergeLists({ begun, mine, theirs })
  return mine
}

/** My order, additions and removals, with theirs. */
const mergeLists = ({ begun, mine, theirs }: Ways<Plain[]>): Plain[] => [
  ...mine.filter((entry) => theirs.includes(entry) || !begun.includes(entry)),
  ...theirs.filter((entry) => !begun.includes(entry) && !mine.includes(entry)),
]

type Plain = string | number

const isRecord = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is Plain[] =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string' || typeof entry === 'number')
