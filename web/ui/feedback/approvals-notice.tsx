import { Ago } from '../text/moment.tsx'
import { useTranslation } from '../text/use-translation.ts'
import parts from './approvals-notice.module.css'
import { Callout } from './state.tsx'

/** The second-approval fields of a staff call's answer. */
export type Approvals = {
  approvals: number
  approvals_needed: number
  approved_by: { name: string; at: number; is_you: boolean }[]
  is_own: boolean
}

/** Why the reader cannot approve; null when they can. */
export function whyNotApprove({ is_own, approved_by }: Approvals): 'own-money' | 'approved-by-you' | null {
  if (is_own) return 'own-money'
  return approved_by.some(({ is_you }) => is_you) ? 'approved-by-you' : null
}

/** Who has approved, whether another approval is missing, and why the reader cannot give it. */
export function ApprovalsNotice({ of }: { of: Approvals }) {
  const { t } = useTranslation()
  const { approved_by, approvals, approvals_needed } = of
  const why = whyNotApprove(of)
  if (why === 'own-money')
    return <Callout meaning="amber">{t('This is your own money, so a colleague has to decide.')}</Callout>
  if (approvals_needed < 2) return null
  return (
    <Callout meaning="blue">
      <strong className={parts.title}>{t('{{approvals}} of {{approvals_needed}} approvals', of)}</strong>
      {approved_by.map(({ name, at }) => (
        <p key={name} data-plain>
          {name} {'\u00b7'} <Ago at={at} />
        </p>
      ))}
      <p data-plain>
        {approvals === 0 && t('This amount needs approvals by two different people.')}
        {why === 'approved-by-you' && t('You have approved it already. Somebody else has to approve it too.')}
        {approvals > 0 && why === null && t('Waiting for a second approval. With yours it goes to the platform.')}
      </p>
    </Callout>
  )
}
