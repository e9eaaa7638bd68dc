import { useQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { Logo } from '../../ui/brand/logo.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { TabbedPage } from '../../ui/layout/tabbed-page.tsx'
import rows from '../../ui/lists/desk-rows.module.css'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ConnectionPart } from './connection-part.tsx'
import { OfferPart } from './offer-part.tsx'
import { ProviderState } from './provider-state.tsx'
import { ProvidersList } from './providers-list.tsx'
import { providerQuery } from './use-providers.ts'

const tabs = [
  { name: 'connection', label: 'Connection', Part: ConnectionPart },
  { name: 'offer', label: 'Offer to members', Part: OfferPart },
] as const

/** The list of payment providers, or one section of a provider; the URL selects it. */
export function ProvidersPage() {
  const { providerId, part } = useParams({ strict: false }) as { providerId?: string; part?: string }
  return providerId ? <OneProvider id={providerId} part={part} /> : <ProvidersList />
}

function OneProvider({ id, part }: { id: string; part: string | undefined }) {
  const { t } = useTranslation()
  const found = useQuery(providerQuery(id))
  const { name, Part } = tabs.find(({ name }) => name === part) ?? tabs[0]
  return (
    <TabbedPage
      labels={{
        all: t('All payment providers'),
        parts: t('Sections'),
        loading: t('Loading the provider'),
        notFound: t('Payment provider not found'),
      }}
      parts={tabs}
      chosen={name}
      placeOf={(to) => ({
        to: '/providers/{-$providerId}/{-$part}',
        params: (to ? { providerId: id, part: to } : {}) as never,
      })}
      found={found}
      head={(provider) => (
        <>
          <Logo url={provider.image_url} size={28} />
          <h2 className={rows.title}>{provider.title ?? provider.name}</h2>
          {provider.title && <Tag label={provider.name} />}
          <ProviderState isEnabled={provider.enabled} health={provider.standing} />
        </>
      )}
    >
      {(provider) => <Part key={`${id} ${name}`} provider={provider} />}
    </TabbedPage>
  )
}
