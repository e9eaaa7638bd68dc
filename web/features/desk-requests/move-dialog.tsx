import { limits } from '@atrium/contract/limits.ts'
import type { DeskRequest } from '@atrium/contract/requests/desk-calls.ts'
import { isFinalRequest, needsComment, type RequestState } from '@atrium/contract/requests/states.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { toast } from '../../ui/feedback/toast.ts'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { approveLabel, moveLabels, stateLabels } from './request-labels.ts'
import { useAct } from './use-desk-requests.ts'

type MoveDialogProps = { request: DeskRequest; to: RequestState; onClose: () => void }

/** Moves a request to a state, with a comment to the member; a rejection requires a reason. */
export function MoveDialog({ request, to, onClose }: MoveDialogProps) {
  const { t } = useTranslation()
  const act = useAct(request._id)
  const state = t(stateLabels[to].label)
  const name = t('Comment to {{name}}', { name: request.member.name })
  // The state and details at opening, so that a colleague's change in the meantime causes a conflict and is not overwritten.
  const [{ from, seen }] = useState({ from: request.status, seen: request.change?.revision })
  const form = useCallForm({
    start: { comment: '' },
    labels: { comment: name },
    check: ({ comment }) =>
      needsComment(to) && comment.trim() === '' ? { comment: [requestTexts.commentMissing] } : {},
    send: ({ comment }) => act.mutateAsync({ do: 'move', from, to, comment, seen }),
    onDone: () => {
      toast.done(t('Request {{number}} is now: {{state}}.', { number: request.number, state }))
      onClose()
    },
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
