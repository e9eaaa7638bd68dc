/** The wire format: backslash escapes, masks, numbers as strings. */

export type Parameters = ReadonlyMap<string, string>
export type Body = Readonly<Record<string, unknown>>
export type Reply = { code: number; answer?: unknown; beside?: Record<string, string> }

/** Thrown by a command when a check fails. */
export class Refusal extends Error {
  readonly code: number
  constructor(code: number) {
    super(`refused with ${code}`)
    this.code = code
  }
}

const words: Record<number, string> = {
  0: 'Done',
  1: 'OK, no result',
  2: 'Error',
  3: 'Invalid parameters',
  4: 'Invalid data',
  8: 'Not enough permissions',
  12: 'Too frequent requests',
  13: 'Not found',
  15: 'Server shutdown',
  3002: 'No free logins',
  3003: 'Login from another server',
  3004: 'Login already exists',
  3006: 'Invalid account password',
  4005: 'Money limit reached',
  10019: 'Not enough money',
  12000: 'Not implemented',
}

export function retcodeText(code: number): string {
  return `${code} ${words[code] ?? 'Refused'}`
}

/** A plus sign is literal: the documents define only percent encoding. */
export function readQuery(query: string): Parameters {
  const parameters = new Map<string, string>()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = equals === -1 ? pair : pair.slice(0, equals)
    const value = equals === -1 ? '' : pair.slice(equals + 1)
    parameters.set(decodeURIComponent(name).toLowerCase(), unescapeValue(decodeURIComponent(value)))
  }
  return parameters
}

/** Removes a backslash before `=`, `|`, `\` or a line feed; before other characters it is literal. */
export function unescapeValue(value: string): string {
  return value.replace(/\\([=|\\\n])/g, '$1')
}

export function readBody(text: string): Body {
  if (text.trim() === '') return {}
  const body: unknown = JSON.parse(text)
  if (typeof body !== 'object' || body === null || Array.isArray(body)) throw new Refusal(3)
  return body as Body
}

/** Body field names are case-sensitive, and the body takes precedence over the query. */
export function fieldOf(parameters: Parameters, body: Body, query: string, field: string): string | undefined {
  const fromBody = body[field]
  if (typeof fromBody === 'string' || typeof fromBody === 'number') return String(fromBody)
  return parameters.get(query)
}

export function listOf(value: string | undefined): string[] {
  return (value ?? '').split(',').filter((part) => part !== '')
}

/** `demo\*,!demo\forex`: a name matches if some mask includes it and no negated mask excludes it. */
export function matchesMask(name: string, masks: string): boolean {
  const parts = masks.split(',')
  const taken = parts.some((part) => !part.startsWith('!') && globMatches(name, part))
  const thrownOut = parts.some((part) => part.startsWith('!') && globMatches(name, part.slice(1)))
  return taken && !thrownOut
}

function globMatches(name: string, glob: string): boolean {
  const pieces = glob.split('*').map((piece) => piece.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`^${pieces.join('.*')}$`).test(name)
}

export type WritingHabits = { numbersAsNumbers: boolean; lowerCaseTotal: boolean }

const textFields = new Set(
  (
    'retcode Name FirstName LastName MiddleName Company Account Country City State ZipCode Address Phone Email ID Status ' +
    'Comment MQID LastIP LeadSource LeadCampaign Group Symbol ExternalID Gateway Time srv_rand cli_rand_answer Currency'
  ).split(' '),
)

export function writeReply(reply: Reply, habits: WritingHabits): string {
  const whole: Record<string, unknown> = { retcode: retcodeText(reply.code), ...reply.beside }
  if (reply.answer !== undefined) whole.answer = reply.answer
  return writeValue(whole, '', habits)
}

function writeValue(value: unknown, field: string, habits: WritingHabits): string {
  if (Array.isArray(value)) return `[${value.map((one) => writeValue(one, field, habits)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const pairs = Object.entries(value).map(([name, inner]) => {
      const written = habits.lowerCaseTotal && name === 'Total' ? 'total' : name
      return `${JSON.stringify(written)}:${writeValue(inner, name, habits)}`
    })
    return `{${pairs.join(',')}}`
  }
  const text = String(value)
  const numeric = habits.numbersAsNumbers && !textFields.has(field) && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text)
  return numeric ? text : JSON.stringify(text)
}
