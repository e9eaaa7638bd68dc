import type { DeskRequest } from '@atrium/contract/requests/desk-calls.ts'
import { isFinalRequest, type RequestState, requestMoves } from '@atrium/contract/requests/states.ts'
import { Button, Menu } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { useState } from 'react'
import { StatusPill, Tag } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Select } from '../../ui/fields/select.tsx'
import { type Step, Steps } from '../../ui/forms/steps.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { TextLink } from '../../ui/layout/link-button.tsx'
import { Section } from '../../ui/layout/page.tsx'
import shared from '../../ui/layout/work-detail.module.css'
import { Moment } from '../../ui/text/moment.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { AnswerSheet } from './answer-sheet.tsx'
import { CommentBox } from './comment-box.tsx'
import { MoveDialog } from './move-dialog.tsx'
import type { RequestDeskProps } from './request-desk-props.ts'
import { approveLabel, eventLabels, moveLabels, priorityLabels, stateLabels } from './request-labels.ts'
import { RequestedChange } from './requested-change.tsx'
import parts from './requests.module.css'
import { useAct } from './use-desk-requests.ts'

type DetailProps = RequestDeskProps & { request: DeskRequest }

/** A request: the answers, its history, and the member. */
export function RequestDetail({ request, staffId, mayHandle, mayChange, drawMember }: DetailProps) {
  const { t } = useTranslation()
  const { label, meaning } = stateLabels[request.status]
  const isOver = isFinalRequest(request.status)
  const mayAct = mayHandle && !isOver
  // Held outside the buttons, so that the dialog stays open when a colleague's decision removes them.
  const [moving, setMoving] = useState<RequestState | null>(null)
  return (
    <article className={shared.detail} aria-label={t('Request {{number}}', request)}>
      <header data-group="xl" data-lines="md" data-align="start" data-justify="between">
        <div>
          <h2 className={parts.title}>{request.subject}</h2>
          <div className={shared.line}>
            <StatusPill meaning={meaning} label={t(label)} />
            {t('#{{number}}', request)}
            {request.priority !== 'low' && <Tag label={t(priorityLabels[request.priority])} isStrong />}
          </div>
        </div>
        {mayAct && <Actions request={request} staffId={staffId} mayChange={mayChange} onMove={setMoving} />}
        {moving && <MoveDialog key={moving} request={request} to={moving} onClose={() => setMoving(null)} />}
      </header>
      {!mayHandle && <p className={shared.readOnly}>{t('Your role can view requests but not decide on them.')}</p>}
      <div className={parts.split}>
        <div data-stack="lg" data-shrink>
          <RequestedChange request={request} mayChange={mayChange} />
          {request.description && <p className={parts.words}>{request.description}</p>}
          {request.answered ? (
            <AnswerSheet answered={request.answered} />
          ) : (
            <p className={parts.quiet}>{t('This request type has no form.')}</p>
          )}
          {mayHandle && <CommentBox key={request._id} request={request} />}
          <Section title={t('History')}>
            <History request={request} />
          </Section>
        </div>
        <div data-stack="lg" data-shrink>
          <Section title={t('Request')}>
            <RequestFacts request={request} mayAct={mayAct} />
          </Section>
          <Section title={t('Member')}>
            <TextLink to="/members/{-$memberId}" params={{ memberId: request.member._id } as never} inherit>
              <bdi>{request.member.name}</bdi>
            </TextLink>
            {drawMember(request.member._id)}
          </Section>
        </div>
      </div>
    </article>
  )
}

type ActionsProps = { request: DeskRequest; staffId: string; mayChange: boolean; onMove: (to: RequestState) => void }

/** The possible next states from the table of moves: the usual one as a button, the others in a menu. */
function Actions({ request, staffId, mayChange, onMove }: ActionsProps) {
  const { t } = useTranslation()
  const act = useAct(request._id)
  const onError = (error: Error) => toast.refused(t(error.message))
  const labelOf = (state: RequestState) =>
    state === 'done' && request.change ? approveLabel : stateLabels[state].label
  const holder = request.assigned?._id ?? null
  const mayApprove = mayChange || request.change === null
  const moves = requestMoves.staff[request.status].filter((state) => state !== 'done' || mayApprove)
  const main: RequestState = request.status === 'in-progress' ? 'done' : 'in-progress'
  return (
    <div data-group="sm">
      <Button
        size="xs"
        variant="default"
        disabled={act.isPending}
        onClick={() => act.mutate({ do: 'assign', from: holder, to: holder === staffId ? null : staffId }, { onError })}
      >
        {holder === staffId ? t('Unassign') : holder === null ? t('Assign to me') : t('Reassign to me')}
      </Button>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button size="xs" variant="default" rightSection={<IconChevronDown size={16} stroke={1.5} aria-hidden />}>
            {t('Move to')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {moves.map((state) => (
            <Menu.Item key={state} onClick={() => onMove(state)}>
              {t(labelOf(state))}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {moves.includes(main) && (
        <Button size="xs" loading={act.isPending} onClick={() => onMove(main)}>
          {t(main === 'done' && request.change ? approveLabel : moveLabels[main])}
        </Button>
      )}
    </div>
  )
}

function RequestFacts({ request, mayAct }: { request: DeskRequest; mayAct: boolean }) {
  const { t } = useTranslation()
  const act = useAct(request._id)
  const holder = request.assigned?._id ?? null
  const names = new Map(
    [...request.colleagues, ...(request.assigned ? [request.assigned] : [])].map((each) => [each._id, each.name]),
  )
  return (
    <div data-stack="lg" data-shrink>
      <Facts
        facts={[
          { name: t('Type'), value: request.type.name },
          { name: t('Sent on'), value: <Moment at={request.created_at} /> },
          { name: t('State since'), value: <Moment at={request.status_since} /> },
          { name: t('Assigned to'), value: mayAct ? null : request.assigned?.name },
          { name: t('Last comment to the member'), value: request.comment },
        ]}
      />
      {mayAct && (
        <Select
          size="xs"
          label={t('Assigned to')}
          placeholder={t('Nobody')}
          clearable
          searchable
          data={[...names].map(([value, label]) => ({ value, label }))}
          value={holder}
          onChange={(to) =>
            to !== holder &&
            act.mutate({ do: 'assign', from: holder, to }, { onError: (error) => toast.refused(t(error.message)) })
          }
        />
      )}
    </div>
  )
}

function History({ request }: { request: DeskRequest }) {
  const { t } = useTranslation()
  const steps = request.events.map((event, at): Step => {
    const isLast = at === request.events.length - 1
    return {
      key: event._id,
      title: eventLabels(event, t),
      by: (
        <>
          <Moment at={event.at} /> <bdi>{event.by?.name ?? request.member.name}</bdi>
        </>
      ),
      note: event.comment,
      meaning: event.to ? stateLabels[event.to].meaning : 'grey',
      stage: isLast && !isFinalRequest(request.status) ? 'current' : 'done',
    }
  })
  return <Steps label={t('History')} steps={steps} />
}
