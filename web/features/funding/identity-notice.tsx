import type { WithdrawalBlock } from '@atrium/contract/withdrawals/calls.ts'
import { useTranslation } from 'react-i18next'
import { Callout } from '../../ui/feedback/state.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import parts from './withdrawal/withdrawal-form.module.css'

/** The quote's word for a withdrawal that waits for its member's identity. */
export const identityCode = 'identity'

/** The one thing to do first, above a form that would be filled in for nothing. */
export function IdentityNotice({ block, isOpen }: { block: WithdrawalBlock; isOpen: boolean }) {
  const { t } = useTranslation()
  return (
    <Callout meaning="amber">
      <strong>{t(block.sentence)}</strong>
      <p className={parts.none}>{t(block.next)}</p>
      {isOpen && (
        <LinkButton to="/documents" variant="default" size="xs">
          {t('Go to Documents')}
        </LinkButton>
      )}
    </Callout>
  )
}
