import type { DifferenceDecision } from '@atrium/contract/desk-accounts.ts'
import type { DifferenceKind, DifferenceState, differenceEnds } from '@atrium/contract/difference-states.ts'
import type { Meaning } from '../../ui/theme.ts'

export const kindWords: Record<DifferenceKind, { label: string; meaning: Meaning }> = {
  unknown_owner: { label: 'Unknown owner', meaning: 'amber' },
  gone: { label: 'Gone at the platform', meaning: 'red' },
  currency: { label: 'Other currency', meaning: 'red' },
  returned: { label: 'Archived, but there', meaning: 'amber' },
  fields: { label: 'Other data', meaning: 'amber' },
}

export const stateWords: Record<DifferenceState, string> = {
  open: 'To be decided',
  kept: 'Left as it is',
  settled: 'Settled',
}

export const endWords: Record<(typeof differenceEnds)[number], string> = {
  imported: 'Given to a member',
  archived: 'Archived',
  restored: 'Taken back',
  kept: 'Left as it is',
  vanished: 'Agrees again by itself',
}

const reasons = new Map(
  Object.entries({
    no_member: 'No member has the address that stands at the platform.',
    no_address: 'No address stands at the platform, or our manager login may not see it.',
    several_members: 'More than one member has the address that stands at the platform.',
    group_not_offered: 'Its group is not offered here, so it is not known whether its money is real.',
    not_there: 'The platform says that there is no such account. It is archived by itself if that stays so.',
    nothing_seen: 'The platform showed no account at all. Most likely something is wrong with our access.',
    group_not_seen: 'Our manager login does not see its group any more.',
    many_at_once: 'Many accounts are gone at once. Most likely something is wrong with our access.',
    archived_here: 'It is archived here, and the platform has it.',
  }),
)

/** What the comparison found, as a sentence; a currency and names of fields are reasons that are no word of it. */
export function reasonSentence({ kind, reason }: { kind: DifferenceKind; reason: string }): {
  text: string
  values: Record<string, string>
} {
  if (kind === 'currency')
    return {
      text: 'It is in {{currency}} at the platform. Its money was booked here in another one.',
      values: { currency: reason },
    }
  if (kind === 'fields')
    return {
      text: 'The platform keeps other values than were written: {{fields}}. Please correct them there.',
      values: { fields: reason.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) },
    }
  return { text: reasons.get(reason) ?? 'The platform and the portal say different things.', values: {} }
}

export const decisionWords: Record<DifferenceDecision, { action: string; done: string }> = {
  import: { action: 'Give to a member', done: 'The account belongs to the member now.' },
  archive: { action: 'Archive', done: 'The account is archived.' },
  restore: { action: 'Take back', done: 'The account is back with its member.' },
  keep: { action: 'Leave as it is', done: 'Left as it is. It is not asked about again.' },
}
