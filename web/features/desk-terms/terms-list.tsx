import { type TermsState, termsStates } from '@atrium/contract/terms/states.ts'
import { texts } from '@atrium/contract/texts.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { LinkButton } from '../../ui/layout/link-button.tsx'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import { DataTable } from '../../ui/lists/data-table.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { stateLabels } from './terms-labels.ts'
import { readTermsSearch } from './terms-search.ts'
import { termsListQuery } from './use-terms.ts'
import { useTermsColumns } from './use-terms-columns.tsx'

/** The terms, in the order in which members accept them. */
export function TermsList({ mayManage }: { mayManage: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { state } = readTermsSearch(useSearch({ strict: false }))
  const { data: all, error, refetch } = useQuery(termsListQuery)
  const rows = all?.filter((terms) => !state || terms.state === state)
  const columns = useTermsColumns(all ?? [], { mayOrder: mayManage && !state })
  const show = (next: TermsState | undefined) => navigate({ to: '/terms', search: next ? { state: next } : {} })
  const write = (
    <LinkButton to="/terms/new" leftSection={<IconPlus size={18} stroke={1.5} aria-hidden />}>
      {t('New terms')}
    </LinkButton>
  )
  return (
    <WorkPage
      help={t(
        'Texts that members are asked to accept. Until they do, the sections that you choose stay closed to them.',
      )}
      actions={mayManage && write}
    >
      <SegmentedControl
        aria-label={t('State')}
        size="sm"
        style={{ alignSelf: 'flex-start' }}
        data={[
          { value: 'all', label: t('All') },
          ...termsStates.map((value) => ({ value, label: t(stateLabels[value].label) })),
        ]}
        value={state ?? 'all'}
        onChange={(value) => show(termsStates.find((each) => each === value))}
      />
      {error && !all ? (
        <ErrorState error={error} onRetry={() => refetch()} holds={t('Nothing was changed.')} />
      ) : (
        <DataTable
          label={t('Terms')}
          columns={columns}
          rows={rows}
          rowKey={({ _id }) => _id}
          onOpen={({ _id }) =>
            navigate({ to: '/terms/$termsId/{-$part}', params: { termsId: _id, part: undefined }, search: {} })
          }
          empty={
            state ? (
              <EmptyState
                drawing="search"
                title={t(texts.noResults)}
                action={
                  <Button size="xs" variant="default" onClick={() => show(undefined)}>
                    {t('Show all')}
                  </Button>
                }
              />
            ) : (
              <EmptyState
                drawing="list"
                title={t('No terms yet')}
                text={t(
                  'For example a client agreement, a risk warning or a privacy notice. Each acceptance is recorded.',
                )}
                action={mayManage && write}
              />
            )
          }
        />
      )}
    </WorkPage>
  )
}
