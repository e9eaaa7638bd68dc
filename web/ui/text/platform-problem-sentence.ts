import type { ReactNode } from 'react'
import { useTranslation } from './use-translation.ts'

/** A problem in the reader's language, and the platform's own code for it. */
export type SaidProblem = { text: string; code: string | null }

export type ProblemProps = { problem: string; show: (said: SaidProblem) => ReactNode }

/** Problems of trading platforms (server/trading-platforms/contract.ts) in sentences for staff. */
const problemLabels = new Map(
  Object.entries({
    not_connected: 'The platform is not connected.',
    unreachable: 'The platform cannot be reached.',
    session_lost: 'The connection to the platform was lost.',
    auth_failed: 'The platform did not accept our sign-in.',
    throttled: 'The platform limits our request rate.',
    busy: 'The platform is busy.',
    shutdown: 'The server was shutting down.',
    not_permitted: 'Our user on the platform lacks the permission.',
    misconfigured: 'The platform’s settings are incorrect.',
    not_supported: 'The platform cannot do this.',
    not_found: 'The platform does not know this account.',
    already_exists: 'It already exists on the platform.',
    group_unknown: 'The platform does not know the account’s group.',
    invalid_input: 'The platform did not accept the operation.',
    weak_password: 'The password is too weak for the platform.',
    insufficient_funds: 'The account has too little money on the platform.',
    amount_limit: 'The amount is over the platform’s limit.',
    account_disabled: 'The account is disabled on the platform.',
    logins_exhausted: 'The platform has no account numbers left.',
    has_open_trades: 'The account has open trades on the platform.',
    currency_mismatch: 'The account has another currency on the platform.',
    timeout: 'The platform did not answer in time.',
    protocol: 'The platform’s answer could not be read.',
    circuit_open: 'The platform is paused after repeated failures.',
  }),
)

/** `amount_limit (10024)` as a sentence and the platform's code. A reason of a later version is spelled as words; any other text stays. */
export function problemText(problem: string): SaidProblem {
  const [, reason = '', code = null] = /^([a-z_]+)(?: \((\d+)\))?$/.exec(problem) ?? []
  const text = problemLabels.get(reason)
  if (text !== undefined) return { text, code }
  return { text: reason === '' ? problem : problem.replaceAll('_', ' '), code: null }
}

export function PlatformProblemSentence({ problem, show }: ProblemProps) {
  const { t } = useTranslation()
  const { text, code } = problemText(problem)
  return show({ text: t(text), code })
}
