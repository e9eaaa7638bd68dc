import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { TabbedPage } from '../../ui/layout/tabbed-page.tsx'
import rows from '../../ui/lists/desk-rows.module.css'
import { platformTitle } from '../../ui/text/platform-names.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ConnectionPart } from './connection-part.tsx'
import { DownloadsPart } from './downloads-part.tsx'
import { GroupsPart } from './groups-part.tsx'
import { PlatformState } from './platform-state.tsx'
import { PlatformsList } from './platforms-list.tsx'
import { platformQuery } from './use-platforms.ts'

const tabs = [
  { name: 'groups', label: 'Name and groups', Part: GroupsPart },
  { name: 'connection', label: 'Connection', Part: ConnectionPart },
  { name: 'downloads', label: 'Downloads', Part: DownloadsPart },
] as const

/** The list of trading platforms, or one section of a platform; the URL selects it. */
export function PlatformsPage() {
  const { platformId, part } = useParams({ strict: false }) as { platformId?: string; part?: string }
  return platformId ? <OnePlatform id={platformId} part={part} /> : <PlatformsList />
}

function OnePlatform({ id, part }: { id: string; part: string | undefined }) {
  const { t } = useTranslation()
  const found = useQuery(platformQuery(id))
  const { name, Part } = tabs.find(({ name }) => name === part) ?? tabs[0]
  return (
    <TabbedPage
      labels={{
        all: t('All platforms'),
        parts: t('Sections'),
        loading: t('Loading the platform'),
        notFound: t('Platform not found'),
      }}
      parts={tabs}
      chosen={name}
      placeOf={(to) => ({
        to: '/platforms/{-$platformId}/{-$part}',
        params: (to ? { platformId: id, part: to } : {}) as never,
      })}
      found={found}
      head={(platform) => (
        <>
          <h2 className={rows.title}>{platform.name}</h2>
          <Tag label={platformTitle(platform.type)} />
          <PlatformState isEnabled={platform.enabled} isConnected={platform.connection !== null} />
        </>
      )}
    >
      {(platform) => <Part key={`${id} ${name}`} platform={platform} />}
    </TabbedPage>
  )
}
