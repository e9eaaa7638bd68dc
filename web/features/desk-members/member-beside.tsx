import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { Accounts, Contacts } from './member-facts.tsx'
import { memberQuery } from './use-members.ts'

/** The member's contact details and accounts, for display beside other work. */
export function MemberBeside({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(memberQuery(id))
  if (!data && error) return <ErrorState error={error} onRetry={() => refetch()} />
  if (!data) return <Skeleton height={120} role="status" aria-label={t('Loading')} />
  return (
    <>
      <Contacts member={data} />
      <Section title={t('Accounts')}>
        <Accounts accounts={data.accounts} />
      </Section>
    </>
  )
}

/** The member's personal details, for comparison with a document. */
export function PersonBeside({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(memberQuery(id))
  if (!data && error) return <ErrorState error={error} onRetry={() => refetch()} />
  if (!data) return <Skeleton height={120} role="status" aria-label={t('Loading')} />
  const { details } = data
  return (
    <>
      <Facts
        facts={[
          { name: t('First name'), value: details?.first_name ?? data.name },
          { name: t('Last name'), value: details?.last_name },
        ]}
      />
      <Contacts member={data} />
    </>
  )
}
