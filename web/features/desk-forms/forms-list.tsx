import type { DeskFormRow } from '@atrium/contract/forms/desk-calls.ts'
import { Button, SegmentedControl } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { Tag } from '../../ui/feedback/status-pill.tsx'
import { TextLink } from '../../ui/layout/link-button.tsx'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import type { Column } from '../../ui/lists/data-table.tsx'
import { withFilter } from '../../ui/lists/list-address.ts'
import { ListRows } from '../../ui/lists/list-rows.tsx'
import { useList } from '../../ui/lists/use-list.ts'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './forms.module.css'
import { NewFormDialog } from './new-form-dialog.tsx'
import { forms } from './use-forms.ts'

/** The brokerage's own forms. */
export function FormsList({ mayManage }: { mayManage: boolean }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const at = useList(forms, { to: '/forms' })
  const { archived = 'no' } = at.asked
  const columns = useFormColumns()
  const [isAdding, setAdding] = useState(false)
  const add = mayManage && (
    <Button leftSection={<IconPlus size={18} stroke={1.5} aria-hidden />} onClick={() => setAdding(true)}>
      {t('New form')}
    </Button>
  )
  return (
    <WorkPage
      help={t('Forms that members fill in, with a request or on their own. Each saved change creates a version.')}
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
        onChange={(value) => at.go(withFilter(at.list, at.search, { archived: value }))}
      />
      <ListRows
        at={at}
        label={t('Forms')}
        holds={t('Nothing was changed.')}
        tab="archived"
        columns={columns}
        onOpen={({ _id }) => navigate({ to: '/forms/$formId/{-$part}', params: { formId: _id, part: undefined } })}
        empty={
          archived === 'yes' ? (
            <EmptyState drawing="list" title={t('No archived forms')} />
          ) : (
            <EmptyState
              drawing="list"
              title={t('No forms yet')}
              text={t(
                'For example a change of address or an appropriateness test. Start with a ready-made form or an empty one.',
              )}
              action={add}
            />
          )
        }
      />
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
          <span className={parts.quiet}>{t('not used yet')}</span>
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
    {
      key: 'submissions',
      header: t('Submissions'),
      align: 'right',
      skeletonWidth: 40,
      render: ({ submissions }) => submissions,
    },
  ]
}
