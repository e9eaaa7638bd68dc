import { limits } from '@atrium/contract/limits.ts'
import type { DeskRequest } from '@atrium/contract/requests/desk-calls.ts'
import { isFinalRequest, needsComment, type RequestState } from '@atrium/contract/requests/states.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { deskTexts } from '@atrium/contract/staff/texts.ts'
import { useCallForm } from '../../forms/use-call-form.ts'
import { useOpened } from '../../forms/use-opened.ts'
import { StatusPill } from '../../ui/feedback/status-pill.tsx'
import { toast } from '../../ui/feedback/toast.ts'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { Facts } from '../../ui/layout/facts.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { approveLabel, moveLabels, stateLabels } from './request-labels.ts'
import { ChangeFacts } from './requested-change.tsx'
import { deskRequestQuery, useAct } from './use-desk-requests.ts'

type MoveDialogProps = { request: DeskRequest; to: RequestState; onClose: () => void }

/** Moves a request to a state, with a comment to the member; a rejection requires a reason. */
export function MoveDialog({ request: row, to, onClose }: MoveDialogProps) {
  const { t } = useTranslation()
  const { opened: request, takeNewer } = useOpened({
    row,
    newest: (queries) => queries.getQueryData(deskRequestQuery(row._id).queryKey),
    refusals: [deskTexts.requestMoved, deskTexts.recordChanged],
  })
  const act = useAct(row._id)
  const state = t(stateLabels[to].label)
  const name = t('Comment to {{name}}', { name: request.member.name })
  const { label, meaning } = stateLabels[request.status]
  const form = useCallForm({
    start: { comment: '' },
    labels: { comment: name },
    check: ({ comment }) =>
      needsComment(to) && comment.trim() === '' ? { comment: [requestTexts.commentMissing] } : {},
    send: ({ comment }) =>
      act.mutateAsync({ do: 'move', from: request.status, to, comment, seen: request.change?.revision }),
    onDone: () => {
      toast.done(t('Request {{number}} is now: {{state}}.', { number: request.number, state }))
      onClose()
    },
    onRefused: takeNewer,
  })
  return (
    <CallDialog
      form={form}
      title={t('Request {{number}}: {{state}}?', { number: request.number, state })}
      size={480}
      submit={t(to === 'done' && request.change ? approveLabel : moveLabels[to])}
      cancel={t('Back')}
      isDangerous={needsComment(to)}
      onClose={onClose}
    >
      <Facts facts={[{ name: t('State'), value: <StatusPill meaning={meaning} label={t(label)} /> }]} />
      {to === 'done' && request.change && <ChangeFacts change={request.change} />}
      {to === 'done' && request.change && (
        <p>
          {t(
            'The member is changed at once, signed out everywhere and notified by email, at the old and at the new address. Withdrawals are held for the time set by the brokerage.',
          )}
        </p>
      )}
      {isFinalRequest(to) && <p>{t('This closes the request: it cannot be moved afterwards.')}</p>}
      <Textarea
        label={name}
        data-autofocus
        withAsterisk={needsComment(to)}
        autosize
        minRows={3}
        maxRows={10}
        charsMax={limits.requestCommentCharsMax}
        value={form.values.comment}
        error={form.errorOf('comment')}
        onChange={(event) => form.change({ comment: event.currentTarget.value })}
      />
    </CallDialog>
  )
}
