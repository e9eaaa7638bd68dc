import { texts } from '@atrium/contract/texts.ts'
import { useIsOpen } from '../features/session/session.ts'
import { EmptyState } from '../ui/feedback/state.tsx'
import { LinkButton } from '../ui/layout/link-button.tsx'
import { Card } from '../ui/layout/page.tsx'
import { useTranslation } from '../ui/text/use-translation.ts'
import { useNextSteps } from './use-next-steps.ts'

/** Replaces a form that cannot be sent by the steps to an account that can be funded. */
export function NoLiveAccount({ hasDemo }: { hasDemo: boolean }) {
  const { t } = useTranslation()
  const isOpen = useIsOpen()
  const steps = useNextSteps()
  const account = steps?.find(({ key }) => key === 'account')
  const documents = steps?.find(({ key }) => key === 'documents')
  const first = account?.isWaiting && documents && !documents.isDone ? documents : account
  return (
    <Card>
      <EmptyState
        drawing="accounts"
        title={hasDemo ? t('Deposits go to a live account, and you have none yet.') : t(texts.noAccounts)}
        text={first?.key === 'documents' ? t('Verify your identity first, then open a live account.') : first?.text}
        action={
          <>
            {first?.note && <p>{first.text}</p>}
            {isOpen('my_accounts') && (
              <LinkButton to={first?.to ?? '/accounts/open-live-account'}>
                {first?.title ?? t('Open a live account')}
              </LinkButton>
            )}{' '}
            {hasDemo && (
              <LinkButton to="/funds/deposit-demo/{-$accountId}" params={{} as never} variant="default">
                {t('Add demo funds')}
              </LinkButton>
            )}
          </>
        }
      />
    </Card>
  )
}
