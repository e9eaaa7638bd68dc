import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { Logo } from '../../ui/brand/logo.tsx'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Callout } from '../../ui/feedback/state.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import rows from '../../ui/lists/desk-rows.module.css'
import { RowList } from '../../ui/lists/row-list.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { ProviderHealth, ProviderState } from './provider-state.tsx'
import parts from './providers.module.css'
import { type ProviderRow, providersQuery, useAddProvider } from './use-providers.ts'

/** The brokerage's providers with their health, and those that can be added. */
export function ProvidersList() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(providersQuery)
  const used = data?.filter(({ _id }) => _id !== null)
  const others = data?.filter(({ _id }) => _id === null) ?? []
  return (
    <WorkPage
      help={t('How members pay. A provider is offered once it is connected, switched on, and accepts a currency.')}
    >
      {error && !data ? (
        <Card>
          <ErrorState error={error} onRetry={() => refetch()} holds={t('Nothing was changed.')} />
        </Card>
      ) : (
        <Card>
          {used?.length === 0 ? (
            <p className={parts.none}>{t('None yet. Add the one that you have a contract with.')}</p>
          ) : (
            <RowList label={t('Payment providers')} styles={rows} skeleton={3}>
              {used?.map((row) => (
                <Row key={row.app_uid} row={row} />
              ))}
            </RowList>
          )}
        </Card>
      )}
      {others.length > 0 && <Others others={others} />}
    </WorkPage>
  )
}

function Row({ row }: { row: ProviderRow }) {
  const { t } = useTranslation()
  const facts = [...(row.title ? [row.name] : []), row.currencies.join(', ') || t('No currency yet')]
  return (
    <li>
      <Link to="/providers/{-$providerId}/{-$part}" params={{ providerId: row._id } as never} className={rows.row}>
        <Logo url={row.image_url} size={28} />
        <span className={rows.grow}>
          <span className={rows.strong}>{row.title ?? row.name}</span>
          <span className={rows.quiet}>{facts.join(' \u00b7 ')}</span>
        </span>
        <ProviderHealth health={row.standing} />
        <ProviderState isEnabled={row.enabled} health={row.standing} />
      </Link>
    </li>
  )
}

function Others({ others }: { others: ProviderRow[] }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const add = useAddProvider()
  const start = (uid: string) =>
    add.mutate(uid, {
      onSuccess: ({ provider }) =>
        navigate({
          to: '/providers/{-$providerId}/{-$part}',
          params: { providerId: provider._id, part: 'connection' } as never,
        }),
    })
  return (
    <section data-stack="md" aria-label={t('More providers')}>
      <h2 className={rows.title}>{t('More providers')}</h2>
      {add.error && <Callout meaning="red">{t(add.error.message)}</Callout>}
      <Card>
        <ul className={rows.list}>
          {others.map((row) => (
            <li key={row.app_uid} className={rows.row}>
              <Logo url={row.image_url} size={28} />
              <span className={`${rows.grow} ${rows.strong}`}>{row.name}</span>
              <Button
                size="xs"
                variant="default"
                aria-label={t('Add {{name}}', { name: row.name })}
                loading={add.isPending && add.variables === row.app_uid}
                onClick={() => start(row.app_uid)}
              >
                {t('Add')}
              </Button>
            </li>
          ))}
        </ul>
      </Card>
    </section>
  )
}
