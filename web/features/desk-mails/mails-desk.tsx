import { limits } from '@atrium/contract/limits.ts'
import { undeliveredStates } from '@atrium/contract/mail-states.ts'
import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { saveTable } from '../../api/save-table.ts'
import { ErrorState } from '../../ui/error-state.tsx'
import { FilterBar, SearchField, TableButton } from '../../ui/filter-bar.tsx'
import { readerLanguage } from '../../ui/format.ts'
import { NoMatches } from '../../ui/no-matches.tsx'
import { Card } from '../../ui/page.tsx'
import { Select } from '../../ui/select.tsx'
import { EmptyState } from '../../ui/state.tsx'
import { Turning } from '../../ui/turning.tsx'
import { WorkPage } from '../../ui/work-page.tsx'
import { MailRow } from './mail-row.tsx'
import { filtersOf, type MailSearch, readMailSearch, withFilter } from './mail-search.ts'
import { stateWords } from './mail-words.ts'
import parts from './mails.module.css'
import { TryAll } from './try-all.tsx'
import { mailsQuery, type UndeliveredMail } from './use-mails.ts'

/** What may have arrived is decided mail by mail. */
const isTriedWithAll = ({ state, can_be_tried }: UndeliveredMail) => state === 'failed' && can_be_tried
const bones = ['first', 'second', 'third', 'fourth', 'fifth']

/** Mails that did not get through, the latest first: why, and what can be done. */
export function MailsDesk({ mayHelp }: { mayHelp: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const search = readMailSearch(useSearch({ strict: false }))
  const page = useQuery(mailsQuery(search))
  const { data } = page
  const go = (next: MailSearch) => navigate({ to: '/mails', search: next })
  const filter = (name: keyof MailSearch) => (value: string | null) => go(withFilter(search, { [name]: value }))
  const isFiltered = Object.keys(filtersOf(search)).length > 0
  // What waits on other pages may be refused too.
  const holdsRefused = Boolean(data && (data.next ?? data.previous ?? data.mails.find(isTriedWithAll)))
  const shown = new Intl.NumberFormat(readerLanguage()).format(data?.total ?? 0)
  return (
    <WorkPage help={t('Emails that could not be delivered, and why.')}>
      <FilterBar>
        <SearchField
          label={t('Search emails')}
          placeholder={t('Address or subject')}
          value={search.q ?? ''}
          onSearch={filter('q')}
        />
        <Select
          size="xs"
          miw={190}
          aria-label={t('Outcome')}
          placeholder={t('Any outcome')}
          clearable
          data={undeliveredStates.map((value) => ({ value, label: t(stateWords[value].label) }))}
          value={search.state ?? null}
          onChange={filter('state')}
        />
        {mayHelp && holdsRefused && search.state !== 'unknown' && <TryAll q={search.q} />}
        <TableButton save={() => saveTable('/desk/api/mails/table', filtersOf(search), 'mails.csv')} />
      </FilterBar>
      <Card>
        {page.isError && !data && (
          <ErrorState error={page.error} holds={t('Nothing was changed.')} onRetry={() => page.refetch()} />
        )}
        {data?.mails.length === 0 &&
          (isFiltered ? (
            <NoMatches onClear={() => go({})} />
          ) : (
            <EmptyState
              drawing="list"
              title={t('All emails were delivered')}
              text={t('Failed emails appear here automatically.')}
            />
          ))}
        {!page.isError && data?.mails.length !== 0 && (
          <ul className={parts.list} aria-label={t('Undelivered emails')} aria-busy={!data || page.isPlaceholderData}>
            {data
              ? data.mails.map((mail) => <MailRow key={mail._id} mail={mail} mayHelp={mayHelp} />)
              : bones.map((bone) => (
                  <li key={bone} className={parts.row} aria-hidden>
                    <Skeleton height={12} width="40%" mb={8} />
                    <Skeleton height={10} width="60%" />
                  </li>
                ))}
          </ul>
        )}
      </Card>
      {data && data.mails.length > 0 && (
        <Turning marks={data} words="times" onTurn={(turn) => go({ ...filtersOf(search), ...turn })}>
          {data.total >= limits.countedMax
            ? t('{{shown}} emails and more', { shown })
            : t('Emails: {{shown}}', { shown })}
        </Turning>
      )}
    </WorkPage>
  )
}
