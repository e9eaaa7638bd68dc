import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { bringIntoView } from '../../ui/bring-into-view.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { FormBones } from '../../ui/form-bones.tsx'
import { TextLink } from '../../ui/link-button.tsx'
import { Logo } from '../../ui/logo.tsx'
import { Tag } from '../../ui/status-pill.tsx'
import tabs from '../../ui/tabs.module.css'
import { WorkPage } from '../../ui/work-page.tsx'
import { ConnectionPart } from './connection-part.tsx'
import { OfferPart } from './offer-part.tsx'
import { ProviderState } from './provider-state.tsx'
import parts from './providers.module.css'
import { ProvidersList } from './providers-list.tsx'
import { providerQuery } from './use-providers.ts'

const parted = [
  { name: 'connection', label: 'Connection', Part: ConnectionPart },
  { name: 'offer', label: 'Offer to members', Part: OfferPart },
] as const

/** Payment providers: the list of them, or one and a part of it; which stands in the address. */
export function ProvidersDesk() {
  const { providerId, part } = useParams({ strict: false }) as { providerId?: string; part?: string }
  return providerId ? <OneProvider id={providerId} part={part} /> : <ProvidersList />
}

function OneProvider({ id, part }: { id: string; part: string | undefined }) {
  const { t } = useTranslation()
  const { data: provider, error, refetch } = useQuery(providerQuery(id))
  const chosen = parted.find(({ name }) => name === part) ?? parted[0]
  return (
    <WorkPage>
      <div className={parts.head}>
        <TextLink to="/providers/{-$providerId}/{-$part}" params={{} as never}>
          {t('All payment providers')}
        </TextLink>
        {provider && (
          <>
            <Logo url={provider.image_url} size={28} />
            <h2 className={parts.title}>{provider.title ?? provider.name}</h2>
            {provider.title && <Tag label={provider.name} />}
            <ProviderState isEnabled={provider.enabled} standing={provider.standing} />
          </>
        )}
      </div>
      <nav className={tabs.tabs} aria-label={t('Parts of the provider')}>
        {parted.map(({ name, label }) => (
          <Link
            key={name}
            ref={name === chosen.name ? bringIntoView : undefined}
            to="/providers/{-$providerId}/{-$part}"
            params={{ providerId: id, part: name } as never}
            className={`${tabs.tab} ${name === chosen.name ? tabs.here : ''}`}
            aria-current={name === chosen.name ? 'page' : undefined}
          >
            {t(label)}
          </Link>
        ))}
      </nav>
      {provider ? (
        <chosen.Part key={`${id} ${chosen.name}`} provider={provider} />
      ) : error ? (
        <ErrorState error={error} onRetry={() => refetch()} holds={t('Nothing was changed.')} />
      ) : (
        <FormBones label={t('Loading the provider')} />
      )}
    </WorkPage>
  )
}
