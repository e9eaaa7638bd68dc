import { Button } from '@mantine/core'
import type { FormEvent, ReactNode, Ref } from 'react'
import { Refusal } from '../feedback/refusal.tsx'
import { useTranslation } from '../text/use-translation.ts'
import { dangerousButton } from './dangerous-button.ts'
import parts from './dialog-form.module.css'
import { FormDialog } from './form-dialog.tsx'

/** The part of a form that a dialog or a section needs (`web/forms/use-call-form.ts`). */
export type PostedForm = {
  element: Ref<HTMLFormElement>
  onSubmit: (event: FormEvent) => void
  refusal: readonly string[]
  isUnknown: boolean
  isSubmitting: boolean
  isDirty: boolean
}

type DialogFormProps = {
  form: PostedForm
  label?: string
  /** The label of the submit button. */
  submit: string
  /** False while there is nothing to send, or its file is on its way. */
  isReady?: boolean
  cancel?: string
  isDangerous?: boolean
  /** No required input: the safe button has the focus. */
  isQuestion?: boolean
  /** Shown after a lost answer, if the form has an idempotency key. */
  unknown?: string
  onCancel: () => void
  children?: ReactNode
}

/** The fields of a form in a dialog, its refusal, and its two buttons. */
export function DialogForm({
  form,
  label,
  submit,
  cancel,
  isReady = true,
  isDangerous,
  isQuestion,
  ...rest
}: DialogFormProps) {
  const { t } = useTranslation()
  return (
    <form ref={form.element} className={parts.form} onSubmit={form.onSubmit} noValidate aria-label={label}>
      {rest.children}
      <Refusal messages={form.refusal} isUnknown={form.isUnknown} {...(rest.unknown && { unknown: rest.unknown })} />
      <div data-group="sm" data-align="center" data-justify="end">
        <Button
          variant="default"
          data-autofocus={isQuestion || undefined}
          disabled={form.isSubmitting}
          onClick={rest.onCancel}
        >
          {cancel ?? t('Cancel')}
        </Button>
        <Button type="submit" disabled={!isReady} loading={form.isSubmitting} {...(isDangerous && dangerousButton)}>
          {submit}
        </Button>
      </div>
    </form>
  )
}

type CallDialogProps = Omit<DialogFormProps, 'onCancel'> & {
  id?: string
  title: string
  size: number
  isOpen?: boolean
  onClose: () => void
  onGone?: () => void
}

/** A dialog with one form that posts a call; mounted while it is open, or reports when it has closed. */
export function CallDialog({ id, title, size, isOpen = true, onClose, onGone, ...form }: CallDialogProps) {
  const { isDirty, isSubmitting: isBusy } = form.form
  return (
    <FormDialog {...(id && { id })} {...{ title, size, isOpen, onClose, onGone, isDirty, isBusy }}>
      {({ onCancel }) => <DialogForm {...form} onCancel={onCancel} />}
    </FormDialog>
  )
}
