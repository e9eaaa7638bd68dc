import { limits } from '@atrium/contract/limits.ts'
import { platformKinds } from '@atrium/contract/platforms/desk-calls.ts'
import { Button } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { ErrorState } from '../../ui/feedback/error-state.tsx'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { TextInput } from '../../ui/fields/text-input.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { Card } from '../../ui/layout/page.tsx'
import { WorkPage } from '../../ui/layout/work-page.tsx'
import rows from '../../ui/lists/desk-rows.module.css'
import { RowList } from '../../ui/lists/row-list.tsx'
import { listInWords } from '../../ui/text/format.ts'
import { Ago } from '../../ui/text/moment.tsx'
import { platformTitle } from '../../ui/text/platform-names.ts'
import { PlatformProblem } from '../../ui/text/platform-problem.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { PlatformState } from './platform-state.tsx'
import { type PlatformRow, platformsQuery, useAddPlatform } from './use-platforms.ts'

/** The brokerage's platforms with their health. */
export function PlatformsList() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(platformsQuery)
  const [isAdding, setAdding] = useState(false)
  return (
    <WorkPage
      help={t('Where members trade. A platform is offered once it is connected, switched on, and has groups.')}
      actions={
        <Button leftSection={<IconPlus size={18} stroke={1.5} aria-hidden />} onClick={() => setAdding(true)}>
          {t('Add a platform')}
        </Button>
      }
    >
      <Card>
        {error && !data ? (
          <ErrorState error={error} onRetry={() => refetch()} holds={t('Nothing was changed.')} />
        ) : data?.length === 0 ? (
          <EmptyState drawing="list" title={t('No platforms yet')} text={t('Add the first one to offer accounts.')} />
        ) : (
          <RowList label={t('Platforms')} styles={rows} skeleton={2}>
            {data?.map((row) => (
              <Row key={row._id} row={row} />
            ))}
          </RowList>
        )}
      </Card>
      {isAdding && <AddDialog onClose={() => setAdding(false)} />}
    </WorkPage>
  )
}

function Row({ row }: { row: PlatformRow }) {
  const { t } = useTranslation()
  const facts = [
    platformTitle(row.type),
    row.accounts === 1 ? t('1 account') : t('{{number}} accounts', { number: row.accounts }),
    row.groups === 1 ? t('1 group') : t('{{number}} groups', { number: row.groups }),
    row.downloads === 1 ? t('1 download') : t('{{number}} downloads', { number: row.downloads }),
  ]
  return (
    <li>
      <Link to="/platforms/{-$platformId}/{-$part}" params={{ platformId: row._id } as never} className={rows.row}>
        <span className={rows.grow}>
          <span className={rows.strong}>{row.name}</span>
          <span className={rows.quiet}>{facts.join(' \u00b7 ')}</span>
        </span>
        <PlatformHealth row={row} />
        <PlatformState isEnabled={row.enabled} isConnected={row.is_connected} />
      </Link>
    </li>
  )
}

/** The known health, without a query to the platform. */
function PlatformHealth({ row }: { row: PlatformRow }) {
  const { t } = useTranslation()
  if (!row.is_connected || !row.enabled) return null
  return (
    <span className={rows.health}>
      {row.standing === 'left_in_peace' && <StatusPill meaning="red" label={t('Does not answer')} />}
      {row.last_answer_at !== null && (
        <span className={rows.quiet}>
          {t('Answered')} <Ago at={row.last_answer_at} />
        </span>
      )}
      {row.compared_at !== null && (
        <span className={rows.quiet}>
          {t('Compared')} <Ago at={row.compared_at} />
        </span>
      )}
      {row.unread_groups.length > 0 && (
        <>
          <StatusPill meaning="amber" label={t('Compared in part')} />
          <span className={rows.quiet}>
            {t('Our user on the platform cannot read: {{groups}}', { groups: listInWords(row.unread_groups) })}
          </span>
        </>
      )}
      {row.compare_problem !== null && (
        <>
          <StatusPill meaning="amber" label={t('Not compared')} />
          <PlatformProblem
            problem={row.compare_problem}
            show={({ text }) => <span className={rows.quiet}>{text}</span>}
          />
        </>
      )}
    </span>
  )
}

const start = { type: 'mt5' as PlatformRow['type'], name: '' }
const labels = { type: 'Platform', name: 'Name' }

function AddDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const add = useAddPlatform()
  const form = useCallForm({
    start,
    labels,
    send: (given) => add.mutateAsync(given),
    onDone: ({ platform }) => {
      onClose()
      const params = { platformId: platform._id, part: 'connection' }
      navigate({ to: '/platforms/{-$platformId}/{-$part}', params: params as never })
    },
  })
  const { values, change, errorOf } = form
  const title = t('Add a platform')
  return (
    <CallDialog form={form} title={title} label={title} size={440} submit={t('Add platform')} onClose={onClose}>
      <Select
        label={t(labels.type)}
        allowDeselect={false}
        data={platformKinds.map((kind) => ({ value: kind, label: platformTitle(kind) }))}
        value={values.type}
        error={errorOf('type')}
        onChange={(type) => change({ type: type === 'mt4' ? 'mt4' : 'mt5' })}
      />
      <TextInput
        label={t(labels.name)}
        description={t('Shown to members, for example Harbour MT5.')}
        data-autofocus
        charsMax={limits.nameCharsMax}
        value={values.name}
        error={errorOf('name')}
        onChange={(event) => change({ name: event.currentTarget.value })}
      />
    </CallDialog>
  )
}
