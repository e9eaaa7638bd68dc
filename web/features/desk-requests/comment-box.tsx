import { limits } from '@atrium/contract/limits.ts'
import type { DeskRequest } from '@atrium/contract/requests/desk-calls.ts'
import { isFinalRequest } from '@atrium/contract/requests/states.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { Button } from '@mantine/core'
import { useCallForm } from '../../forms/use-call-form.ts'
import { Refusal } from '../../ui/feedback/refusal.tsx'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './requests.module.css'
import { useAct } from './use-desk-requests.ts'

const isWritten = ({ comment }: { comment: string }) => comment.trim() !== ''

/** A comment to the member on an open request. A comment begun before the request ended can still be sent. */
export function CommentBox({ request }: { request: DeskRequest }) {
  const { t } = useTranslation()
  const act = useAct(request._id)
  const form = useCallForm({
    start: { comment: '' },
    labels: { comment: 'Comment' },
    isEdited: isWritten,
    check: (values) => (isWritten(values) ? {} : { comment: [requestTexts.commentMissing] }),
    send: ({ comment }) => act.mutateAsync({ do: 'comment', comment }),
    startAfter: () => ({ comment: '' }),
    afterDone: 'anew',
  })
  const { comment } = form.values
  useUnsavedGuard({ isDirty: form.isDirty, onLeave: form.undo })
  if (isFinalRequest(request.status) && comment === '') return null
  return (
    <form ref={form.element} className={parts.form} data-stack="md" onSubmit={form.onSubmit} noValidate>
      <Textarea
        label={t('Comment to {{name}}', { name: request.member.name })}
        description={t('The member reads it with the request.')}
        autosize
        minRows={2}
        maxRows={8}
        charsMax={limits.requestCommentCharsMax}
        value={comment}
        error={form.errorOf('comment')}
        onChange={(event) => form.change({ comment: event.currentTarget.value })}
      />
      <Refusal messages={form.refusal} isUnknown={form.isUnknown} />
      <div>
        <Button size="xs" type="submit" variant="default" loading={form.isSubmitting}>
          {t('Send comment')}
        </Button>
      </div>
    </form>
  )
}
