import { Skeleton } from '@mantine/core'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { LastRequest } from '../../features/requests/last-request.tsx'
import { shortcutOf } from '../../features/requests/request-labels.ts'
import parts from '../../features/requests/requests.module.css'
import { useRequestType } from '../../features/requests/use-requests.ts'
import { useSession } from '../../features/session/session.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { RequestForm } from '../request-form.tsx'

/** One request type: its form, with the status of the last request beside it. */
export function RequestTypePage() {
  const { id = '' } = useParams({ strict: false }) as { id?: string }
  const { t } = useTranslation()
  const { member } = useSession()
  const { data: type, error, refetch } = useRequestType(id, member._id)
  // If the type is withdrawn meanwhile, the input stays and sending it reports the error.
  const [opened, setOpened] = useState<AskedType | null>(null)
  if (type && type !== opened) setOpened(type)
  const asked = type ?? (opened?._id === id.toLowerCase() ? opened : null)
  if (asked) return <AskingPage key={asked._id} type={asked} />
  return (
    <Page title={t('Request')}>
      {error || type === null ? (
        <Card>
          {error ? (
            <ErrorState error={error} onRetry={() => refetch()} />
          ) : (
            <EmptyState
              drawing="search"
              title={t('This request is not offered')}
              text={t('The address may be wrong, or it is no longer offered.')}
              action={<LinkButton to="/requests">{t('All requests')}</LinkButton>}
            />
          )}
        </Card>
      ) : (
        <div aria-busy="true">
          <Skeleton height={320} radius="lg" />
        </div>
      )}
    </Page>
  )
}

type AskedType = NonNullable<ReturnType<typeof useRequestType>['data']>

function AskingPage({ type }: { type: AskedType }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const [isDirty, setDirty] = useState(false)
  const [isSent, setSent] = useState(false)
  useUnsavedGuard({ isDirty })
  // Only after the unsaved guard has nothing left to ask about.
  useEffect(() => {
    if (isSent && !isDirty) void navigate({ to: '/home/' })
  }, [isSent, isDirty, navigate])
  const shortcut = shortcutOf(type.predefined_type ?? null)
  return (
    <Page title={type.name} help={type.description}>
      <div data-columns="aside">
        <Card data-pad="xl">
          {shortcut ? (
            <LinkButton to={shortcut.to as never}>{t(shortcut.label)}</LinkButton>
          ) : (
            <RequestForm type={type} onSent={() => setSent(true)} onDirty={setDirty} />
          )}
        </Card>
        <aside className={parts.side} data-stack="lg" data-shrink>
          <LastRequest request={type.last_request ?? null} />
        </aside>
      </div>
    </Page>
  )
}
