import { texts } from '@atrium/contract/texts.ts'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { EmptyState } from '../../ui/feedback/state.tsx'
import { DateInput } from '../../ui/fields/date-input.tsx'
import { Select } from '../../ui/fields/select.tsx'
import { DataList } from '../../ui/lists/data-list.tsx'
import type { ListControls, ListSet } from '../../ui/lists/list-bar.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { actionLabels } from './action-labels.ts'
import parts from './audit.module.css'
import { AuditEntryLine } from './audit-entry.tsx'
import { aboutChoices, aboutOf } from './audit-labels.ts'
import { type AuditAnswer, audit, choicesQuery } from './use-audit.ts'

type Set = ListSet<typeof audit.list>

const controls: ListControls<typeof audit.list, AuditAnswer> = {
  actor: (set) => <Actor {...set} />,
  action: (set) => <Action {...set} />,
  member: (set) => <OfAllMembers {...set} />,
  from: (set) => <Days {...set} />,
}

/** The brokerage's audit log; it is append-only, and a manipulation in the database is detectable. */
export function AuditPage() {
  const { t } = useTranslation()
  return (
    <DataList
      source={audit}
      to="/audit"
      label={t('Audit log')}
      controls={controls}
      turns="times"
      empty={<EmptyState drawing="search" title={t(texts.noResults)} />}
      row={(entry, { names }) => (
        <div className={parts.inCard}>
          <AuditEntryLine entry={entry} names={names} isMemberShown />
        </div>
      )}
    />
  )
}

const selectProps = { size: 'xs', clearable: true, searchable: true } as const

function Actor({ search, change }: Set) {
  const { t } = useTranslation()
  const choices = useQuery(choicesQuery)
  const data = [
    { value: 'staff', label: t('Any colleague') },
    { value: 'member', label: t('Any member') },
    { value: 'system', label: t('System') },
    ...(choices.data?.staff ?? []).map(({ _id, name }) => ({ value: _id, label: name })),
  ]
  const value = search.actor ?? null
  const shared = { ...selectProps, data, value, onChange: (actor: string | null) => change({ actor }) }
  return <Select {...shared} aria-label={t('Actor')} placeholder={t('Any actor')} />
}

/** Filters by noun and by action. */
function Action({ search: { action }, change }: Set) {
  const { t } = useTranslation()
  const known = useQuery(choicesQuery).data?.actions ?? []
  const about = aboutOf(action)
  const actions = known
    .filter((value) => about === null || value.startsWith(about))
    .map((value) => ({ value, label: t(actionLabels(value)) }))
  return (
    <>
      <Select
        {...selectProps}
        aria-label={t('Subject')}
        placeholder={t('Any subject')}
        data={aboutChoices(known).map((choice) => ({ ...choice, label: t(choice.label) }))}
        value={about}
        onChange={(chosen) => change({ action: chosen })}
      />
      <Select
        {...selectProps}
        aria-label={t('Action')}
        placeholder={t('Any action')}
        data={actions}
        value={action?.endsWith('.') ? null : (action ?? null)}
        onChange={(chosen) => change({ action: chosen ?? about })}
      />
    </>
  )
}

function OfAllMembers({ search, change }: Set) {
  const { t } = useTranslation()
  if (!search.member) return null
  return (
    <Button size="xs" variant="default" onClick={() => change({ member: null })}>
      {t('Show all members')}
    </Button>
  )
}

function Days({ search: { from = '', to = '' }, change }: Set) {
  const { t } = useTranslation()
  const days = { size: 'xs', span: { from, to, onSpan: change } } as const
  const [first, last] = [t('From'), t('Until')]
  return (
    <>
      <DateInput
        {...days}
        aria-label={first}
        placeholder={first}
        value={from}
        onChange={(day) => change({ from: day })}
      />
      <DateInput {...days} aria-label={last} placeholder={last} value={to} onChange={(day) => change({ to: day })} />
    </>
  )
}
