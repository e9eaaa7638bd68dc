import { texts } from '@atrium/contract/texts.ts'
import { useMayOpen } from '../features/session/use-may-open.ts'
import { EmptyState } from '../ui/feedback/state.tsx'
import { LinkButton } from '../ui/layout/link-button.tsx'
import { Card } from '../ui/layout/page.tsx'
import type { TFunction } from '../ui/text/i18n.ts'
import { useTranslation } from '../ui/text/use-translation.ts'
import { useNextSteps } from './use-next-steps.ts'

/** Replaces a form that cannot be sent by the steps to an account that can be funded. */
export function NoLiveAccount({ hasDemo, hasClosed }: { hasDemo: boolean; hasClosed: boolean }) {
  const { t } = useTranslation()
  const mayOpen = useMayOpen()
  const steps = useNextSteps()
  const account = steps?.find(({ key }) => key === 'account')
  const documents = steps?.find(({ key }) => key === 'documents')
  const first = account?.isWaiting && documents && !documents.isDone ? documents : account
  return (
    <Card>
      <EmptyState
        drawing="accounts"
        title={titleOf({ hasDemo, hasClosed }, t)}
        text={first?.key === 'documents' ? t('Verify your identity first, then open a live account.') : first?.text}
        action={
          <>
            {first?.note && <p>{first.text}</p>}
            {(mayOpen('live') || first?.key === 'documents') && (
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

/** Live accounts that accept no deposit are read-only or archived. */
function titleOf({ hasDemo, hasClosed }: { hasDemo: boolean; hasClosed: boolean }, t: TFunction): string {
  if (hasClosed) return t('Deposits to your live accounts are closed. Please contact support.')
  return hasDemo ? t('Deposits go to a live account, and you have none yet.') : t(texts.noAccounts)
}
