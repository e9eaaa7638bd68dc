import { scopeWords } from '@atrium/contract/scope-words.ts'

const nounWords = new Map(
  Object.entries({
    'password-reset': 'reset link',
    staff: 'colleague',
    audit: 'audit log',
    'second-factors': 'second factor',
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

/** Fields whose own name says little. The rest is said by rule. */
const fieldWords = new Map(
  Object.entries({
    tickbox_text: 'beside the tick box',
    blocked_portal_sections: 'closed until accepted',
    asks_from: 'asks who has not accepted since version',
    characters: 'length of the text',
    order: 'asked in this order',
    second_factor_members: 'second factor of members',
    second_factor_staff: 'second factor of staff',
    hold_withdrawals: 'withdrawals held after a reset',
    destination_rest_hours: 'hours that a new destination rests',
    bank_name_chars_max: 'longest account holder and bank name',
    notification_days: 'days for which messages of vendors are kept',
    session_days: 'days for which ended sessions are kept',
    mail_days: 'days for which mails that went out are kept',
    notice_days: 'days for which notices are kept',
    draft_days: 'days for which drafts of forms are kept',
    paper_days: 'days for which papers of erased members are kept',
    totp: 'authenticator app',
  }),
)

const sectionWords = new Map<string, string>(Object.entries(scopeWords))

type Details = Record<string, unknown> | null
export type Difference = { name: string; before: string | null; after: string | null }

/** What was and what is, field by field; what did not change is left out. */
export function differencesOf(before: Details, after: Details): Difference[] {
  const names = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  return names
    .map((name) => ({
      name: fieldWords.get(name) ?? name.replaceAll('_', ' '),
      before: inWords(spelled(name, before?.[name])),
      after: inWords(spelled(name, after?.[name])),
    }))
    .filter((each) => each.before !== each.after)
}

/** Sections of the portal by what the desk calls them. */
function spelled(name: string, value: unknown): unknown {
  if (name !== 'blocked_portal_sections' || !Array.isArray(value)) return value
  return value.map((section) => sectionWords.get(String(section)) ?? section)
}

function inWords(value: unknown): string | null {
  if (value === undefined || value === null || value === '') return null
  if (Array.isArray(value)) return value.length === 0 ? null : value.map((each) => inWords(each) ?? '').join(', ')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
