import '@mantine/core/styles/Progress.layer.css'
import { ActionIcon, Progress } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { TextLink } from '../../ui/layout/link-button.tsx'
import type { Column } from '../../ui/lists/data-table.tsx'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './desk-terms.module.css'
import { sectionsInWords, stateLabels } from './terms-labels.ts'
import { type TermsRow, useOrderTerms } from './use-terms.ts'

export function useTermsColumns(all: TermsRow[], { mayOrder }: { mayOrder: boolean }): Column<TermsRow>[] {
  const { t } = useTranslation()
  const columns: Column<TermsRow>[] = [
    { key: 'name', header: t('Name'), onPhone: 'top', skeletonWidth: 180, render: (row) => <Name row={row} /> },
    {
      key: 'state',
      header: t('State'),
      onPhone: 'top',
      skeletonWidth: 72,
      render: ({ state }) => <StatusPill meaning={stateLabels[state].meaning} label={t(stateLabels[state].label)} />,
    },
    {
      key: 'sections',
      header: t('Closes until accepted'),
      skeletonWidth: 120,
      render: (row) => <span className={parts.wrapped}>{sectionsInWords(row.blocked_portal_sections, t)}</span>,
    },
    {
      key: 'published',
      header: t('Published'),
      skeletonWidth: 90,
      render: ({ published_at }) =>
        published_at ? <Moment at={published_at} /> : <span className={parts.quiet}>{t('not yet')}</span>,
    },
    { key: 'accepted', header: t('Accepted'), skeletonWidth: 90, render: (row) => <Accepted row={row} /> },
  ]
  if (!mayOrder || all.length < 2) return columns
  return [
    ...columns,
    { key: 'order', header: t('Order'), skeletonWidth: 60, render: (row) => <Order row={row} all={all} /> },
  ]
}

function Name({ row }: { row: TermsRow }) {
  const { t } = useTranslation()
  return (
    <span className={parts.name}>
      <TextLink
        to="/terms/$termsId/{-$part}"
        params={{ termsId: row._id, part: undefined }}
        search={{}}
        className={parts.nameLink ?? ''}
        inherit
      >
        <bdi>{row.name}</bdi>
      </TextLink>
      <span className={parts.tags} data-group="xs">
        {row.version && <Tag label={t('Version {{version}}', { version: row.version })} />}
        {row.state === 'published' && row.is_changed && <Tag label={t('Unpublished changes')} isStrong />}
      </span>
    </span>
  )
}

function Accepted({ row }: { row: TermsRow }) {
  const { t } = useTranslation()
  if (row.version === null) return <span className={parts.quiet}>{t('nobody was asked')}</span>
  const text = t('{{accepted}} of {{members}}', row)
  return (
    <span className={parts.progress}>
      {text}
      <Progress
        size={4}
        value={row.members === 0 ? 0 : (row.accepted / row.members) * 100}
        color="var(--green-mark)"
        aria-label={t('Accepted by {{accepted}} of {{members}} members', row)}
      />
    </span>
  )
}

/** Moves the terms up or down; members accept them from the top. */
function Order({ row, all }: { row: TermsRow; all: TermsRow[] }) {
  const { t } = useTranslation()
  const order = useOrderTerms()
  const place = all.findIndex(({ _id }) => _id === row._id)
  const move = (by: -1 | 1) => {
    const others = all.filter(({ _id }) => _id !== row._id)
    const rows = [...others.slice(0, place + by), row, ...others.slice(place + by)]
    order.mutate({ rows, seen: all }, { onError: (error) => toast.refused(t(error.message)) })
  }
  const icon = { size: 16, stroke: 1.5, 'aria-hidden': true }
  return (
    <span className={parts.order}>
      <ActionIcon size={28} disabled={place <= 0} aria-label={t('Move {{name}} up', row)} onClick={() => move(-1)}>
        <IconArrowUp {...icon} />
      </ActionIcon>
      <ActionIcon
        size={28}
        disabled={place === all.length - 1}
        aria-label={t('Move {{name}} down', row)}
        onClick={() => move(1)}
      >
        <IconArrowDown {...icon} />
      </ActionIcon>
    </span>
  )
}
