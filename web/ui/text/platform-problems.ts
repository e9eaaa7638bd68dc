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
    invalid_input: 'The platform did not accept the operation.',
    amount_limit: 'The amount is over the platform’s limit.',
    account_disabled: 'The account is disabled on the platform.',
    currency_mismatch: 'The account has another currency on the platform.',
    timeout: 'The platform did not answer in time.',
    protocol: 'The platform’s answer could not be read.',
    circuit_open: 'The platform is paused after repeated failures.',
  }),
)

/** "amount_limit (10024)" as a sentence and the platform's code; a text that is already a sentence stays unchanged. */
export function problemText(problem: string): { text: string; code: string | null } {
  const [, reason = '', code = null] = /^([a-z_]+)(?: \((\d+)\))?$/.exec(problem) ?? []
  const text = problemLabels.get(reason)
  return text === undefined ? { text: problem, code: null } : { text, code }
}

/** The sentence alone. A problem of a later version is spelled as words. */
export function problemSentence(problem: string): string {
  const { text } = problemText(problem)
  return text === problem ? problem.replaceAll('_', ' ') : text
}
