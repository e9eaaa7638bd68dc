import type { TFunction } from 'i18next'
import type { Step } from '../../ui/steps.tsx'
import type { Meaning } from '../../ui/theme.ts'
import type { Transaction } from './use-funding.ts'

type EventWords = {
  title: string
  meaning: Meaning /** The platform's own words are for staff. */
  isNoteHidden?: boolean
}

const eventWords: Record<string, EventWords> = {
  'deposit.requested': { title: 'You created the deposit', meaning: 'green' },
  'deposit.demo-balance': { title: 'Starting balance of your demo account', meaning: 'green' },
  'deposit.approved-by-desk': { title: 'We approved it', meaning: 'green' },
  'deposit.rejected': { title: 'We could not accept it', meaning: 'red' },
  'deposit.being-checked': { title: 'Being checked with the trading platform', meaning: 'blue', isNoteHidden: true },
  'deposit.sent-again': { title: 'Sent to the trading platform again', meaning: 'blue', isNoteHidden: true },
  'deposit.refused-by-platform': {
    title: 'The trading platform did not take it; we are looking into it',
    meaning: 'amber',
    isNoteHidden: true,
  },
  'deposit.credited': { title: 'Credited to your trading account', meaning: 'green', isNoteHidden: true },
}

const withdrawalWords: Record<string, EventWords> = {
  'withdrawal.requested': { title: 'You created the withdrawal', meaning: 'green' },
  'withdrawal.approved-by-desk': { title: 'We approved it', meaning: 'green' },
  'withdrawal.rejected': { title: 'We could not accept it', meaning: 'red' },
}

const actors: Record<string, string> = { member: 'You', staff: 'Our team', system: 'Atrium' }

/** What comes next and who acts, so that nobody has to guess whether to wait. */
const nextSteps: Record<string, Record<string, string[]>> = {
  deposit: {
    pending: ['Our team checks your receipt', 'The amount is credited to your trading account'],
    crediting: ['The amount is credited to your trading account'],
    checking: ['We make sure that it is credited exactly once; you need to do nothing'],
  },
  withdrawal: {
    pending: ['Our team checks your withdrawal', 'The amount is sent to you'],
  },
}

type Moments = { at: (at: number) => string }

export function stepsOf(transaction: Transaction, t: TFunction, { at }: Moments): Step[] {
  const happened = transaction.timeline.map((entry, index): Step => {
    const words = eventWords[entry.event] ?? withdrawalWords[entry.event]
    return {
      key: `${entry.at}-${entry.event}-${index}`,
      title: words ? t(words.title) : t('Updated'),
      by: `${at(entry.at)} \u00b7 ${t(actors[entry.by] ?? 'Atrium')}`,
      note: words?.isNoteHidden ? null : entry.note,
      meaning: words?.meaning ?? 'grey',
      stage: 'done',
    }
  })
  const coming = (nextSteps[transaction.type]?.[transaction.state] ?? []).map(
    (title, index): Step => ({
      key: title,
      title: t(title),
      meaning: transaction.state === 'pending' ? 'amber' : 'blue',
      stage: index === 0 ? 'current' : 'next',
    }),
  )
  return [...happened, ...coming]
}
