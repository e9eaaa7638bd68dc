import type { DeskRequest } from '@atrium/contract/requests/desk-calls.ts'
import { isFinalRequest } from '@atrium/contract/requests/states.ts'
import { Callout } from '../../ui/feedback/state.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { Section } from '../../ui/layout/page.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'

const detailLabels = {
  first_name: { now: 'First name now', wanted: 'New first name' },
  last_name: { now: 'Last name now', wanted: 'New last name' },
  email: { now: 'Email now', wanted: 'New email' },
} as const

/** The change that approval makes: current and requested value. */
export function RequestedChange({ request, mayChange }: { request: DeskRequest; mayChange: boolean }) {
  const { t } = useTranslation()
  if (!request.change) return null
  const isOver = isFinalRequest(request.status)
  return (
    <Section title={t('Requested change')}>
      <ChangeFacts change={request.change} isOver={isOver} />
      {!isOver && !mayChange && (
        <Callout meaning="grey">{t('Your role cannot approve this request, but can move or reject it.')}</Callout>
      )}
    </Section>
  )
}

type ChangeFactsProps = { change: NonNullable<DeskRequest['change']>; isOver?: boolean }

export function ChangeFacts({ change: { now, wanted, email_taken }, isOver = false }: ChangeFactsProps) {
  const { t } = useTranslation()
  const names = (['first_name', 'last_name', 'email'] as const).filter((name) => wanted[name] !== undefined)
  return (
    <>
      <Facts
        facts={names.flatMap((name) => [
          { name: t(detailLabels[name].now), value: isOver ? null : now[name] },
          { name: t(detailLabels[name].wanted), value: wanted[name] },
        ])}
      />
      {!isOver && email_taken && (
        <Callout meaning="red">{t('Another member has this email address. Do not tell the member who.')}</Callout>
      )}
    </>
  )
}
