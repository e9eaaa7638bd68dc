import { texts } from '@atrium/contract/texts.ts'
import { Skeleton } from '@mantine/core'
import { usePlatformServers } from '../../features/accounts/platform-servers.ts'
import type { Download, PlatformDownloads } from '../../features/downloads/by-platform.ts'
import { PlatformDownloadsCard } from '../../features/downloads/platform-downloads.tsx'
import { useDownloads } from '../../features/downloads/use-downloads.ts'
import { useMayOpen } from '../../features/session/use-may-open.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { Card, Page } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useEverywhere } from '../shell/everywhere.tsx'

/** The trading terminals of each platform on which the member has an account. */
export function PlatformsPage() {
  const { t } = useTranslation()
  const { data, error, refetch } = useDownloads()
  const servers = usePlatformServers()
  const { openComplaintAbout } = useEverywhere()
  const complain = (platform: PlatformDownloads) =>
    openComplaintAbout &&
    (({ _id, name }: Download) =>
      openComplaintAbout({
        type: 'profile',
        model: { _id, label: t('Download: {{name}} ({{platform}})', { name, platform: platform.name }) },
      }))
  return (
    <Page title={t('Platform Downloads')} help={t('The trading programs of each of your platforms.')}>
      {error && !data ? (
        <Card>
          <ErrorState error={error} onRetry={() => refetch()} />
        </Card>
      ) : !data ? (
        <div aria-busy="true">
          <Skeleton height={220} radius="lg" />
        </div>
      ) : data.length === 0 ? (
        <Card>
          <NoAccounts />
        </Card>
      ) : (
        data.map((platform) => (
          <PlatformDownloadsCard
            key={platform._id}
            platform={platform}
            server={servers.get(platform._id)}
            onComplain={complain(platform)}
          />
        ))
      )}
    </Page>
  )
}

function NoAccounts() {
  const { t } = useTranslation()
  const mayOpen = useMayOpen()
  return (
    <EmptyState
      drawing="accounts"
      title={t(texts.noAccounts)}
      action={
        mayOpen('live') ? (
          <LinkButton to="/accounts/open-live-account">{t('Open Live Account')}</LinkButton>
        ) : (
          mayOpen('demo') && <LinkButton to="/accounts/open-demo-account">{t('Open Demo Account')}</LinkButton>
        )
      }
    />
  )
}
