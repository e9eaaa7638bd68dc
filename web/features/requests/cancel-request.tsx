import { limits } from '@atrium/contract/limits.ts'
import { isFinalRequest, requestStates } from '@atrium/contract/requests/states.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { useCallForm } from '../../forms/use-call-form.ts'
import { focusHeadingWhenLost } from '../../ui/feedback/focus-heading.ts'
import { requiredLabel } from '../../ui/fields/required-label.ts'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { CallDialog } from '../../ui/forms/dialog-form.tsx'
import { UnsentInput } from '../../ui/lists/unsent-input.tsx'
import { useTranslation } from '../../ui/text/use-translation.ts'
import { useCancelling } from './use-request-changes.ts'
import type { OneRequest } from './use-requests.ts'

type CancelProps = { request: Pick<OneRequest, '_id' | 'number' | 'subject' | 'status'> }

/** Cancels an undecided request, with a reason. */
export function CancelRequest({ request }: CancelProps) {
  const { t } = useTranslation()
  const [isOpen, setOpen] = useState(false)
  const state = requestStates.find((each) => each === request.status)
  const isOver = !state || isFinalRequest(state)
  return (
    <>
      {!isOver && (
        <Button variant="default" onClick={() => setOpen(true)}>
          {t('Cancel request')}
        </Button>
      )}
      {/* Stays open if the request is decided meanwhile, to show that. */}
      {isOpen && <CancelDialog request={request} onClose={() => setOpen(false)} />}
    </>
  )
}

function CancelDialog({ request, onClose }: CancelProps & { onClose: () => void }) {
  const { t } = useTranslation()
  const cancelling = useCancelling(request)
  const form = useCallForm({
    start: { comment: '' },
    labels: { comment: 'Comment' },
    check: ({ comment }) => (comment.trim() === '' ? { comment: [requestTexts.commentMissing] } : {}),
    send: ({ comment }) => cancelling.mutateAsync(comment),
    onDone: () => {
      onClose()
      focusHeadingWhenLost()
    },
  })
  return (
    <CallDialog
      form={form}
      title={t('Cancel request {{number}}?', { number: request.number })}
      size={480}
      submit={t('Cancel request')}
      cancel={t('Keep it')}
      isDangerous
      onClose={onClose}
    >
      <UnsentInput
        form={`cancel request ${request._id}`}
        values={form.values}
        isDirty={form.isDirty}
        onRestore={form.change}
      />
      <p>{t('We stop working on "{{subject}}".', { subject: request.subject })}</p>
      <Textarea
        data-autofocus
        label={t('Comment')}
        labelProps={requiredLabel}
        required
        withAsterisk={false}
        autosize
        minRows={3}
        maxRows={8}
        charsMax={limits.requestCommentCharsMax}
        value={form.values.comment}
        error={form.errorOf('comment')}
        onChange={(event) => form.change({ comment: event.currentTarget.value })}
      />
    </CallDialog>
  )
}
