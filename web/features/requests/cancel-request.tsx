import { limits } from '@atrium/contract/limits.ts'
import { isFinalRequest, requestStates } from '@atrium/contract/request-states.ts'
import { requestTexts } from '@atrium/contract/request-texts.ts'
import { Button, Group } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { ApiError } from '../../api/api-error.ts'
import { errorLines } from '../../api/error-lines.ts'
import { dangerousButton } from '../../ui/dangerous-button.ts'
import { type DialogTools, FormDialog } from '../../ui/form-dialog.tsx'
import { requiredLabel } from '../../ui/required-label.ts'
import { Callout } from '../../ui/state.tsx'
import { Textarea } from '../../ui/text-area.tsx'
import { useWrongFields } from '../../ui/use-wrong-fields.ts'
import parts from './requests.module.css'
import { type OneRequest, useCancelling } from './use-requests.ts'

type CancelProps = { request: Pick<OneRequest, '_id' | 'number' | 'subject' | 'status'> }

/** Takes a request back, with the reason, for as long as nobody has decided on it. */
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
      {/* Stays where somebody decides meanwhile: it says so. */}
      <FormDialog
        title={t('Cancel request {{number}}?', { number: request.number })}
        size={480}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
      >
        {(tools) => <CancelForm request={request} tools={tools} />}
      </FormDialog>
    </>
  )
}

function CancelForm({ request, tools }: CancelProps & { tools: DialogTools }) {
  const { t } = useTranslation()
  const [comment, setComment] = useState('')
  const [problem, setProblem] = useState<string | undefined>()
  const { form, tell } = useWrongFields()
  const cancelling = useCancelling(request)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (cancelling.isPending) return
    if (comment.trim() === '') {
      setProblem(requestTexts.commentMissing)
      return tell([t('Comment')])
    }
    setProblem(undefined)
    cancelling.mutate(comment, { onSuccess: tools.onSaved })
  }
  const { error } = cancelling
  const lines = error instanceof ApiError ? errorLines(error.fieldErrors, t) : []
  return (
    <form ref={form} className={parts.dialog} onSubmit={submit} noValidate>
      <p className={parts.about}>{t('We stop working on "{{subject}}".', { subject: request.subject })}</p>
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
        value={comment}
        error={problem && t(problem)}
        onChange={(event) => {
          setComment(event.currentTarget.value)
          setProblem(undefined)
          tools.onDirty(event.currentTarget.value.trim() !== '')
        }}
      />
      {error && <Callout meaning="red">{lines.length > 0 ? lines.join(' ') : t(error.message)}</Callout>}
      <Group justify="flex-end" gap="sm">
        <Button variant="default" onClick={tools.onCancel}>
          {t('Keep it')}
        </Button>
        <Button type="submit" {...dangerousButton} loading={cancelling.isPending}>
          {t('Cancel request')}
        </Button>
      </Group>
    </form>
  )
}
