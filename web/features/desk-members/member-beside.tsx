import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Section } from '../../ui/page.tsx'
import { Accounts, Contacts } from './member-facts.tsx'
import { memberQuery } from './use-members.ts'

/** Who it is about, beside other work: how to reach them, and which accounts they have. */
export function MemberBeside({ id }: { id: string }) {
  const { t } = useTranslation()
  const { data } = useQuery(memberQuery(id))
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
