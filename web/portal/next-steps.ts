import type { Scope } from '@atrium/contract/access/scopes.ts'
import type { AccountKind } from '@atrium/contract/openings/states.ts'
import { takesDeposits } from '../features/accounts/account-labels.ts'
import type { Account } from '../features/accounts/use-accounts.ts'
import type { Profile } from '../features/profile/use-profile.ts'
import type { TFunction } from '../ui/text/i18n.ts'

export type StepKey = 'profile' | 'documents' | 'account' | 'deposit'
export type Step = {
  key: StepKey
  title: string
  text: string
  to: string
  isDone: boolean
  /** Others must act first: the member can do nothing now. */
  isWaiting: boolean
  note?: string
}

export type StepsKnown = {
  profile: Pick<Profile, 'phones' | 'addresses' | 'documents_status'>
  accounts: readonly Pick<Account, '_id' | 'live_account' | 'deleted' | 'archived' | 'enable_read_only' | 'balance'>[]
  /** Whether the list of transactions has a deposit to a live account. */
  hasDeposited: boolean
  /** Whether a live account requires an approved identity. */
  needsDocuments: boolean
  isOpen: (scope: Scope) => boolean
  /** Whether members may open accounts of a kind. */
  mayOpen: (kind: AccountKind) => boolean
}

const hasFunds = ({ balance }: Pick<Account, 'balance'>): boolean => balance !== null && /[1-9]/.test(balance)

/** The steps from joining to a funded live account, as far as this brokerage offers them. */
export function nextSteps(
  { profile, accounts, hasDeposited, needsDocuments, isOpen, mayOpen }: StepsKnown,
  t: TFunction,
): Step[] {
  const live = accounts.filter(({ live_account, archived }) => live_account && !archived)
  const payable = live.filter(takesDeposits)
  const steps: (Step & { scope: Scope })[] = [
    {
      key: 'profile',
      scope: 'profile',
      title: t('Complete your profile'),
      text: t('A phone number and your address, so that we can reach you.'),
      to: '/profile',
      isDone: profile.phones.length > 0 && profile.addresses.length > 0,
      isWaiting: false,
    },
    { scope: 'documents', ...documentsStep(profile.documents_status, t) },
    {
      key: 'account',
      scope: 'my_accounts',
      isDone: live.length > 0,
      ...accountStep(
        {
          isBarred: needsDocuments && profile.documents_status !== 'approved',
          hasDemo: accounts.length > live.length,
          mayOpenDemo: mayOpen('demo'),
        },
        t,
      ),
    },
    {
      key: 'deposit',
      scope: 'deposit',
      title: t('Make your first deposit'),
      text: live.length > 0 ? t('By card, bank transfer and more.') : t('To your live account, once it is open.'),
      to: payable[0] ? `/funds/deposit/${payable[0]._id}` : '/funds/deposit',
      isDone: live.some(hasFunds) || (live.length > 0 && hasDeposited),
      isWaiting: payable.length === 0,
    },
  ]
  return steps
    .filter(({ key, scope, isDone }) => isOpen(scope) && (key !== 'account' || isDone || mayOpen('live')))
    .map(({ scope: _, ...step }) => step)
}

function documentsStep(status: string, t: TFunction): Step {
  const isWaiting = status === 'in_verification'
  return {
    key: 'documents',
    title: t('Verify your identity'),
    text:
      status === 'rejected'
        ? t('A document was not accepted. Open Documents to see why.')
        : isWaiting
          ? t('No action needed. We will notify you when your documents are reviewed.')
          : t('A picture of your passport or identity card, and a proof of address.'),
    to: '/documents',
    isDone: status === 'approved',
    isWaiting,
    ...(isWaiting && { note: t('In review') }),
  }
}

type Barred = { isBarred: boolean; hasDemo: boolean; mayOpenDemo: boolean }

/** A demo account completes no step: the member can use it while the documents are reviewed. */
function accountStep({ isBarred, hasDemo, mayOpenDemo }: Barred, t: TFunction): Omit<Step, 'key' | 'isDone'> {
  const title = t('Open a live account')
  const isDemoOffered = !hasDemo && mayOpenDemo
  const to = isBarred && isDemoOffered ? '/accounts/open-demo-account' : '/accounts/open-live-account'
  if (!isBarred) return { title, text: t('Choose the platform and the leverage.'), to, isWaiting: false }
  return {
    title,
    text: isDemoOffered
      ? t('Once your identity is verified. A demo account is ready at once.')
      : t('Once your identity is verified.'),
    to,
    isWaiting: true,
  }
}

/** The step to take now; null when all are done or others must act. */
export const nextStepOf = (steps: readonly Step[]): Step | null =>
  steps.find(({ isDone, isWaiting }) => !isDone && !isWaiting) ?? null
