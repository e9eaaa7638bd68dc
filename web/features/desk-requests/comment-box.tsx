import { limits } from '@atrium/contract/limits.ts'
import type { DeskRequest } from '@atrium/contract/requests/desk-calls.ts'
import { isFinalRequest } from '@atrium/contract/requests/states.ts'
import { requestTexts } from '@atrium/contract/requests/texts.ts'
import { Button } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { Textarea } from '../../ui/fields/text-area.tsx'
import { useUnsavedGuard } from '../../ui/forms/use-unsaved-guard.ts'
import { useTranslation } from '../../ui/text/use-translation.ts'
import parts from './requests.module.css'
import { useAct } from './use-desk-requests.ts'

/** A comment to the member on an open request. A comment begun before the request ended can still be sent. */
export function CommentBox({ request }: { request: DeskRequest }) {
  const { t } = useTranslation()
  const act = useAct(request._id)
  const [comment, setComment] = useState('')
  const [problem, setProblem] = useState<string | null>(null)
  useUnsavedGuard({ isDirty: comment.trim() !== '', onLeave: () => setComment('') })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (act.isPending) return
    if (comment.trim() === '') return setProblem(requestTexts.commentMissing)
    // Keeps text typed after sending.
    act.mutate(
      { do: 'comment', comment },
      {
        onSuccess: () => setComment((now) => (now === comment ? '' : now)),
        onError: (error) => setProblem(error.message),
      },
    )
  }
  if (isFinalRequest(request.status) && comment === '') return null
  return (
    <form className={parts.form} onSubmit={submit} noValidate>
      <Textarea
        label={t('Comment to {{name}}', { name: request.member.name })}
        description={t('The member reads it with the request.')}
        autosize
        minRows={2}
        maxRows={8}
        charsMax={limits.requestCommentCharsMax}
        value={comment}
        error={problem && t(problem)}
        onChange={(event) => {
          setProblem(null)
          setComment(event.currentTarget.value)
        }}
      />
      <div>
        <Button size="xs" type="submit" variant="default" loading={act.isPending}>
          {t('Send comment')}
        </Button>
      </div>
    </form>
  )
}
