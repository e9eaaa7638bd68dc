import type { DifferenceDecision } from '@atrium/contract/account-sync/desk-calls.ts'
import type { DifferenceKind, DifferenceState, differenceEnds } from '@atrium/contract/account-sync/states.ts'
import { knownOr, otherLabel, otherState } from '@atrium/contract/unknown-values.ts'
import type { Meaning } from '../../ui/brand/theme.ts'

export const kindLabels: Record<DifferenceKind, { label: string; meaning: Meaning }> = knownOr(otherState, {
  unknown_owner: { label: 'Unknown owner', meaning: 'amber' },
  gone: { label: 'Missing on the platform', meaning: 'red' },
  currency: { label: 'Different currency', meaning: 'red' },
  returned: { label: 'Archived, but on the platform', meaning: 'amber' },
  fields: { label: 'Different details', meaning: 'amber' },
})

export const stateLabels: Record<DifferenceState, string> = knownOr(otherLabel, {
  open: 'To be decided',
  kept: 'Left as it is',
  settled: 'Settled',
})

export const endLabels: Record<(typeof differenceEnds)[number], string> = knownOr(otherLabel, {
  imported: 'Assigned to a member',
  archived: 'Archived',
  restored: 'Restored',
  kept: 'Left as it is',
  vanished: 'Matches again',
})

const reasons = new Map(
  Object.entries({
    no_member: 'No member has the email address that the platform holds.',
    no_address: 'The platform holds no email address, or our manager login cannot read it.',
    several_members: 'More than one member has the email address that the platform holds.',
    owner_known: 'The email address that the platform holds belongs to one member by now.',
    group_not_offered: 'Its group is not offered here, so it is unknown whether it is live or demo.',
    not_there:
      'The platform reports that this account does not exist. It is archived automatically if that does not change.',
    nothing_seen: 'The platform returned no accounts. Our access is probably misconfigured.',
    group_not_seen: 'Our manager login can no longer see its group.',
    many_at_once: 'Many accounts are missing at once. Our access is probably misconfigured.',
    number_reused:
      'The platform registered it at another time than before: its number was probably given to somebody else. Archive it here, unless the platform was set up again.',
    archived_here: 'It is archived here, but still on the platform.',
    archived_reused:
      'It is archived here. The platform registered its number at another time than before, probably for somebody else: restore it only if the platform was set up again.',
  }),
)

/** The finding as a sentence; a reason that is a currency or a list of fields is inserted into it. */
export function reasonSentence({ kind, reason }: { kind: DifferenceKind; reason: string }): {
  text: string
  values: Record<string, string>
} {
  if (kind === 'currency')
    return {
      text: 'Its currency on the platform is {{currency}}; here it was booked in a different one.',
      values: { currency: reason },
    }
  if (kind === 'fields')
    return {
      text: 'The platform stored different values from those we sent: {{fields}}. Please correct them there.',
      values: { fields: reason.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`) },
    }
  return { text: reasons.get(reason) ?? 'The platform and the portal differ.', values: {} }
}

export const decisionLabels: Record<DifferenceDecision, { action: string; done: string }> = {
  import: { action: 'Assign to a member', done: 'The account is assigned to the member.' },
  archive: { action: 'Archive', done: 'The account is archived.' },
  restore: { action: 'Restore', done: 'The account is restored to its member.' },
  keep: { action: 'Leave as it is', done: 'Left as it is. You will not be asked about it again.' },
  reopen: { action: 'Decide again', done: 'It is to be decided again.' },
}
