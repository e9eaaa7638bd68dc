import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { bringIntoView } from '../../ui/bring-into-view.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { FormBones } from '../../ui/form-bones.tsx'
import { TextLink } from '../../ui/link-button.tsx'
import { Tag } from '../../ui/status-pill.tsx'
import tabs from '../../ui/tabs.module.css'
import { WorkPage } from '../../ui/work-page.tsx'
import { ConnectionPart } from './connection-part.tsx'
import { DownloadsPart } from './downloads-part.tsx'
import { GroupsPart } from './groups-part.tsx'
import { kindLabel, PlatformState } from './platform-state.tsx'
import parts from './platforms.module.css'
import { PlatformsList } from './platforms-list.tsx'
import { platformQuery } from './use-platforms.ts'

const parted = [
  { name: 'groups', label: 'Name and groups', Part: GroupsPart },
  { name: 'connection', label: 'Connection', Part: ConnectionPart },
  { name: 'downloads', label: 'Downloads', Part: DownloadsPart },
] as const

/** Trading platforms: the list of them, or one and a part of it; which stands in the address. */
export function PlatformDesk() {
  const { platformId, part } = useParams({ strict: false }) as { platformId?: string; part?: string }
  return platformId ? <OnePlatform id={platformId} part={part} /> : <PlatformsList />
}

function OnePlatform({ id, part }: { id: string; part: string | undefined }) {
  const { t } = useTranslation()
  const { data: platform, error, refetch } = useQuery(platformQuery(id))
  const chosen = parted.find(({ name }) => name === part) ?? parted[0]
  return (
    <WorkPage>
      <div className={parts.head}>
        <TextLink to="/platforms/{-$platformId}/{-$part}" params={{} as never}>
          {t('All platforms')}
        </TextLink>
        {platform && (
          <>
            <h2 className={parts.title}>{platform.name}</h2>
            <Tag label={kindLabel[platform.type]} />
            <PlatformState isEnabled={platform.enabled} isConnected={platform.connection !== null} />
          </>
        )}
      </div>
      <nav className={tabs.tabs} aria-label={t('Parts of the platform')}>
        {parted.map(({ name, label }) => (
          <Link
            key={name}
            ref={name === chosen.name ? bringIntoView : undefined}
            to="/platforms/{-$platformId}/{-$part}"
            params={{ platformId: id, part: name } as never}
            className={`${tabs.tab} ${name === chosen.name ? tabs.here : ''}`}
            aria-current={name === chosen.name ? 'page' : undefined}
          >
            {t(label)}
          </Link>
        ))}
      </nav>
      {platform ? (
        <chosen.Part key={`${id} ${chosen.name}`} platform={platform} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => refetch()} holds={t('Nothing was changed.')} />
      ) : (
        <FormBones label={t('Loading the platform')} />
      )}
    </WorkPage>
  )
}
