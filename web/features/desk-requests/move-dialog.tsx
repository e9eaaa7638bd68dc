import type { DeskRequest } from '@atrium/contract/desk-requests.ts'
import { limits } from '@atrium/contract/limits.ts'
import { isFinalRequest, needsComment, type RequestState } from '@atrium/contract/request-states.ts'
import { requestTexts } from '@atrium/contract/request-texts.ts'
import { Button, Group } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { dangerousButton } from '../../ui/dangerous-button.ts'
import { type DialogTools, FormDialog } from '../../ui/form-dialog.tsx'
import { notice } from '../../ui/notice.ts'
import { Callout } from '../../ui/state.tsx'
import { Textarea } from '../../ui/text-area.tsx'
import { useTellDirty } from '../../ui/use-tell-dirty.ts'
import { approveWord, moveWords, stateWords } from './request-words.ts'
import parts from './requests.module.css'
import { useAct } from './use-desk-requests.ts'

type MoveDialogProps = { request: DeskRequest; to: RequestState; onClose: () => void }

/** Where a request goes, with the word that the member gets; a no is never without its reason. */
export function MoveDialog({ request, to, onClose }: MoveDialogProps) {
  const { t } = useTranslation()
  const title = t('Request {{number}}: {{state}}?', { number: request.number, state: t(stateWords[to].label) })
  return (
    <FormDialog title={title} size={480} isOpen onClose={onClose}>
      {(tools) => <MoveForm request={request} to={to} {...tools} />}
    </FormDialog>
  )
}

type MoveFormProps = Pick<MoveDialogProps, 'request' | 'to'> & Pick<DialogTools, 'onCancel' | 'onSaved' | 'onDirty'>

function MoveForm({ request, to, onCancel, onSaved, onDirty }: MoveFormProps) {
  const { t } = useTranslation()
  const act = useAct(request._id)
  const [comment, setComment] = useState('')
  const [isTried, setTried] = useState(false)
  // As it was when the question came up: what somebody else did meanwhile is refused, not overrun.
  const [from] = useState(request.status)
  useTellDirty(comment.trim() !== '', onDirty)
  const isMissing = needsComment(to) && comment.trim() === ''
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (isMissing || act.isPending) return
    act.mutate(
      { do: 'move', from, to, comment },
      {
        onSuccess: () => {
          const state = t(stateWords[to].label)
          notice.done(t('Request {{number}} is now: {{state}}.', { number: request.number, state }))
          onSaved()
        },
      },
    )
  }
  return (
    <form className={parts.form} onSubmit={submit} noValidate>
      {to === 'done' && request.change && (
        <p>
          {t(
            'The member is changed at once, signed out everywhere and notified by email, at the old and at the new address. Withdrawals are held for the time that the workspace has set.',
          )}
        </p>
      )}
      {isFinalRequest(to) && <p>{t('This closes the request: it cannot be moved afterwards.')}</p>}
      <Textarea
        label={t('Comment to {{name}}', { name: request.member.name })}
        data-autofocus
        withAsterisk={needsComment(to)}
        autosize
        minRows={3}
        maxRows={10}
        charsMax={limits.requestCommentCharsMax}
        value={comment}
        error={isTried && isMissing ? t(requestTexts.commentMissing) : undefined}
        onChange={(event) => setComment(event.currentTarget.value)}
      />
      {act.error && <Callout meaning="red">{t(act.error.message)}</Callout>}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" disabled={act.isPending} onClick={onCancel}>
          {t('Back')}
        </Button>
        <Button type="submit" loading={act.isPending} {...(needsComment(to) ? dangerousButton : {})}>
          {t(to === 'done' && request.change ? approveWord : moveWords[to])}
        </Button>
      </Group>
    </form>
  )
}
