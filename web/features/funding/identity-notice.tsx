import type { WithdrawalBlock } from '@atrium/contract/withdrawals/calls.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './withdrawal/withdrawal-form.module.css'

/** The quote's code for a withdrawal that is blocked until the identity is approved. */
export const identityCode = 'identity'

/** Shown above a form that cannot succeed until the identity is approved. */
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
