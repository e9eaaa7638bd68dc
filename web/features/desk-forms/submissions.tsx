import type { CallAnswer } from '@atrium/contract/call.ts'
import type { DeskForm, listSubmissions } from '@atrium/contract/forms/desk-calls.ts'
import { Button, Modal } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useMemo, useState } from 'react'
import { saveTable } from '../../api/save-table.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { FormSkeleton } from '../../ui/forms/form-skeleton.tsx'
import { TextLink } from '../../ui/layout/link-button.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import type { Column } from '../../ui/lists/data-table.tsx'
import { TableButton } from '../../ui/lists/filter-bar.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { type Answered, submissionQuery, submissionsOf } from './use-forms.ts'

type Row = CallAnswer<typeof listSubmissions>['submissions'][number]
type SubmissionsProps = { form: DeskForm; draw: (answered: Answered) => ReactNode }

/** The submissions, with the points of a questionnaire; all answers can be exported as a table. */
export function Submissions({ form, draw }: SubmissionsProps) {
  const { t } = useTranslation()
  const [opened, setOpened] = useState<string | null>(null)
  const [version, setVersion] = useState(String(form.version))
  const source = useMemo(() => submissionsOf(form._id), [form._id])
  const columns = useSubmissionColumns(setOpened)
  return (
    <>
      <DataList
        source={source}
        to="/forms/$formId/{-$part}"
        params={{ formId: form._id, part: 'filled' }}
        label={t('Submissions')}
        isPart
        controls={{}}
        tools={() => (
          <>
            <Select
              size="xs"
              aria-label={t('Version to export')}
              allowDeselect={false}
              data={form.versions.map((each) => ({
                value: String(each.version),
                label: t('Version {{version}}', each),
              }))}
              value={version}
              onChange={(chosen) => setVersion(chosen ?? version)}
            />
            <TableButton
              save={(onBytes) =>
                saveTable('/desk/api/forms/:id/answers', { id: form._id, version }, `${form.name}.csv`, onBytes)
              }
            />
          </>
        )}
        columns={columns}
        turns="times"
        empty={<EmptyState drawing="list" title={t('No submissions yet')} />}
      />
      <Modal
        opened={opened !== null}
        onClose={() => setOpened(null)}
        title={form.name}
        size={720}
        closeButtonProps={{ 'aria-label': t('Close') }}
      >
        {opened && <One id={opened} draw={draw} />}
      </Modal>
    </>
  )
}

function One({ id, draw }: { id: string; draw: SubmissionsProps['draw'] }) {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(submissionQuery(id))
  if (error && !data) return <ErrorState error={error} onRetry={() => refetch()} />
  return data ? draw(data.answered) : <FormSkeleton label={t('Loading')} />
}

function useSubmissionColumns(onOpen: (id: string) => void): Column<Row>[] {
  const { t } = useTranslation()
  return [
    {
      key: 'member',
      header: t('Member'),
      onPhone: 'top',
      skeletonWidth: 140,
      render: ({ member }) => (
        <TextLink to="/members/{-$memberId}" params={{ memberId: member._id } as never} inherit>
          <bdi>{member.name}</bdi>
        </TextLink>
      ),
    },
    { key: 'at', header: t('Sent on'), skeletonWidth: 100, render: ({ submitted_at }) => <Moment at={submitted_at} /> },
    { key: 'version', header: t('Version'), skeletonWidth: 40, render: ({ version }) => version },
    {
      key: 'points',
      header: t('Points'),
      skeletonWidth: 60,
      render: ({ score, band }) => (score === null ? '\u2013' : [score, band].filter(Boolean).join(' \u00b7 ')),
    },
    {
      key: 'request',
      header: t('Request'),
      skeletonWidth: 60,
      render: ({ request }) =>
        request ? (
          <TextLink to="/requests/{-$requestId}" params={{ requestId: request._id }} search={{}} inherit>
            {t('#{{number}}', request)}
          </TextLink>
        ) : (
          '\u2013'
        ),
    },
    {
      key: 'answers',
      header: t('Answers'),
      onPhone: 'plain',
      skeletonWidth: 60,
      render: ({ _id, member }) => (
        <Button
          size="compact-xs"
          variant="default"
          aria-label={t('Show answers of {{name}}', { name: member.name })}
          onClick={() => onOpen(_id)}
        >
          {t('Show')}
        </Button>
      ),
    },
  ]
}
