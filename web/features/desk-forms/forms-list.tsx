import type { DeskFormRow } from '@atrium/contract/forms/desk-calls.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { TextLink } from '../../ui/layout/link-button.tsx'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import { type Column, DataTable } from '../../ui/lists/data-table.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { readFormsSearch } from './form-search.ts'
import parts from './forms.module.css'
import { NewFormDialog } from './new-form-dialog.tsx'
import { formsQuery } from './use-forms.ts'

/** The brokerage's own forms. */
export function FormsList({ mayManage }: { mayManage: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const { archived = 'no' } = readFormsSearch(useSearch({ strict: false }))
  const { data, error, refetch } = useQuery(formsQuery(archived))
  const columns = useFormColumns()
  const [isAdding, setAdding] = useState(false)
  const add = mayManage && (
    <Button leftSection={<IconPlus size={18} stroke={1.5} aria-hidden />} onClick={() => setAdding(true)}>
      {t('New form')}
    </Button>
  )
  return (
    <WorkPage
      help={t('Forms that members fill in, for requests or by themselves. Each saved change is a version of its own.')}
      actions={add}
    >
      <SegmentedControl
        aria-label={t('Which forms')}
        size="sm"
        style={{ alignSelf: 'flex-start' }}
        data={[
          { value: 'no', label: t('In use') },
          { value: 'yes', label: t('Archived') },
        ]}
        value={archived}
        onChange={(value) => navigate({ to: '/forms', search: value === 'yes' ? { archived: 'yes' } : {} })}
      />
      {error && !data ? (
        <ErrorState error={error} onRetry={() => refetch()} holds={t('Nothing was changed.')} />
      ) : (
        <DataTable
          label={t('Forms')}
          columns={columns}
          rows={data}
          rowKey={({ _id }) => _id}
          onOpen={({ _id }) => navigate({ to: '/forms/$formId/{-$part}', params: { formId: _id, part: undefined } })}
          empty={
            archived === 'yes' ? (
              <EmptyState drawing="list" title={t('No form is archived')} />
            ) : (
              <EmptyState
                drawing="list"
                title={t('No forms yet')}
                text={t('A change of address, an appropriateness test: begin with a ready-made one, or from nothing.')}
                action={add}
              />
            )
          }
        />
      )}
      {isAdding && <NewFormDialog onClose={() => setAdding(false)} />}
    </WorkPage>
  )
}

function useFormColumns(): Column<DeskFormRow>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'name',
      header: t('Name'),
      onPhone: 'top',
      skeletonWidth: 180,
      render: ({ _id, name, category }) => (
        <span className={parts.name}>
          <TextLink to="/forms/$formId/{-$part}" params={{ formId: _id, part: undefined }} inherit>
            <bdi>{name}</bdi>
          </TextLink>
          {category && <span className={parts.quiet}>{category}</span>}
        </span>
      ),
    },
    {
      key: 'use',
      header: t('Used by'),
      skeletonWidth: 120,
      render: ({ request_types, show_on }) => {
        const names = request_types.map(({ name }) => name)
        const all = show_on === null ? names : [...names, t('Portal')]
        return all.length > 0 ? (
          <span className={parts.wrapped}>{all.join(', ')}</span>
        ) : (
          <span className={parts.quiet}>{t('nobody yet')}</span>
        )
      },
    },
    {
      key: 'version',
      header: t('Version'),
      onPhone: 'top',
      skeletonWidth: 60,
      render: ({ version }) => <Tag label={t('Version {{version}}', { version })} />,
    },
    {
      key: 'made',
      header: t('Last changed'),
      skeletonWidth: 120,
      render: ({ made_at, made_by }) => (
        <span className={parts.name}>
          <Moment at={made_at} />
          {made_by && (
            <span className={parts.quiet}>
              <bdi>{made_by}</bdi>
            </span>
          )}
        </span>
      ),
    },
    { key: 'submissions', header: t('Filled in'), align: 'right', skeletonWidth: 40, render: ({ submissions }) => submissions },
  ]
}
