const nounWords = new Map(
  Object.entries({
    'password-reset': 'reset link',
    staff: 'colleague',
    audit: 'audit log',
    members: 'list of members',
  }),
)

/** `member.permissions-changed` as "Member: permissions changed": said by rule, so that a later action reads well too. */
export function actionWords(action: string): string {
  const [noun = '', deed = ''] = action.split('.')
  const name = nounWords.get(noun) ?? noun.replaceAll('-', ' ')
  return `${name.charAt(0).toUpperCase()}${name.slice(1)}: ${deed.replaceAll('-', ' ')}`
}

const actorWords = { staff: 'Desk', member: 'Member', system: 'Atrium' } as const

export const actorWord = (kind: keyof typeof actorWords): string => actorWords[kind]

type Details = Record<string, unknown> | null
export type Difference = { name: string; before: string | null; after: string | null }

/** What was and what is, field by field; what did not change is left out. */
export function differencesOf(before: Details, after: Details): Difference[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .map((name) => ({
      name: name.replaceAll('_', ' '),
      before: inWords(before?.[name]),
      after: inWords(after?.[name]),
    }))
    .filter((each) => each.before !== each.after)
}

function inWords(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((each) => inWords(each) ?? '').join(', ')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
